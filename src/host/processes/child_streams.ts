/** A child's pipes: captured and streamed out while it runs, let go when the call ends. */
import type { CapturedOutput, ProcessSpec } from "../../core/host.ts";
import { captureOutput } from "./captured_output.ts";
import { lastFrames } from "./last_frames.ts";

export interface OutputPipe {
  /** Resolves when the pipe has ended or was let go. */
  readonly ended: Promise<void>;
  readonly open: boolean;
  readonly totalBytes: number;
  take(maxBytes: number): CapturedOutput;
  /** Stops reading: what is written later reaches nobody. */
  close(): Promise<void>;
}

/** Reads `stream` to its end; `onBytes` is called after every piece. `folds`: as `foldsFrames` has it. */
export function readOutput(
  stream: ReadableStream<Uint8Array>,
  maxBytes: number,
  folds: boolean,
  onText: ((delta: string) => void) | undefined,
  onBytes: () => void,
): OutputPipe {
  const capture = captureOutput(maxBytes);
  const frames = folds ? lastFrames(capture.add) : undefined;
  const keep = frames?.add ?? capture.add;
  const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
  const reader = stream.getReader({ mode: "byob" });
  let open = true;
  const read = async () => {
    let buffer = new Uint8Array(65536);
    while (open) {
      const { value, done } = await reader.read(buffer);
      if (done || value === undefined || !open) break;
      keep(value);
      if (onText !== undefined) emit(decoder.decode(value, { stream: true }));
      onBytes();
      buffer = new Uint8Array(value.buffer);
    }
    open = false;
    if (onText !== undefined) emit(decoder.decode());
  };
  const emit = (delta: string) => {
    if (delta !== "") onText?.(delta);
  };
  const ended = read().catch(() => {
    // a pipe that breaks has ended
    open = false;
  });
  return {
    ended,
    get open() {
      return open;
    },
    get totalBytes() {
      return capture.totalBytes + (frames?.waiting ?? 0);
    },
    take(most) {
      frames?.flush();
      const overwritten = frames?.overwritten ?? 0;
      return { ...capture.take(most), ...overwritten > 0 && { overwritten } };
    },
    async close() {
      if (!open) return;
      open = false;
      await reader.cancel().catch(() => {});
      await ended;
    },
  };
}

/** Feeds `input` to the child; one that does not want it is no error. */
export async function feedInput(child: Deno.ChildProcess, input: ProcessSpec["input"]) {
  if (input === undefined) return;
  const writer = child.stdin.getWriter();
  try {
    await writer.write(input);
    await writer.close();
  } catch {
    // the child closed its stdin or ended
    await writer.abort().catch(() => {});
  }
}
