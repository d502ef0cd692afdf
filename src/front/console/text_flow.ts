/** Text that streams: words are broken into lines at blanks, Markdown gets some colour. */
import { isWide, textWidth } from "../../lib/text_width.ts";
import { inlineMarks } from "./inline_marks.ts";
import { type Fence, hangingIndent, type LineKind, lineKind } from "./line_kind.ts";
import type { Style } from "./style.ts";

export interface TextFlow {
  /** What is to be written for the next piece; a word comes with the blank after it. */
  push(piece: string): string;
  /** What is left. A new text may follow. */
  end(): string;
}

export interface FlowOptions {
  readonly style: Pick<Style, "bold" | "dim" | "cyan">;
  readonly columns: () => number;
  /** How wide the line is that the text goes on with; 0 at the start of one. */
  readonly width: () => number;
}

/** A word that grows beyond this is written as it comes. */
const maxWordChars = 4096;
/** Code within a line may hold blanks; what is longer, and not closed, is none. */
const maxCodeChars = 200;

export function textFlow({ style, columns, width }: FlowOptions): TextFlow {
  const marks = inlineMarks(style);
  let held = "", out = "", column = 0;
  let kind: LineKind | undefined, fence: Fence | undefined, inTable = false;
  let indent = 0, blanks = "";
  /** Something came in between where the line has words and yet begins. */
  let hasWords = false;

  function newLine(): void {
    out += "\n";
    column = 0;
    blanks = "";
    kind = undefined;
    hasWords = false;
  }

  /** Begins a line where its kind can be told. */
  function begin(last: boolean): boolean {
    const end = held.indexOf("\n");
    const whole = end >= 0 || last;
    kind = lineKind(end < 0 ? held : held.slice(0, end), whole, { fence, inTable });
    if (kind === undefined) return false;
    if (kind.kind === "fence") fence = kind.opens;
    inTable = kind.kind === "raw" && kind.inTable === true;
    if (kind.kind === "words") {
      const { start, heading } = kind;
      marks.newLine(heading);
      out += start;
      column += textWidth(start);
      indent = hangingIndent(start, columns());
      held = held.slice(start.length);
    }
    return true;
  }

  /** Writes what came of a line that stays as it is. */
  function passOn(): void {
    const end = held.indexOf("\n");
    const text = end < 0 ? held : held.slice(0, end);
    if (text !== "") out += kind!.kind === "fence" ? style.dim(text) : text;
    held = held.slice(text.length);
    column += textWidth(text);
  }

  function write(word: string): void {
    const long = textWidth(word);
    const most = Math.max(1, columns() - 1);
    if (column + blanks.length + long > most && column > indent) {
      out += `\n${" ".repeat(indent)}`;
      column = indent;
    } else if (column > 0 || !hasWords) {
      out += blanks;
      column += blanks.length;
    }
    hasWords = true;
    blanks = "";
    out += marks.word(word);
    column = (column + long) % columns();
  }

  /** Writes the next word; false where it may go on. */
  function takeWord(last: boolean): boolean {
    const [gap] = /^[ \t]*/.exec(held)!;
    if (gap !== "") {
      blanks += " ".repeat(gap.length);
      held = held.slice(gap.length);
    }
    if (held === "" || held.startsWith("\n")) return held !== "";
    const end = wordEnd(held, last || held.length > maxWordChars);
    if (end === undefined) return false;
    write(held.slice(0, end));
    held = held.slice(end);
    return true;
  }

  function flow(last: boolean): string {
    out = "";
    column = width() % columns();
    while (held !== "") {
      if (kind === undefined && !begin(last)) break;
      if (kind!.kind !== "words") passOn();
      else if (!takeWord(last)) break;
      if (!held.startsWith("\n")) continue;
      held = held.slice(1);
      newLine();
    }
    return out;
  }

  return {
    push(piece) {
      held += piece;
      return flow(false);
    },
    end() {
      const rest = flow(true);
      held = blanks = "";
      kind = fence = undefined;
      inTable = false;
      return rest;
    },
  };
}

/** Where the word at the start of `text` ends; undefined where it may go on and is not the last. */
function wordEnd(text: string, last: boolean): number | undefined {
  let at = 0;
  while (at < text.length) {
    const character = String.fromCodePoint(text.codePointAt(at)!);
    if (/\s/.test(character)) return at;
    if (character === "`") {
      const end = codeEnd(text, at, last);
      if (end === undefined) return undefined;
      at = end;
      continue;
    }
    if (isWide(character)) {
      // lines may break between any of these, but not before what closes
      if (at > 0 && !closing.test(character)) return at;
      const next = text.slice(at + character.length);
      if (next === "" && !last) return undefined;
      if (next !== "" && !closing.test(next) && !/^\p{M}|^[\u200d\ufe0f]/u.test(next)) {
        return at + character.length;
      }
    }
    at += character.length;
  }
  return last ? at : undefined;
}

const closing = /^[、。，．！？：；）」』】〉》”’ー々]/;

/** Where code that begins at `at` ends, or its mark where it is none; undefined: still to come. */
function codeEnd(text: string, at: number, last: boolean): number | undefined {
  const ticks = /^`+/.exec(text.slice(at))![0];
  const after = at + ticks.length;
  if (after === text.length) return last ? after : undefined;
  const lineEnd = text.indexOf("\n", after);
  const line = lineEnd < 0 ? text : text.slice(0, lineEnd);
  for (let found = line.indexOf(ticks, after); found >= 0;) {
    let end = found + ticks.length;
    while (line[end] === "`") end++;
    if (end === text.length && !last) return undefined;
    if (end - found === ticks.length && found > after) return end;
    found = line.indexOf(ticks, end);
  }
  return lineEnd >= 0 || last || text.length - after > maxCodeChars ? after : undefined;
}
