/** The cassette that --record writes. */
import { resolve } from "node:path";
import { messageOf, RunFailure } from "../../core/failure.ts";
import type { ChatModel } from "../../core/model.ts";
import type { Host } from "../../core/host.ts";
import { openTextWriter } from "../../host/text_writer.ts";

export interface Recording {
  /**
   * The model, with every answer of it recorded. Throws `RunFailure("usage")` for a model that plays
   * the very file.
   */
  of(model: ChatModel): Promise<ChatModel>;
  close(): Promise<void>;
}

/**
 * Opens the file. What it held before goes once there is a model to record: a start that fails costs
 * nobody a cassette. A pipe that nobody reads is waited for until the signal aborts. Throws
 * `RunFailure("usage")` where it cannot be written.
 */
export function openRecording(file: string, host: Host, signal: AbortSignal): Recording {
  const path = resolve(host.env.cwd, file);
  const unwritable = (code: "usage" | "output", problem: string, cause?: unknown) =>
    new RunFailure(code, `--record: ${path} cannot be written (${problem})`, { cause });
  const writer = openTextWriter(path);
  if ("problem" in writer) throw unwritable("usage", writer.problem);
  let begun = false;
  return {
    async of(model) {
      if (model.provider === "replay" && writer.isAt(model.model)) {
        throw new RunFailure(
          "usage",
          `--record: ${path} is the cassette that is played; name another file`,
        );
      }
      if (!begun) writer.empty();
      begun = true;
      const { recordModel } = await import("../../providers/replay/record_model.ts");
      return recordModel(model, async (line) => {
        try {
          await writer.write(line.endsWith("\n") ? line : `${line}\n`, signal);
        } catch (error) {
          signal.throwIfAborted();
          throw unwritable("output", messageOf(error), error);
        }
      });
    },
    close: () => Promise.resolve(writer.close()),
  };
}
