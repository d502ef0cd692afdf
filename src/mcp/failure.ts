/** What a conversation with a server can fail with. */
import type { WireError } from "./protocol.ts";

export type McpFailureKind =
  /** The server answered with an error: `code` and `data` are its own. */
  | "answer"
  /** Refused over HTTP: `status` says why. */
  | "refused"
  /** The server, or the connection to it, ended before the answer. */
  | "gone"
  /** The session has to be begun anew; the request was not looked at. */
  | "session gone"
  | "too large"
  | "time-out"
  | "cancelled"
  /** It answered with what is no answer. */
  | "protocol";

/** `message` completes the sentence "it ..." or "the server ...". */
export class McpFailure extends Error {
  override readonly name = "McpFailure";
  readonly code: number | undefined;
  readonly data: unknown;
  readonly status: number | undefined;
  constructor(
    readonly kind: McpFailureKind,
    message: string,
    { error, status }: { readonly error?: WireError | undefined; readonly status?: number } = {},
  ) {
    super(message);
    this.code = error?.code;
    this.data = error?.data;
    this.status = status;
  }
}

/** The failure that a server's own error stands for. */
export function answeredError(error: WireError): McpFailure {
  return new McpFailure("answer", error.message, { error });
}

/** The call was not made, as the tool is not what was offered. */
export class ToolChanged extends Error {
  override readonly name = "ToolChanged";
  constructor(readonly change: "gone" | "changed") {
    super(change);
  }
}
