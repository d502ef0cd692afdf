/** Taking secrets out of what servers say: they repeat keys, whole or in part. */

/** Shorter ones are words of the language rather than secrets. */
const minSecretChars = 4;
/** From this many characters on, the beginning of a secret is a secret. */
const minPartChars = 12;

/** `text` with each of `secrets`, and each long beginning of one, replaced by `***`. */
export function redact(text: string, secrets: readonly string[]): string {
  let clean = text;
  for (const secret of secrets) {
    if (secret.length < minSecretChars) continue;
    clean = clean.replaceAll(secret, "***");
    if (secret.length > minPartChars) clean = withoutParts(clean, secret);
  }
  return clean;
}

function withoutParts(text: string, secret: string): string {
  const start = secret.slice(0, minPartChars);
  let clean = text;
  for (let at = clean.indexOf(start); at >= 0; at = clean.indexOf(start, at)) {
    let end = minPartChars;
    while (end < secret.length && clean[at + end] === secret[end]) end++;
    clean = `${clean.slice(0, at)}***${clean.slice(at + end)}`;
  }
  return clean;
}
