/** Owns the cassette that --record writes. */
import { resolve } from "node:path";
import { RunFailure } from "../core/failure.ts";
import type { ChatModel } from "../core/model.ts";
import type { Host } from "../core/host.ts";
import { openTextWriter } from "../host/text_writer.ts";

export interface Recording {
  /** The model, with every answer of it recorded. */
  of(model: ChatModel): Promise<ChatModel>;
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
    async of(model) {
      const { recordModel } = await import("../providers/replay/record_model.ts");
      return recordModel(model, (line) => writer.write(line.endsWith("\n") ? line : `${line}\n`));
    },
    close: () => Promise.resolve(writer.close()),
  };
}
