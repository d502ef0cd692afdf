/** Random ids. */

const alphabet = "abcdefghijklmnopqrstuvwxyz0123456789";

/** `length` lower-case letters and digits, each as likely as any other. */
export function randomId(length: number): string {
  let id = "";
  while (id.length < length) {
    for (const byte of crypto.getRandomValues(new Uint8Array(length))) {
      // 252 is the largest multiple of 36 within a byte: beyond it letters would not be even
      if (byte < 252 && id.length < length) id += alphabet[byte % alphabet.length];
    }
  }
  return id;
}
