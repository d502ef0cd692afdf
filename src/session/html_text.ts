/** Text inside HTML: nothing in it can be markup, and a little of it is shown as code. */

/** `text` as the content of an element or of a quoted attribute. */
export function escapeHtml(text: string): string {
  return text.toWellFormed()
    .replace(ansiSequence, "")
    .replace(unprintable, "\ufffd")
    .replace(/[&<>"']/g, (character) => entities[character]!);
}

/** Prose with fenced blocks, inline code and bold set as such; everything else stays as typed. */
export function proseHtml(text: string): string {
  return text.split(fence).map((piece, index) => {
    if (index % 2 === 0) return paragraphs(piece);
    const code = piece.replace(/^[^\n]*\n/, "").replace(/\n$/, "");
    return `<pre>${escapeHtml(code)}</pre>`;
  }).join("");
}

/** Lines of a unified diff in colours; of other text, just the text. */
export function diffHtml(text: string): string {
  const from = text.search(/^@@ /m);
  if (from < 0) return escapeHtml(text);
  const lines = text.slice(from).split("\n").map((line) => {
    const mark = line.startsWith("+") ? "ins" : line.startsWith("-") ? "del" : undefined;
    return mark === undefined ? escapeHtml(line) : `<${mark}>${escapeHtml(line)}</${mark}>`;
  });
  return escapeHtml(text.slice(0, from)) + lines.join("\n");
}

const entities: Record<string, string> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

// deno-lint-ignore no-control-regex -- control characters are what it is for
const ansiSequence = /\x1b(?:\[[0-?]*[ -/]*[@-~]|\][^\x07\x1b]*(?:\x07|\x1b\\))/g;
// deno-lint-ignore no-control-regex -- control characters are what it is for
const unprintable = /[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]/g;

/** A line of three back quotes; the text between two of them is at the odd places. */
const fence = /^[ \t]*```/m;

function paragraphs(text: string): string {
  const trimmed = text.replace(/^[^\S\n]*\n+/, "").trimEnd();
  if (trimmed.trim() === "") return "";
  const set = trimmed.split(/(`[^`\n]+`)/).map((piece, index) =>
    index % 2 === 1
      ? `<code>${escapeHtml(piece.slice(1, -1))}</code>`
      : escapeHtml(piece).replace(/\*\*([^*\n]+)\*\*/g, "<b>$1</b>")
  ).join("");
  return `<div class="text" dir="auto">${set}</div>`;
}
