/** One process of an extension: its lines both ways, from its start to its end. */
import type { OpenProcess, OpenProcessSpec } from "../core/host.ts";
import { type JsonObject, maxJsonLevels } from "../core/json.ts";
import { delay } from "../lib/delay.ts";
import { lineSplitter, type SplitLine } from "../lib/jsonl.ts";
import { yieldToEvents } from "../lib/yield_to_events.ts";
import { checkLine } from "./check_line.ts";
import { ExtensionFailure } from "./failure.ts";
import {
  type OpenRequests,
  openRequests,
  type RequestKind,
  type RequestOptions,
} from "./open_requests.ts";
import { lineWriter } from "./line_writer.ts";
import { isStateAlone, type ReadLine, readLine } from "./read_line.ts";
import { endOf } from "./recent_ends.ts";
import { stateLines } from "./state_lines.ts";
import type {
  Effects,
  HostRequest,
  Registration,
  Response,
  ShutdownReason,
  ToExtension,
} from "./protocol.ts";

/** What goes with a request beside its id. */
export type RequestBody = {
  [Kind in RequestKind]: Omit<Extract<ToExtension, { type: Kind }>, "id">;
}[RequestKind];

export interface Connection {
  readonly registered: Promise<Registration>;
  /** How it ended, as the end of a sentence: `exited with status 3`. */
  readonly over: Promise<string>;
  readonly errorText: string;
  /** Rejects with an `ExtensionFailure`, or the reason of the signal. */
  request(body: RequestBody, options: RequestOptions): Promise<Response>;
  /** Writes a line that nobody answers. */
  tell(line: ToExtension): void;
  /** Says goodbye, and ends it with all that it has started; may be called twice. */
  close(reason: ShutdownReason): Promise<void>;
}

export interface ConnectionEvents {
  /** What an update says. */
  effects(effects: Effects): void;
  hostRequest(request: HostRequest): Promise<JsonObject>;
  /** Something a person should know; each kind once a process. */
  warn(sentence: string): void;
}

/** Longer lines are dropped while they are read. */
const maxLineBytes = 16 * 1024 * 1024;
const lastWriteMs = 200;
/** From the end of its output to its own, where it ends by itself. */
const muteMs = 200;
/** Longest stretch of work on its output before other events get their turn. */
const sliceMs = 20;
const keptErrorBytes = 16 * 1024;

