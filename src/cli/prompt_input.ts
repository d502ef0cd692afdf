/** Makes the prompt from piped stdin and the words of the command line. */
import { messageOf, RunFailure } from "../core/failure.ts";
import type { PromptInput } from "../core/conversation.ts";
import type { Host } from "../core/host.ts";
import { decodeUtf8 } from "../lib/decode_utf8.ts";
import { joinBytes } from "../lib/join_bytes.ts";
import { unlessAborted } from "../lib/unless_aborted.ts";
import { wellFormed } from "../lib/well_formed.ts";
import { bringsText, noPrompt } from "./front_choice.ts";
import type { Options } from "./command_line.ts";

const noticeAfterMs = 2000;
const maxStdinBytes = 32 * 1024 * 1024;

/**
 * Stdin's text and the prompt words; either may be missing. Rejects with the signal's reason when it aborts; throws
 * `RunFailure("usage")` where there is no prompt at all or stdin cannot be used.
 */
export async function readPrompt(
  options: Options,
  host: Host,
  signal: AbortSignal,
  maxBytes = maxStdinBytes,
): Promise<PromptInput> {
  const words = wellFormed(options.words.join(" "));
  const piped = bringsText(options, host.terminal.stdinKind)
    ? await readText(host, signal, maxBytes)
    : "";
  const text = words.trim() === "" ? "" : words;
  if (piped.trim() !== "") return { text, piped };
  if (text === "") throw noPrompt();
  return { text };
}

/**
 * All of stdin as text: bytes that are not UTF-8 replaced (stderr says so), no byte order mark, no
 * line ends at its end. While it stays open one line on stderr says what is waited for.
 */
export async function readText(
  host: Host,
  signal: AbortSignal,
  maxBytes = maxStdinBytes,
): Promise<string> {
  const { text, replaced } = decodeUtf8(await readBytes(host, signal, maxBytes));
  if (replaced) {
    await host.terminal.writeErr("nimlet: stdin is not all UTF-8; the other bytes were replaced\n");
  }
  let end = text.length;
  while (end > 0 && (text[end - 1] === "\n" || text[end - 1] === "\r")) end--;
  return text.slice(0, end);
}

async function readBytes(host: Host, signal: AbortSignal, maxBytes: number): Promise<Uint8Array> {
  const reading = new AbortController();
  const both = AbortSignal.any([signal, reading.signal]);
  const notice = sayWhatIsWaitedFor(host, both);
  const chunks: Uint8Array[] = [];
  let total = 0;
  try {
    for await (const chunk of untilAborted(host.terminal.readIn(both), signal)) {
      total += chunk.length;
      if (total > maxBytes) {
        throw new RunFailure(
          "usage",
          `stdin: expected at most ${maxBytes} bytes of text, found more; ` +
            "name a file instead, or use --no-stdin",
        );
      }
      chunks.push(chunk);
    }
    signal.throwIfAborted();
  } catch (error) {
    if (error instanceof RunFailure) throw error;
    signal.throwIfAborted();
    throw new RunFailure(
      "usage",
      `stdin cannot be read (${messageOf(error)}); use --no-stdin to leave it alone`,
      { cause: error },
    );
  } finally {
    reading.abort();
    await notice;
  }
  return joinBytes(chunks);
}

async function sayWhatIsWaitedFor(host: Host, signal: AbortSignal): Promise<void> {
  try {
    await host.clock.delay(noticeAfterMs, signal);
  } catch {
    return; // stdin ended, or the run did
  }
  if (signal.aborted) return;
  await host.terminal.writeErr(
    "nimlet: waiting for stdin to end; use --no-stdin where it is not meant for the prompt\n",
  );
}

/** The pieces of `source`; a wait for the next one ends with the signal, whatever `source` does. */
async function* untilAborted(
  source: AsyncIterable<Uint8Array>,
  signal: AbortSignal,
): AsyncGenerator<Uint8Array> {
  signal.throwIfAborted();
  const iterator = source[Symbol.asyncIterator]();
  while (true) {
    const next = await unlessAborted(iterator.next(), signal);
    if (next.done === true) return;
    yield next.value;
  }
}
