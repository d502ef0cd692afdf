/** The two streams that the line editor gives to readline: keys in, and what is shown out. */
import { Buffer } from "node:buffer";
import { EventEmitter } from "node:events";
import type { Terminal } from "../../core/host.ts";

/** A stream whose keys have had their effect when `type` returns. */
export function inputStream() {
  const stream = new EventEmitter();
  return Object.assign(stream, {
    isTTY: true,
    resume: () => stream,
    pause: () => stream,
    setRawMode: () => stream,
    type: (keys: string) => void stream.emit("data", Buffer.from(keys)),
  });
}

export function outputStream(terminal: Pick<Terminal, "writeOut" | "columns">) {
  const stream = new EventEmitter();
  return Object.assign(
    Object.defineProperty(stream, "columns", { get: () => terminal.columns }),
    {
      isTTY: true,
      write(text: string | Uint8Array, ...more: unknown[]) {
        const written = typeof text === "string" ? text : new TextDecoder().decode(text);
        const done = more.findLast((value) => typeof value === "function") as
          | (() => void)
          | undefined;
        // a terminal that is gone ends the reading, which is noticed there
        terminal.writeOut(written).catch(() => {}).then(() => done?.());
        return true;
      },
    },
  );
}
