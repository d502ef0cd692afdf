/**
 * The characters that Unicode has added since version 12.1, which is the one that PCRE2 10.34 knows:
 * for it they have no properties, no other case and no script.
 */

/** True where what the pattern means depends on the properties of the characters of a line. */
export function asksForProperties(pattern: string): boolean {
  return /\\[pPX]|\(\*UCP\)/.test(pattern);
}

/** A new regular expression that finds such characters, from `lastIndex` on. */
export function newerCharacter(): RegExp {
  return new RegExp(`[${ranges.replace(/[^ -]+/g, "\\u{$&}").replaceAll(" ", "")}]`, "gu");
}

/** In hexadecimal; what lies within a range and is not newer is not assigned at all. */
const ranges =
  "61d 870-89f 8b5 8be-8d2 b55 c3c c5d cdd cf3 d04 d81 ece 170d 1715-171f 180f 1abf-1ace " +
  "1b4c-1b4f 1b7d-1b7f 1c89-1c8a 1dfa 20c0 2427-2429 2b97 2c2f 2c5f 2e50-2e5d 2ffc-2fff " +
  "31bb-31bf 31e4-31ef 4db6-4dbf 9ff0-9fff a7c0-a7c1 a7c7-a7f6 a82c ab68-ab6b fbc2 " +
  "fd40-fd4f fdcf fdfe-fdff 1019c 10570-105f3 10780-107ba 10d40-10d8f 10e80-10eff " +
  "10f70-10fcb 11070-11075 110c2 11147 111ce-111cf 1123f-11241 11380-113e2 1145a " +
  "11460-11461 116b9 116d0-116e3 11740-11746 11900-11959 11ab0-11abf 11b00-11bf9 " +
  "11f00-11fb0 12f90-12ff2 1342f 13439-143fa 16100-16139 16a70-16ac9 16d40-16d79 " +
  "16fe4-16ff1 18af3-1affe 1b11f-1b132 1b155 1cc00-1cfc3 1d1e9-1d1ea 1d2c0-1d2d3 " +
  "1df00-1df2a 1e030-1e08f 1e290-1e2ae 1e4d0-1e7fe 1f10d-1f10f 1f16d-1f16f 1f1ad " +
  "1f6d6-1f6df 1f6fb-1f6fc 1f774-1f77f 1f7d9 1f7f0 1f8b0-1f8c1 1f90c 1f972 1f977-1f979 " +
  "1f9a3-1f9a4 1f9ab-1f9ad 1f9cb-1f9cc 1fa74-1fa77 1fa7b-1fa7c 1fa83-1fa8f 1fa96-1fbf9 " +
  "2a6d7-2a6df 2b735-2b739 2ebf0-2ee5d 30000-323af";
