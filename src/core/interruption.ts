/** Why a run is stopped from outside: the reason of every abort. */
import { exitStatus } from "./failure.ts";

export type InterruptionSource =
  | "SIGINT"
  | "SIGTERM"
  | "SIGHUP"
  | "timeout"
  | "person"
  | "client"
  | "reader";

/** The reason an `AbortSignal` of a run carries. */
export class Interruption extends Error {
  override readonly name = "Interruption";
  constructor(readonly source: InterruptionSource, message?: string) {
    super(message ?? sentences[source]);
  }
}

const sentences: Record<InterruptionSource, string> = {
  SIGINT: "interrupted by SIGINT",
  SIGTERM: "interrupted by SIGTERM",
  SIGHUP: "interrupted by SIGHUP",
  timeout: "stopped by --timeout",
  person: "interrupted by the user",
  client: "interrupted by the client",
  reader: "interrupted, as the reader of standard output has gone",
};

/** The program's exit status after such an end. */
export function exitStatusOfInterruption(source: InterruptionSource): number {
  switch (source) {
    case "SIGTERM":
      return exitStatus.sigterm;
    case "SIGHUP":
      return exitStatus.sighup;
    case "timeout":
      return exitStatus.limit;
    case "reader":
      return exitStatus.failed;
    case "SIGINT":
    case "person":
    case "client":
      return exitStatus.sigint;
  }
}

/** The reason of an aborted signal; an interruption by a person where the reason is unknown. */
export function interruptionOf(signal: AbortSignal): Interruption {
  return signal.reason instanceof Interruption ? signal.reason : new Interruption("person");
}
