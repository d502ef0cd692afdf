/** What is on the terminal's current line, so that whoever writes next begins rightly. */
import { withoutColours } from "./style.ts";

export interface Screen {
  readonly columns: number;
  /** A piece of the answer, or of thinking, which may leave its line open. */
  stream(text: string, what: "answer" | "aside"): Promise<void>;
  /** Whole lines, begun on a line of their own. */
  line(text: string): Promise<void>;
  /** A line that stays open for `goOn` with the same key. */
  begin(text: string, key: string): Promise<void>;
  /** Ends the line that `begin` left open; false where something came in between. */
  goOn(text: string, key: string): Promise<boolean>;
  /** Ends a line that was left open. */
  endLine(): Promise<void>;
}

export interface ScreenOptions {
  readonly columns: () => number;
  /** The answer goes here; all else to `writeAside`. They may be the same. */
  readonly writeAnswer: (text: string) => Promise<void>;
  readonly writeAside: (text: string) => Promise<void>;
}

export function createScreen({ columns, writeAnswer, writeAside }: ScreenOptions): Screen {
  let open: { what: "answer" | "aside"; key?: string } | undefined;

  const write = (text: string, what: "answer" | "aside") =>
    what === "answer" ? writeAnswer(text) : writeAside(text);

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
    async stream(text, what) {
      if (text === "") return;
      if (open !== undefined && (open.what !== what || open.key !== undefined)) await endLine();
      // set before the wait: what comes meanwhile has to know
      open = withoutColours(text).endsWith("\n") ? undefined : { what };
      await write(text, what);
    },
    async line(text) {
      await endLine();
      await writeAside(`${text}\n`);
    },
    async begin(text, key) {
      await endLine();
      open = { what: "aside", key };
      await writeAside(text);
    },
    async goOn(text, key) {
      if (open?.key !== key) return false;
      open = undefined;
      await writeAside(`${text}\n`);
      return true;
    },
    endLine,
  };
}
