/** What is on the terminal's current line, so that whoever writes next begins rightly. */
import { textWidth } from "../../lib/text_width.ts";
import { plainMarks } from "./marks.ts";
import { withoutColours } from "./style.ts";

type What = "answer" | "aside";

export interface Screen {
  readonly columns: number;
  /** How wide the line is that text of this kind would go on with; 0 where it would begin one. */
  openWidth(what: What): number;
  /** A piece of the answer, or of thinking, which may leave its line open. */
  stream(text: string, what: What): Promise<void>;
  /** Whole lines, begun on a line of their own. */
  line(text: string): Promise<void>;
  /** A line that stays open for `goOn` with the same key. */
  begin(text: string, key: string): Promise<void>;
  /** Ends the line that `begin` left open; false where something came in between. */
  goOn(text: string, key: string): Promise<boolean>;
  /** Ends a line that was left open. */
  endLine(): Promise<void>;
  /**
   * Shows a line below all that is there, until something is written; undefined takes it away. Does
   * nothing where the cursor cannot be moved.
   */
  status(text: string | undefined): Promise<void>;
}

export interface ScreenOptions {
  readonly columns: () => number;
  /** Absent: there is room for a status below an open line. */
  readonly rows?: () => number;
  /** The answer goes here; all else to `writeAside`. They may be the same. */
  readonly writeAnswer: (text: string) => Promise<void>;
  readonly writeAside: (text: string) => Promise<void>;
  /** Asides show no marks beyond ASCII. */
  readonly plain?: boolean;
  /** Both go to one terminal, whose cursor can be moved. */
  readonly movesCursor?: boolean;
}

/** Takes the status away; the cursor stands where the next text goes. */
const erasures = {
  /** On the cursor's own line. What a smaller window has broken off it goes, too; from the top of the screen
   * that would count as clearing it, which some terminals keep a copy of. */
  here: "\x1b[K\x1b7\x1b[B\x1b[J\x1b8",
  /** On the line below an open one. */
  below: "\x1b[J",
};
/** Without line breaks at the edge: a text that is wider than was thought loses its end. */
const unwrapped = (text: string) => `\x1b[?7l${text}\x1b[?7h`;
/** Makes room for a line below, and keeps the place: down and up again, save, below, restore. */
const below = (text: string) => `\x1bD\x1b[A\x1b7\x1b[B\r${unwrapped(text)}\x1b8`;

export function createScreen(options: ScreenOptions): Screen {
  const { columns, rows = () => 2, movesCursor = false } = options;
  let open: { what: What; key?: string; width: number } | undefined;
  let statusShown: keyof typeof erasures | undefined;
  let last: Promise<void> = Promise.resolve();

  /** Answer and asides may be two streams: one waits for the other. */
  function write(text: string, what: What): Promise<void> {
    const shown = options.plain && what === "aside" ? plainMarks(text) : text;
    const whole = statusShown === undefined ? shown : erasures[statusShown] + shown;
    statusShown = undefined;
    const to = what === "answer" ? options.writeAnswer : options.writeAside;
    const written = last.then(() => to(whole));
    last = written.catch(() => {});
    return written;
  }

  async function endLine(): Promise<void> {
    if (open === undefined) return;
    const { what } = open;
    open = undefined;
    await write("\n", what);
  }

  return {
    get columns() {
      return columns();
    },
    openWidth: (what) => open?.what === what && open.key === undefined ? open.width : 0,
    async stream(text, what) {
      if (text === "") return;
      if (open !== undefined && (open.what !== what || open.key !== undefined)) await endLine();
      // set before the wait: what comes meanwhile has to know
      const plain = withoutColours(text);
      const start = plain.lastIndexOf("\n") + 1;
      const before = start === 0 ? open?.width ?? 0 : 0;
      open = start === plain.length
        ? undefined
        : { what, width: before + textWidth(plain.slice(start)) };
      await write(text, what);
    },
    async line(text) {
      await endLine();
      await write(`${text}\n`, "aside");
    },
    async begin(text, key) {
      await endLine();
      open = { what: "aside", key, width: textWidth(withoutColours(text)) };
      await write(text, "aside");
    },
    async goOn(text, key) {
      if (open?.key !== key) return false;
      open = undefined;
      await write(`${text}\n`, "aside");
      return true;
    },
    endLine,
    async status(text) {
      if (!movesCursor || (text === undefined && statusShown === undefined)) return;
      // at the edge the cursor waits for the next character, which no movement survives
      const atEdge = open !== undefined && open.width > 0 && open.width % columns() === 0;
      const hasNoRoom = open !== undefined && rows() < 2;
      const shown = text === undefined || atEdge || hasNoRoom
        ? ""
        : open === undefined
        ? `${unwrapped(text)}\r`
        : below(text);
      if (shown === "" && statusShown === undefined) return;
      const written = write(shown, "aside");
      if (shown !== "") statusShown = open === undefined ? "here" : "below";
      await written;
    },
  };
}
