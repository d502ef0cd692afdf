/** Text that shows every character it is made of: what the eye would miss is escaped. */

/**
 * `text` with control, zero-width, bidirectional and other invisible characters, and white space
 * that is not a plain space, written as escapes. With `keepLineBreaks`, `\n` stays.
 */
export function visibleText(text: string, options: { keepLineBreaks?: boolean } = {}): string {
  return text.replace(
    hidden(),
    (character) => options.keepLineBreaks && character === "\n" ? character : escapeOf(character),
  );
}

/** `text` escaped, in double quotes, and cut to `maxLength` characters with `...` where longer. */
export function quoteStart(text: string, maxLength: number): string {
  const cut = text.length > maxLength;
  const start = (cut ? text.slice(0, maxLength) : text).toWellFormed();
  return `"${visibleText(start.replaceAll("\\", "\\\\").replaceAll('"', '\\"'))}${
    cut ? "..." : ""
  }"`;
}

// Cc, Cf, Zl, Zp, every Zs but the space, lone surrogates, private and unassigned characters,
// and letters without a shape of their own. Made when asked for: it takes longer than most of a start.
const hidden = () =>
  /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}\p{Co}\p{Cn}\p{Default_Ignorable_Code_Point}\u2800]|(?! )\p{Zs}/gu;

const short: Record<string, string> = { "\n": "\\n", "\r": "\\r", "\t": "\\t", "\x1b": "\\x1b" };

function escapeOf(character: string): string {
  const known = short[character];
  if (known !== undefined) return known;
  const code = character.codePointAt(0)!;
  if (code < 0x100) return `\\x${code.toString(16).padStart(2, "0")}`;
  if (code < 0x10000) return `\\u${code.toString(16).padStart(4, "0")}`;
  return `\\u{${code.toString(16)}}`;
}
