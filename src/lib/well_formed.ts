/** Text that can be serialised: no lone surrogates, no split characters. */
import { Buffer } from "node:buffer";

/** `text` with every lone surrogate replaced by U+FFFD. */
export function wellFormed(text: string): string {
  return text.isWellFormed() ? text : text.toWellFormed();
}

const encoder = new TextEncoder();

/** From here on the runtime counts faster than a loop. */
const shortChars = 24;

/** Bytes of `text` in UTF-8. */
export function byteLength(text: string): number {
  if (text.length > shortChars) return Buffer.byteLength(text);
  let bytes = text.length;
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    if (unit < 0x80) continue;
    if (unit < 0x800) bytes += 1;
    else if (unit >= 0xd800 && unit < 0xdc00 && i + 1 < text.length) {
      const next = text.charCodeAt(i + 1);
      if (next >= 0xdc00 && next < 0xe000) {
        bytes += 2;
        i++;
      } else bytes += 2;
    } else bytes += 2;
  }
  return bytes;
}

/** The longest prefix of `text` of at most `maxBytes` bytes that ends between characters. */
export function headOf(text: string, maxBytes: number): string {
  if (text.length * 3 <= maxBytes) return text;
  const { read } = encoder.encodeInto(text, new Uint8Array(Math.max(0, maxBytes)));
  return text.slice(0, read);
}

/** The longest suffix of `text` of at most `maxBytes` bytes that starts between characters. */
function tailOf(text: string, maxBytes: number): string {
  if (text.length * 3 <= maxBytes) return text;
  let bytes = 0, start = text.length;
  while (start > 0) {
    let from = start - 1;
    const unit = text.charCodeAt(from);
    if (unit >= 0xdc00 && unit < 0xe000 && from > 0) {
      const before = text.charCodeAt(from - 1);
      if (before >= 0xd800 && before < 0xdc00) from--;
    }
    bytes += byteLength(text.slice(from, start));
    if (bytes > maxBytes) break;
    start = from;
  }
  return text.slice(start);
}

/**
 * `text` cut to about `maxBytes` bytes with its head and tail kept and
 * `[... N bytes omitted ...]` between; unchanged where it fits.
 */
export function capMiddle(text: string, maxBytes: number): string {
  const total = byteLength(text);
  if (total <= maxBytes) return text;
  const head = headOf(text, Math.ceil(maxBytes / 2));
  const tail = tailOf(text, Math.floor(maxBytes / 2));
  const omitted = total - byteLength(head) - byteLength(tail);
  return `${head}\n[... ${omitted} bytes omitted ...]\n${tail}`;
}
