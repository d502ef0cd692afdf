/** Bounded memory of a stream: its head and tail, cut only between characters. */
import type { CapturedOutput } from "../../core/host.ts";
import { decodeUtf8 } from "../../lib/decode_utf8.ts";
import { joinBytes } from "../../lib/join_bytes.ts";

export interface Capture {
  add(bytes: Uint8Array): void;
  readonly totalBytes: number;
  /** What was kept, in at most `maxBytes` bytes (never more than it was made for). */
  take(maxBytes: number): CapturedOutput;
}

/** More than any result may hold; keeps a wrong setting from asking for the whole memory. */
const mostBytes = 256 * 1024 * 1024;

/** Keeps the first and the last half of `maxBytes` bytes of what is added. */
export function captureOutput(maxBytes: number): Capture {
  const max = Math.min(Math.max(0, Math.floor(maxBytes)), mostBytes);
  const headMax = Math.ceil(max / 2), tailMax = max - headMax;
  let head = new Uint8Array(0), headLength = 0;
  let ring = new Uint8Array(0);
  let total = 0;

  function add(bytes: Uint8Array): void {
    total += bytes.length;
    const room = headMax - headLength;
    if (room > 0) {
      const part = bytes.subarray(0, room);
      head = grown(head, headLength + part.length, headMax);
      head.set(part, headLength);
      headLength += part.length;
      bytes = bytes.subarray(part.length);
    }
    if (bytes.length > 0 && tailMax > 0) addToRing(bytes);
  }

  /** Byte number n of the stream after the head stands at n modulo the ring's size. */
  function addToRing(bytes: Uint8Array): void {
    const end = total - headLength;
    ring = grown(ring, Math.min(end, tailMax), tailMax);
    const part = bytes.length > tailMax ? bytes.subarray(bytes.length - tailMax) : bytes;
    const at = (end - part.length) % tailMax;
    const first = part.subarray(0, tailMax - at);
    if (at + first.length > ring.length) ring = grown(ring, at + first.length, tailMax);
    ring.set(first, at);
    ring.set(part.subarray(first.length), 0);
  }

  function tail(): Uint8Array {
    const end = total - headLength;
    if (end <= tailMax) return ring.subarray(0, end);
    const at = end % tailMax;
    const whole = new Uint8Array(tailMax);
    whole.set(ring.subarray(at), 0);
    whole.set(ring.subarray(0, at), tailMax - at);
    return whole;
  }

  return {
    add,
    get totalBytes() {
      return total;
    },
    take(limit) {
      const kept = Math.min(Math.max(0, Math.floor(limit)), max);
      const end = tailMax > 0 ? tail() : new Uint8Array(0);
      const start = head.subarray(0, headLength);
      const all = end.length === 0 ? start : joinBytes([start, end]);
      if (total <= kept) return { ...decode(all), totalBytes: total, omittedBytes: 0 };
      const first = withoutSplitEnd(all.subarray(0, Math.min(Math.ceil(kept / 2), headLength)));
      const last = withoutSplitStart(all.subarray(all.length - Math.floor(kept / 2)));
      const before = decode(first), after = decode(last);
      const omittedBytes = total - first.length - last.length;
      return {
        text: `${before.text}\n[... ${omittedBytes} bytes omitted ...]\n${after.text}`,
        totalBytes: total,
        omittedBytes,
        replaced: before.replaced || after.replaced,
      };
    },
  };
}

function grown(buffer: Uint8Array<ArrayBuffer>, needed: number, most: number) {
  if (needed <= buffer.length) return buffer;
  const larger = new Uint8Array(Math.min(most, Math.max(needed, buffer.length * 2, 4096)));
  larger.set(buffer);
  return larger;
}

function decode(bytes: Uint8Array): { text: string; replaced: boolean } {
  return decodeUtf8(bytes, { keepMark: true });
}

/** Without the first bytes of a character whose rest was cut off. */
function withoutSplitEnd(bytes: Uint8Array): Uint8Array {
  for (let back = 1; back <= Math.min(4, bytes.length); back++) {
    const byte = bytes[bytes.length - back]!;
    if ((byte & 0xc0) === 0x80) continue;
    const length = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : byte >= 0xc0 ? 2 : 1;
    return length > back ? bytes.subarray(0, bytes.length - back) : bytes;
  }
  return bytes;
}

/** Without the last bytes of a character whose start was cut off. */
function withoutSplitStart(bytes: Uint8Array): Uint8Array {
  let start = 0;
  while (start < 3 && start < bytes.length && (bytes[start]! & 0xc0) === 0x80) start++;
  return bytes.subarray(start);
}
