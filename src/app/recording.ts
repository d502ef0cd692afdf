/** Owns the cassette that --record writes. */
import { resolve } from "node:path";
import { RunFailure } from "../core/failure.ts";
import type { Host } from "../core/host.ts";
import { openTextWriter } from "../host/text_writer.ts";

export interface Recording {
  /** Takes the stream parts of one answer. */
  take(parts: readonly unknown[]): Promise<void>;
  close(): Promise<void>;
}

/** Begins the file anew. Throws `RunFailure("usage")` where it cannot be written. */
export function openRecording(file: string, host: Host): Recording {
  const path = resolve(host.env.cwd, file);
  const writer = openTextWriter(path);
  if ("problem" in writer) {
    throw new RunFailure("usage", `--record: ${path} cannot be written (${writer.problem})`);
  }
  return {
    take: (parts) => writer.write(`${JSON.stringify(parts)}\n`),
    close: () => Promise.resolve(writer.close()),
  };
}
