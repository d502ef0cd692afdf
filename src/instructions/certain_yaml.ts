/** The small part of YAML that reads as it looks, so that no parser is needed for it. */
import { parseJson } from "../core/json.ts";

// Plain letters are looked for first: an expression for all that there are takes 4 ms to make.

/**
 * Whether YAML is known to read an entry of front matter as `readLoosely` does, or to refuse the
 * whole block because of it. `value` is what follows the colon, `more` the lines that belong to it;
 * neither holds tabs. Of keys other than `name` and `description` only the extent matters.
 */
export function isCertain(key: string, value: string, more: readonly string[]): boolean {
  const text = value.trim();
  if (text !== "" && !value.startsWith(" ")) return false;
  const wanted = key === "name" || key === "description";
  if (more.length > 0) {
    if (/^ [>|]-?$/.test(value)) return isEvenBlock(more);
    if (text === "") return !wanted && more.every((line) => nestedLine.test(line));
    return isSimple(text) && more.every((line) => /^ +\S/.test(line) && isSimple(line.trim()));
  }
  if (text === "") return true;
  if (/^"(?:[^"\\]|\\["\\])*"$/.test(text) || /^'(?:[^']|'')*'$/.test(text)) return true;
  if (!wanted && /^[[{]/.test(text)) return parseJson(text) !== undefined;
  return (/^[A-Za-z0-9(/_]/.test(text) || /^[\p{L}\p{N}\p{So}]/u.test(text)) &&
    !text.endsWith(":") && !/^null$/i.test(text);
}

/** All lines equally far in, none of them deeper; empty ones between. */
function isEvenBlock(lines: readonly string[]): boolean {
  const indent = /^ +/.exec(lines[0]!)?.[0];
  return indent !== undefined &&
    lines.every((line) =>
      line === "" || (line.startsWith(indent) && /^\S(.*\S)?$/.test(line.slice(indent.length)))
    );
}

/** A line of a sentence that goes over several: nothing in it can mean anything else. */
function isSimple(text: string): boolean {
  return (/^[A-Za-z0-9(]/.test(text) || /^[\p{L}\p{N}]/u.test(text)) &&
    !/:(\s|$)|\s#/.test(text) && !/^null$/i.test(text);
}

/** List items and keys with plain or quoted values: they cannot reach beyond their own line. */
const nestedLine = /^ +(?:- +)*(?:[\w-]+:(?: |$))?(?:[A-Za-z0-9][^"'[\]{}|>&*#:]*|"[^"\\]*")?$/;
