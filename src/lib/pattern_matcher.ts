/** Tests a text against a pattern of JSON Schema, in bounded time where the engine can. */

/** Throws `SyntaxError` for what is no pattern. */
export function patternMatcher(pattern: string): (text: string) => boolean {
  const full = new RegExp(pattern, "u");
  // without the flag the engine can change to a search in linear time
  const plain = /\\[pPu]|[\ud800-\udfff]/.test(pattern) ? full : new RegExp(pattern);
  return (text) => (/[\ud800-\udfff]/.test(text) ? full : plain).test(text);
}
