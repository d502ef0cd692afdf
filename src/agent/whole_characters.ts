/** Deltas that end between characters: half a surrogate pair waits for its other half. */

/** Takes one delta of `block` and gives what of it (and of before) is whole. */
export function wholeCharacters(): (block: string, delta: string) => string {
  const held = new Map<string, string>();
  return (block, delta) => {
    const text = (held.get(block) ?? "") + delta;
    held.delete(block);
    const last = text.charCodeAt(text.length - 1);
    if (last < 0xd800 || last > 0xdbff) return text.toWellFormed();
    held.set(block, text.slice(-1));
    return text.slice(0, -1).toWellFormed();
  };
}
