/** How long a fuzz test runs: briefly with every run of the tests, long by `deno task fuzz`. */

/** Random cases to try: NIMLET_FUZZ, else `usual`. */
export function fuzzCases(usual: number): number {
  return wholeNumber("NIMLET_FUZZ") ?? usual;
}

/** NIMLET_FUZZ_SEED, else 1. The same seed tries the same cases. */
export function fuzzSeed(): number {
  return wholeNumber("NIMLET_FUZZ_SEED") ?? 1;
}

function wholeNumber(name: string): number | undefined {
  const text = Deno.env.get(name);
  if (text === undefined || text === "") return undefined;
  if (/^\d{1,9}$/.test(text)) return Number(text);
  throw new Error(`${name}: expected a whole number, found "${text}"`);
}
