/** Keeps secrets of settings out of what a server says of itself. */

/** Shorter ones would be found in any text. */
const minChars = 6;

/** Replaces each secret that stands in a text. */
export function hider(secrets: readonly string[]): (text: string) => string {
  const long = [...new Set(secrets)].filter((secret) => secret.trim().length >= minChars)
    .sort((a, b) => b.length - a.length);
  return (text) => long.reduce((rest, secret) => rest.replaceAll(secret, "(hidden)"), text);
}
