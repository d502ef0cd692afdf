/** Reads the arguments that a model wrote, also where their JSON has a slip that has one meaning. */
import { isDeeper, type Json, maxJsonLevels, parseJson } from "../core/json.ts";

export type ReadArguments =
  /** `notes`: what was read another way than it was written. */
  | { readonly input: Json; readonly notes: readonly string[] }
  | { readonly invalidText: string };

/**
 * The value of a call's argument text. No text, white space and `null` mean no arguments; what kind of
 * value it is is judged by the dispatcher. A text that was cut off is never completed.
 */
export function readArguments(text: string): ReadArguments {
  if (text.trim() === "") return { input: {}, notes: [] };
  const whole = text.toWellFormed();
  const exact = parseJson(whole);
  if (exact !== undefined) return judge(exact, whole, []);
  const mended = mend(whole);
  const value = mended.notes.length > 0 ? parseJson(mended.text) : undefined;
  return value === undefined ? { invalidText: whole } : judge(value, whole, mended.notes);
}

function judge(value: Json, text: string, notes: readonly string[]): ReadArguments {
  // whoever keeps, sends or reads it later would run out of stack
  if (isDeeper(value, maxJsonLevels)) return { invalidText: text };
  return { input: value === null ? {} : value, notes };
}

/** `text` with the slips taken back, and what they were. */
function mend(text: string): { text: string; notes: string[] } {
  const notes: string[] = [];
  const inside = withoutFence(text);
  if (inside !== text) notes.push("the fence around the JSON was taken off");
  const pieces: string[] = [];
  let from = 0, inText = false, controls = 0, commas = 0;
  for (let at = 0; at < inside.length; at++) {
    const char = inside[at]!;
    if (inText) {
      if (char === "\\") at++;
      else if (char === '"') inText = false;
      else if (char < " ") {
        pieces.push(inside.slice(from, at), escaped(char));
        from = at + 1;
        controls++;
      }
    } else if (char === '"') inText = true;
    else if (char === "," && endsValue(inside, at) && endsListAfter(inside, at)) {
      pieces.push(inside.slice(from, at));
      from = at + 1;
      commas++;
    }
  }
  pieces.push(inside.slice(from));
  if (controls > 0) notes.push("line ends and tabs that stood raw in strings were kept");
  if (commas > 0) notes.push("a comma before a closing bracket was ignored");
  return { text: pieces.join(""), notes };
}

/** The text between the marks of a Markdown code block; also where the closing mark is missing. */
function withoutFence(text: string): string {
  const fence = /^\s*(`{3,}|~{3,})[ \t]*[\w-]*[ \t]*\r?\n?(?=\s*[{[])/.exec(text);
  if (!fence) return text;
  const rest = text.slice(fence[0].length).trimEnd();
  return rest.endsWith(fence[1]!) ? rest.slice(0, -fence[1]!.length) : rest;
}

function escaped(char: string): string {
  return JSON.stringify(char).slice(1, -1);
}

/** True where a value lies before the comma. */
function endsValue(text: string, comma: number): boolean {
  let at = comma - 1;
  while (at >= 0 && " \t\r\n".includes(text[at]!)) at--;
  return at >= 0 && !"{[,:".includes(text[at]!);
}

/** True where nothing but white space lies between the comma and a closing bracket. */
function endsListAfter(text: string, comma: number): boolean {
  let at = comma + 1;
  while (at < text.length && " \t\r\n".includes(text[at]!)) at++;
  return text[at] === "}" || text[at] === "]";
}
