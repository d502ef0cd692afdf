/** The file of lines that a person sent earlier: private, appended in whole lines. */
import { dirname, join } from "node:path";
import { readStateFile } from "./state_files.ts";

const maxBytes = 16 * 1024 * 1024;

/** The file at `path`. Nothing here throws: what cannot be kept is not kept. */
export function historyFile(path: string) {
  /** False for what is not a regular file: appending to it might wait, or write where it should not. */
  const usable = () => {
    const { kind } = readStateFile(path, maxBytes);
    return kind === "text" || kind === "missing";
  };
  return {
    read(): string {
      const file = readStateFile(path, maxBytes);
      return file.kind === "text" ? file.text : "";
    },
    append(line: string): void {
      if (!usable()) return;
      quietly(() => {
        Deno.mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
        using file = Deno.openSync(path, { append: true, create: true, mode: 0o600 });
        // one write a line: those of several programs do not mix
        file.writeSync(new TextEncoder().encode(line));
      });
    },
    replace(text: string): void {
      if (!usable()) return;
      const temporary = join(dirname(path), `.${crypto.randomUUID()}.tmp`);
      quietly(() => {
        try {
          Deno.writeTextFileSync(temporary, text, { mode: 0o600, createNew: true });
          Deno.renameSync(temporary, path);
        } catch (error) {
          quietly(() => Deno.removeSync(temporary));
          throw error;
        }
      });
    },
  };
}

function quietly(work: () => void): void {
  try {
    work();
  } catch {
    // a history that cannot be kept is no reason to disturb anybody
  }
}
