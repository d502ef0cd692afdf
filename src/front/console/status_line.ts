/** The line at the bottom while something is waited for: what, how long, what to do. */
import type { AgentEvent } from "../../core/event.ts";
import type { Clock } from "../../core/host.ts";
import { shortenToWidth, textWidth } from "../../lib/text_width.ts";
import { visible } from "../../lib/visible.ts";
import { duration } from "./duration.ts";
import type { Screen } from "./screen.ts";
import { grouped } from "./stats_lines.ts";
import type { Style } from "./style.ts";
import { type WaitedFor, waitingFor } from "./waiting.ts";

export interface StatusLine {
  /** Takes note of an event of a run. */
  event(event: AgentEvent): void;
  /** So many characters of a call have come, while the model writes it. */
  writes(chars: number): void;
  /** Shows `what` while `work` runs, which sends no events. */
  during<T>(what: string, work: () => Promise<T>): Promise<T>;
  /** Hides the line while `ask` waits for an answer. */
  whileAsking<T>(ask: () => Promise<T>): Promise<T>;
  /** What is being typed meanwhile, which takes the place of what to do. */
  typed(text: string): void;
  /** Takes the line away, until something is waited for anew or `ms` are over. */
  hide(): Promise<void>;
  close(): Promise<void>;
}

/** What comes faster needs no line; the output of a call leaves it, as its clock is of use. */
const quietMs = 300, quietCallMs = 60;
const hint = "Ctrl-C stops", shortHint = "^C stops";

/** Where no line can be shown: does the work, and nothing else. */
export const noStatusLine: StatusLine = {
  event() {},
  writes() {},
  during: (_what, work) => work(),
  whileAsking: (ask) => ask(),
  typed() {},
  hide: () => Promise.resolve(),
  close: () => Promise.resolve(),
};

export function createStatusLine(
  screen: Screen,
  style: Pick<Style, "dim">,
  clock: Pick<Clock, "monotonic">,
): StatusLine {
  const waiting = waitingFor();
  let own: WaitedFor | undefined;
  let typedText = "", asking = 0, lastMs = 0;
  let timer: ReturnType<typeof setTimeout> | undefined, dueMs = 0;

  function show(text: string | undefined): Promise<void> {
    // a terminal that is gone is noticed by whoever writes what matters
    return screen.status(text === undefined ? undefined : style.dim(text)).catch(() => {});
  }

  /** Shows the line where it is time, and looks again. */
  function look(): void {
    clearTimeout(timer);
    timer = undefined;
    const waited = own ?? waiting.now();
    if (waited === undefined || asking > 0) return void show(undefined);
    const nowMs = clock.monotonic();
    const quiet = waiting.calls > 0 && nowMs - waited.sinceMs > quietMs ? quietCallMs : quietMs;
    const restMs = lastMs + quiet - nowMs;
    if (restMs > 0 && typedText === "") return lookIn(restMs);
    void show(statusText(waited, nowMs, typedText, screen.columns - 1));
    lookIn(1000 - (nowMs - waited.sinceMs) % 1000);
  }

  function lookIn(ms: number): void {
    const atMs = clock.monotonic() + ms;
    if (timer !== undefined && dueMs <= atMs) return;
    clearTimeout(timer);
    dueMs = atMs;
    timer = setTimeout(look, Math.ceil(ms));
  }

  /** Something was written, or is about to be. */
  function lookSoon(): void {
    lastMs = clock.monotonic();
    if (typedText !== "") return look();
    lookIn(waiting.calls > 0 ? quietCallMs : quietMs);
  }

  return {
    event(event) {
      waiting.event(event, clock.monotonic());
      if (event.type !== "run_end") return lookSoon();
      typedText = "";
      clearTimeout(timer); // nothing is to hold up the end of the program
      timer = undefined;
    },
    writes(chars) {
      waiting.writes(chars, clock.monotonic());
      // nothing of it is written: the line may be there at once
      lookIn(quietMs);
    },
    async during(what, work) {
      own = { what, sinceMs: clock.monotonic() };
      lookSoon();
      try {
        return await work();
      } finally {
        own = undefined;
        typedText = "";
        look();
      }
    },
    async whileAsking(ask) {
      asking++;
      await show(undefined);
      try {
        return await ask();
      } finally {
        asking--;
        waiting.restart(clock.monotonic());
        lookSoon();
      }
    },
    typed(text) {
      if (text === typedText) return;
      typedText = text;
      look();
    },
    hide: () => show(undefined),
    async close() {
      clearTimeout(timer);
      await show(undefined);
    },
  };
}

/** At most `columns` wide; what is least of use goes first. */
export function statusText(
  { what, sinceMs, tokens }: WaitedFor,
  nowMs: number,
  typed: string,
  columns: number,
): string {
  const time = duration(nowMs - sinceMs);
  if (typed !== "") {
    const text = visible(typed.slice(-maxTypedChars).toWellFormed()).replaceAll("\n", "⏎");
    const head = `${shortenToWidth(what, Math.max(0, Math.floor(columns / 3)))} · ${time} > `;
    const shown = textWidth(head) > columns / 2 ? "> " : head;
    return shown + endOfWidth(text, columns - textWidth(shown));
  }
  const count = tokens === undefined ? [] : [`${grouped(tokens)} tokens`];
  const tails = [[time, ...count, hint], [time, hint], [time, shortHint], [time]];
  for (const [index, parts] of tails.entries()) {
    const tail = ` · ${parts.join(" · ")}`;
    const room = columns - textWidth(tail);
    const fits = textWidth(what) <= room || (index > 0 && room >= leastSubject);
    if (fits) return shortenToWidth(what, room) + tail;
  }
  return shortenToWidth(`${shortenToWidth(what, columns - time.length - 3)} · ${time}`, columns);
}

const leastSubject = 24;
/** More than any screen has columns. */
const maxTypedChars = 2000;

/** The end of a text, as a person looks at what is being typed there. */
function endOfWidth(text: string, columns: number): string {
  if (textWidth(text) <= columns) return text;
  const characters = [...text];
  let width = 1, at = characters.length;
  while (at > 0 && width + textWidth(characters[at - 1]!) <= columns) {
    width += textWidth(characters[--at]!);
  }
  return `…${characters.slice(at).join("")}`;
}
