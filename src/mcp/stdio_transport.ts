/** A server that is a program: messages are lines on its stdin and stdout. */
import type { OpenProcess, OpenProcessSpec, Processes, ProcessExit } from "../core/host.ts";
import type { ProgramEnd } from "../core/sandbox.ts";
import { delay } from "../lib/delay.ts";
import { lineSplitter, type SplitLine } from "../lib/jsonl.ts";
import { readCutMessage } from "./cut_message.ts";
import { McpFailure } from "./failure.ts";
import { maxMessageBytes, messagesIn } from "./protocol.ts";
import type { Transport, TransportEvents } from "./transport.ts";

/** It is ended by `close`, or with the program: calls are to be cancelled before. */
const never = new AbortController().signal;

export type ServerProgram = Pick<OpenProcessSpec, "file" | "args" | "cwd" | "env">;

/** How long the end of a program comes after that of its stdout. */
const exitMs = 500;
const keptErrorBytes = 16 * 1024;
const keptStrayLines = 20, strayLineChars = 500;
/** A server that does not read may not fill the memory with what waits for it. */
const maxWaitingWrites = 200;

/** Starts it. `hide` is for what it says to people; `ended` gives lines about its end, for people. Throws `ProcessStartError`. */
export function stdioTransport(
  program: ServerProgram,
  processes: Processes,
  hide: (text: string) => string,
  ended: (end: ProgramEnd) => readonly string[] = () => [],
): Transport {
  let events: TransportEvents | undefined;
  const early: ((events: TransportEvents) => void)[] = [];
  const announce = (what: (events: TransportEvents) => void) => {
    if (events === undefined) early.push(what);
    else what(events);
  };
  const strayLines: string[] = [];
  const splitter = lineSplitter(maxMessageBytes);
  const child: OpenProcess = processes.open({
    ...program,
    maxErrorBytes: keptErrorBytes,
    onOutput: (bytes) => splitter.push(bytes).forEach(take),
  }, never);

  function take(line: SplitLine): void {
    if ("tooLong" in line) {
      const [start, end] = line.edges.map((edge) => decoder.decode(edge)) as [string, string];
      const cut = readCutMessage(start, end);
      if (cut === undefined) return keep(start);
      // a message that asks for something is no answer: whoever waits for one goes on waiting
      if (cut.kind === "answers") announce((to) => to.tooLarge(line.tooLong, cut.id));
      return;
    }
    const text = decoder.decode(line.bytes);
    const messages = messagesIn(text);
    if (messages !== undefined) {
      for (const message of messages) announce((to) => to.message(message));
    } else keep(text);
  }

  /** What is no message: a banner, a line of a log. */
  function keep(text: string): void {
    if (text.trim() === "" || strayLines.length >= keptStrayLines) return;
    strayLines.push(text.trim().slice(0, strayLineChars));
  }

  let lastLines: readonly string[] = [];
  void child.exited.then((exit) => {
    lastLines = ended({ exitCode: exit.exitCode, output: child.errorText });
    close(endOf(exit));
  });
  // one that has closed its stdout can answer nothing any more
  void child.outputEnded.then(() => delay(exitMs)).then(() => {
    if (close("closed its stdout")) void child.end();
  });

  let isClosed = false;
  function close(reason: string): boolean {
    if (isClosed) return false;
    isClosed = true;
    const rest = splitter.end();
    if (rest !== undefined) take(rest);
    announce((to) => to.closed(reason));
    return true;
  }

  let waiting = 0, lastWrite: Promise<void> = Promise.resolve();
  return {
    open(given) {
      events = given;
      for (const what of early.splice(0)) what(given);
    },
    async send(message) {
      if (waiting >= maxWaitingWrites) throw new McpFailure("protocol", "reads nothing any more");
      waiting++;
      const bytes = encoder.encode(`${JSON.stringify(message)}\n`);
      // whole lines, one after the other; of a server that is gone `closed` tells
      lastWrite = lastWrite.then(() => child.write(bytes)).catch(() => {});
      await lastWrite;
      waiting--;
    },
    settle() {},
    close: () => child.end(),
    cancelsByClosing: false,
    hide,
    get words() {
      return {
        errors: hide([child.errorText.trimEnd(), ...lastLines].join("\n")),
        strayLines: strayLines.map(hide),
      };
    },
  };
}

const encoder = new TextEncoder(), decoder = new TextDecoder();

function endOf({ exitCode, signal }: ProcessExit): string {
  return signal === undefined ? `exited with status ${exitCode}` : `was ended by ${signal}`;
}