/** Starts the process. Throws `ProcessStartError`, or the reason of a signal that has aborted. */
export function connect(
  open: (spec: Pick<OpenProcessSpec, "onOutput" | "maxErrorBytes">) => OpenProcess,
  events: ConnectionEvents,
  now: () => number,
): Connection {
  const splitter = lineSplitter(maxLineBytes), lines = stateLines(takeLine);
  const registered = Promise.withResolvers<Registration>();
  registered.promise.catch(() => {});
  const over = Promise.withResolvers<string>();
  const warned = new Set<string>();
  let isOver = false, isClosing = false, isMute = false, hasRegistered = false;
  let yieldedMs = now();

  const warnOnce = (kind: string, sentence: string) => {
    if (warned.has(kind)) return;
    warned.add(kind);
    events.warn(sentence);
  };

  const requests: OpenRequests = openRequests((id) => tell({ type: "cancel", id }), now);
  const child = open({
    maxErrorBytes: keptErrorBytes,
    onOutput(bytes) {
      splitter.push(bytes).forEach(lines.push);
      lines.flush();
      // one that never stops must not keep all else waiting
      if (now() - yieldedMs < sliceMs) return undefined;
      return yieldToEvents().then(() => void (yieldedMs = now()));
    },
  });
  void child.exited.then((exit) => {
    const rest = splitter.end();
    if (rest !== undefined) takeLine(rest);
    isOver = true;
    const how = isMute ? "closed its standard output" : endOf(exit);
    registered.reject(new ExtensionFailure("gone", `${how} before it registered`));
    requests.failAll(new ExtensionFailure("gone", how, child.errorText));
    over.resolve(how);
  });

  // one that can say nothing more would be waited for in vain
  void child.outputEnded.then(() => delay(muteMs)).then(() => {
    if (isOver || isClosing) return;
    isMute = true;
    void child.end();
  });

  const writer = lineWriter(child.write);
  const write = (line: ToExtension) => !isOver && writer.write(line);
  const tell = (line: ToExtension) => void write(line);

  /** True for a state alone. */
  function takeLine(line: SplitLine): boolean {
    const read = isClosing ? undefined : readLine(line);
    if (read?.kind === "object" && isStateAlone(read.value)) {
      events.effects(read.value);
      return true;
    }
    if (read !== undefined) takeRead(read);
    return false;
  }

  function takeRead(read: ReadLine): void {
    switch (read.kind) {
      case "blank":
        return;
      case "stray":
        return warnOnce("stray", "wrote to standard output what is no JSON object; it is ignored");
      case "object":
        return takeMessage(read.value, read.isDeep);
      case "too long": {
        const sentence = `wrote a line of ${read.bytes} bytes; at most ${maxLineBytes} are read`;
        const failure = new ExtensionFailure("unfit", sentence);
        const isKnown = read.ids.some((id) => requests.answer(id, failure));
        if (!isKnown) warnOnce("long", failure.message);
      }
    }
  }

  function takeMessage(value: JsonObject, isDeep: boolean): void {
    const checked = checkLine(value);
    if (checked === undefined) {
      const { type } = value;
      const found = typeof type === "string" ? JSON.stringify(type.slice(0, 40)) : "none";
      return warnOnce("type", `wrote a line of an unknown type, ${found}; it is ignored`);
    }
    if (isDeep) {
      return takeFaulty(value, `expected at most ${maxJsonLevels} levels of arrays and objects`);
    }
    if ("problems" in checked) return takeFaulty(value, checked.problems.join("; "));
    const { message } = checked;
    switch (message.type) {
      case "register":
        if (hasRegistered) return warnOnce("register", "registered twice; the first one counts");
        hasRegistered = true;
        return registered.resolve(message);
      case "response":
        return void requests.answer(message.id, message);
      case "tool_update":
        return requests.update(message.id, message.content);
      case "update":
        return events.effects(message);
      case "ui_request":
        return tell({ type: "ui_response", id: message.id, cancelled: true });
      case "host_request":
        return void answerHost(message);
    }
  }

  /** A line of a known type that does not fit. */
  function takeFaulty(value: JsonObject, problem: string): void {
    const { type, id } = value;
    switch (type) {
      case "register":
        if (!hasRegistered) {
          registered.reject(
            new ExtensionFailure("unfit", `registered with what does not fit: ${problem}`),
          );
        }
        return;
      case "response": {
        const sentence = `gave an unfit answer: ${problem}`;
        const meansNo = value.allow === false || "arguments" in value;
        const failure = new ExtensionFailure("unfit", sentence, undefined, meansNo);
        return void (typeof id === "string" && requests.answer(id, failure));
      }
      case "host_request":
      case "ui_request":
        if (typeof id !== "string") break;
        if (type === "ui_request") return tell({ type: "ui_response", id, cancelled: true });
        return tell({ type: "host_response", id, ok: false, error: problem });
    }
    warnOnce(
      `faulty ${type}`,
      `wrote a line that does not fit (${type}: ${problem}); it is ignored`,
    );
  }

  async function answerHost(request: HostRequest): Promise<void> {
    const { id } = request;
    try {
      tell({ type: "host_response", id, ok: true, result: await events.hostRequest(request) });
    } catch (error) {
      const sentence = error instanceof Error ? error.message : String(error);
      tell({ type: "host_response", id, ok: false, error: sentence });
    }
  }

  let closing: Promise<void> | undefined;
  async function closeNow(reason: ShutdownReason): Promise<void> {
    tell({ type: "shutdown", reason });
    isClosing = true;
    requests.failAll(new ExtensionFailure("gone", "was ended"));
    registered.reject(new ExtensionFailure("gone", "was ended"));
    // one that does not read must not be waited for
    await Promise.race([writer.settled(), delay(lastWriteMs)]);
    await child.end();
  }

  return {
    registered: registered.promise,
    over: over.promise,
    get errorText() {
      return child.errorText;
    },
    request(body, options) {
      if (isOver || isClosing) return Promise.reject(new ExtensionFailure("gone", "has ended"));
      return requests.add(body.type, (id) => {
        if (write({ ...body, id } as ToExtension)) return;
        // after the request is in the list
        queueMicrotask(() =>
          requests.answer(id, new ExtensionFailure("gone", "reads nothing any more"))
        );
      }, options);
    },
    tell,
    close: (reason) => closing ??= closeNow(reason),
  };
}
