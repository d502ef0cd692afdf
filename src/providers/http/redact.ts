/** Takes secrets out of what servers say: they repeat keys, whole or in part, in any encoding. */

/** Shorter ones are words of the language rather than secrets. */
const minSecretChars = 4;
/** From this many characters on, the beginning of a secret is a secret. */
const minPartChars = 12;

/** `text` with each of `secrets`, and each long beginning of one, replaced by `***`. */
export function redact(text: string, secrets: readonly string[]): string {
  let clean = text;
  for (const secret of secrets) {
    if (secret.length < minSecretChars) continue;
    const forms = formsOf(secret);
    for (const form of forms) clean = without(clean, form, form.length);
    for (const form of forms) clean = without(clean, form, minPartChars);
  }
  return clean;
}

/** A secret as it is, and as an address, JSON, a web page, hexadecimal digits and base64 have it. */
function formsOf(secret: string): Set<string> {
  const bytes = new TextEncoder().encode(secret);
  const hex = [...bytes].map((byte) => byte.toString(16).padStart(2, "0"));
  const forms = [
    secret,
    encodeURIComponent(secret),
    `%${hex.join("%")}`,
    JSON.stringify(secret).slice(1, -1),
    secret.replace(/[&<>"']/g, (char) => `&#${char.charCodeAt(0)};`),
    secret.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll('"', "&quot;"),
    hex.join(""),
    // within other text a secret begins at one of three places of a base64 group
    ...[0, 1, 2].map((shift) => base64Core(bytes, shift)),
  ];
  return new Set(
    forms.concat(forms.map((form) => form.replaceAll("+", "-").replaceAll("/", "_")))
      .map(lowered).filter((form) => form.length >= minSecretChars),
  );
}

/** The characters of base64 that depend on `bytes` alone where `shift` others stand before them. */
function base64Core(bytes: Uint8Array, shift: number): string {
  const shifted = new Uint8Array(shift + bytes.length);
  shifted.set(bytes, shift);
  const all = btoa(String.fromCharCode(...shifted)).replace(/=+$/, "");
  const first = shift === 0 ? 0 : shift + 1;
  return all.slice(first, shifted.length % 3 === 0 ? all.length : -1);
}

/** ASCII letters alone, so that places in both texts are the same. */
function lowered(text: string): string {
  return text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());
}

/** `text` without `form`, and without each beginning of it of at least `minChars` characters. */
function without(text: string, form: string, minChars: number): string {
  const start = form.slice(0, minChars);
  const low = lowered(text);
  let clean = "", from = 0;
  for (let at = low.indexOf(start); at >= 0; at = low.indexOf(start, from)) {
    let end = start.length;
    while (end < form.length && low[at + end] === form[end]) end++;
    clean += `${text.slice(from, at)}***`;
    from = at + end;
  }
  return clean + text.slice(from);
}
