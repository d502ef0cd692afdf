/** What the first and last bytes of a message that was dropped say of it. */

export type CutMessage =
  /** A request or a notification. */
  | { readonly kind: "asks" }
  /** An answer; `id` is that of the request, if it can be seen. */
  | { readonly kind: "answers"; readonly id: number | undefined };

/** What of a message stands in its first bytes, outside of what lies within it. */
const ownKey = /^\s*"(method|id)"\s*:\s*"?(\d*)/;
/** The last members of an answer whose result came first. */
const lastId = /"id"\s*:\s*"?(\d+)"?\s*(?:,\s*"jsonrpc"\s*:\s*"2\.0"\s*)?\}\s*\]?\s*$/;

/** Undefined where it is no JSON object. */
export function readCutMessage(start: string, end: string): CutMessage | undefined {
  if (!/^\ufeff?\s*\[?\s*\{/.test(start)) return undefined;
  for (const at of ownKeys(start)) {
    const [, key, digits] = ownKey.exec(start.slice(at)) ?? [];
    if (key === "method") return { kind: "asks" };
    if (key === "id" && digits !== "") return { kind: "answers", id: Number(digits) };
  }
  const [, digits] = lastId.exec(end) ?? [];
  return { kind: "answers", id: digits === undefined ? undefined : Number(digits) };
}

/** Where the keys of the outermost object begin. */
function ownKeys(text: string): number[] {
  const found: number[] = [];
  let depth = 0, inText = false;
  const outermost = /^\ufeff?\s*\[/.test(text) ? 2 : 1;
  for (let at = 0; at < text.length; at++) {
    const character = text[at]!;
    if (inText) {
      if (character === "\\") at++;
      else if (character === '"') inText = false;
    } else if (character === '"') inText = true;
    else if (character === "{" || character === "[") depth++;
    else if (character === "}" || character === "]") depth--;
    if (depth === outermost && !inText && /[{,]/.test(character)) found.push(at + 1);
  }
  return found;
}
