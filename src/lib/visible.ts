/** Foreign text on a person's terminal: readable, and without power over the screen. */
import { withoutEnd } from "./trim.ts";
import { visibleText } from "./visible_text.ts";

/**
 * `text` without anything that a terminal would obey: colours and cursor moves are left out, other
 * control characters are shown as symbols, zero-width and bidirectional ones as escapes. CR LF is
 * one line break, a CR that would overwrite a line is a line break too; tabs stay.
 */
export function visible(text: string): string {
  return show(withoutEnd(text, "\r"));
}

/**
 * `visible` for text that comes in pieces: what a piece leaves open (a CR, half an escape sequence)
 * is decided with the next one.
 */
export function visibleStream(): (piece: string) => string {
  let held = "";
  return (piece) => {
    const text = held + piece;
    const whole = withoutEnd(text, "\r");
    if (whole.length < text.length) {
      // however many there are, together they are one line break
      held = "\r";
      return show(whole);
    }
    held = unfinished.exec(text.slice(-longestSequence))?.[0] ?? "";
    return show(held === "" ? text : text.slice(0, -held.length));
  };
}

/** `text` with every character shown that the eye would miss; only line feeds are obeyed. */
export function visibleExact(text: string): string {
  return visibleText(text, { keepLineBreaks: true });
}

const controlSequence = String.raw`\x1b\[[0-?]{0,64}[ -/]{0,4}[@-~]`;
const unfinished = new RegExp(String.raw`\x1b(?:\[[0-?]{0,64}[ -/]{0,4})?$`);
const longestSequence = 72;

// Controls but tab and line feed, line and paragraph separators, and what has no shape of its own.
// Made when asked for: it takes longer than most of a start.
const powerful = () =>
  new RegExp(
    String.raw`${controlSequence}|\r+\n?|(?![\t\n])[\p{Cc}\u2028\u2029]|` +
      String.raw`[\p{Cf}\p{Default_Ignorable_Code_Point}]`,
    "gu",
  );

function show(text: string): string {
  // the common case is seen at one look
  if (/^[\n\t -~]*$/.test(text)) return text;
  const wellFormed = text.toWellFormed();
  return wellFormed.replace(powerful(), (found, at: number) => {
    if (found.startsWith("\r")) return "\n";
    if (found.length > 1 && found.startsWith("\x1b")) return "";
    if (joins(found, wellFormed, at)) return found;
    const code = found.codePointAt(0)!;
    if (code < 0x20) return String.fromCodePoint(0x2400 + code);
    if (code === 0x7f) return "\u2421";
    return visibleText(found);
  });
}

/** Emoji and several scripts are written with joiners and selectors: there they are no disguise. */
function joins(character: string, text: string, at: number): boolean {
  const before = text.slice(Math.max(0, at - 2), at), after = text.slice(at + 1, at + 3);
  switch (character) {
    case "\ufe0e":
    case "\ufe0f":
      return pictureEnd().test(before) || /[\d#*]$/.test(before);
    case "\u200c":
    case "\u200d":
      return (pictureEnd().test(before) && /^\p{Extended_Pictographic}/u.test(after)) ||
        (joinedEnd.test(before) && /^[\u0600-\u0fff]/.test(after));
    default:
      return false;
  }
}

const pictureEnd = () => /(?:\p{Extended_Pictographic}|\p{Emoji_Modifier}|\ufe0f)$/u;
/** Arabic and the scripts of India, where joiners choose the shape of letters. */
const joinedEnd = /[\u0600-\u0fff]$/;
