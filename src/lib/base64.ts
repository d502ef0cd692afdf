/** Bytes as base64, for texts that carry them. */
import { Buffer } from "node:buffer";

export function toBase64(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("base64");
}

/** The bytes of base64, in either alphabet, line breaks and all; undefined for any other text. */
export function fromBase64(text: string): Uint8Array | undefined {
  return /^[\w+/\s-]*={0,2}\s*$/.test(text)
    ? new Uint8Array(Buffer.from(text, "base64"))
    : undefined;
}
