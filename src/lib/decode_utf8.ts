/** Decodes bytes that should be UTF-8, and says whether they were. */

const dropping = decoders(false), keeping = decoders(true);

/**
 * The text of `bytes`; what is not UTF-8 becomes U+FFFD, and `replaced` is true then. A byte order
 * mark at the start is dropped unless `keepMark`.
 */
export function decodeUtf8(
  bytes: Uint8Array,
  { keepMark = false }: { keepMark?: boolean } = {},
): { text: string; replaced: boolean } {
  const { strict, lenient } = keepMark ? keeping : dropping;
  try {
    return { text: strict.decode(bytes), replaced: false };
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    return { text: lenient.decode(bytes), replaced: true };
  }
}

/** Neither keeps state between calls. */
function decoders(ignoreBOM: boolean) {
  return {
    strict: new TextDecoder("utf-8", { fatal: true, ignoreBOM }),
    lenient: new TextDecoder("utf-8", { ignoreBOM }),
  };
}
