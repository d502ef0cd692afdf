/** How many columns of a terminal a text takes. */

/** Columns of `text`, which holds no control characters; tabs count as one. */
export function textWidth(text: string): number {
  // nearly always, and far quicker to see
  if (/^[ -~]*$/.test(text)) return text.length;
  let width = 0;
  for (const { segment } of segmenter().segment(text)) width += segmentWidth(segment);
  return width;
}

/** The longest start of `text` that takes at most `columns`. */
export function startOfWidth(text: string, columns: number): string {
  if (/^[ -~]*$/.test(text)) return text.slice(0, Math.max(0, columns));
  let width = 0, end = 0;
  for (const { segment, index } of segmenter().segment(text)) {
    width += segmentWidth(segment);
    if (width > columns) break;
    end = index + segment.length;
  }
  return text.slice(0, end);
}

/** `text` where it fits into `columns`, else its start and `…`. */
export function shortenToWidth(text: string, columns: number): string {
  if (textWidth(text) <= columns) return text;
  return columns < 1 ? "" : `${startOfWidth(text, columns - 1)}…`;
}

/** True for a character that takes two columns, as those of Chinese, Japanese and Korean do. */
export function isWide(character: string): boolean {
  const code = character.codePointAt(0) ?? 0;
  if (code < 0x1100) return false;
  let low = 0, high = wide.length - 1;
  while (low <= high) {
    const middle = (low + high) >> 1, [first, last] = wide[middle]!;
    if (code < first) high = middle - 1;
    else if (code > last) low = middle + 1;
    else return true;
  }
  return false;
}

/** One character as a person sees it, with its marks, joiners and selectors. */
function segmentWidth(segment: string): number {
  if (isWide(segment)) return 2;
  if (segment.length > 1 && segment.includes("\ufe0f")) return 2; // shown as a picture
  return /^(?:\p{Mn}|\p{Me}|\p{Cf})/u.test(segment) ? 0 : 1;
}

let made: Intl.Segmenter | undefined;

/** Made when asked for: it takes longer than a start may. */
function segmenter(): Intl.Segmenter {
  return made ??= new Intl.Segmenter(undefined, { granularity: "grapheme" });
}

/** Ranges of wide characters, and of pictures that are wide without a selector. */
const wide: readonly (readonly [number, number])[] = [
  [0x1100, 0x115f],
  [0x231a, 0x231b],
  [0x2329, 0x232a],
  [0x23e9, 0x23ec],
  [0x23f0, 0x23f0],
  [0x23f3, 0x23f3],
  [0x25fd, 0x25fe],
  [0x2614, 0x2615],
  [0x2648, 0x2653],
  [0x267f, 0x267f],
  [0x2693, 0x2693],
  [0x26a1, 0x26a1],
  [0x26aa, 0x26ab],
  [0x26bd, 0x26be],
  [0x26c4, 0x26c5],
  [0x26ce, 0x26ce],
  [0x26d4, 0x26d4],
  [0x26ea, 0x26ea],
  [0x26f2, 0x26f3],
  [0x26f5, 0x26f5],
  [0x26fa, 0x26fa],
  [0x26fd, 0x26fd],
  [0x2705, 0x2705],
  [0x270a, 0x270b],
  [0x2728, 0x2728],
  [0x274c, 0x274c],
  [0x274e, 0x274e],
  [0x2753, 0x2755],
  [0x2757, 0x2757],
  [0x2795, 0x2797],
  [0x27b0, 0x27b0],
  [0x27bf, 0x27bf],
  [0x2b1b, 0x2b1c],
  [0x2b50, 0x2b50],
  [0x2b55, 0x2b55],
  [0x2e80, 0x303e],
  [0x3041, 0x4dbf],
  [0x4e00, 0xa4cf],
  [0xa960, 0xa97f],
  [0xac00, 0xd7a3],
  [0xf900, 0xfaff],
  [0xfe10, 0xfe19],
  [0xfe30, 0xfe6f],
  [0xff00, 0xff60],
  [0xffe0, 0xffe6],
  [0x16fe0, 0x18cff],
  [0x1aff0, 0x1b2ff],
  [0x1f004, 0x1f004],
  [0x1f0cf, 0x1f0cf],
  [0x1f18e, 0x1f18e],
  [0x1f191, 0x1f19a],
  [0x1f1e6, 0x1f202],
  [0x1f210, 0x1f23b],
  [0x1f240, 0x1f248],
  [0x1f250, 0x1f251],
  [0x1f260, 0x1f265],
  [0x1f300, 0x1f320],
  [0x1f32d, 0x1f335],
  [0x1f337, 0x1f37c],
  [0x1f37e, 0x1f393],
  [0x1f3a0, 0x1f3ca],
  [0x1f3cf, 0x1f3d3],
  [0x1f3e0, 0x1f3f0],
  [0x1f3f4, 0x1f3f4],
  [0x1f3f8, 0x1f43e],
  [0x1f440, 0x1f440],
  [0x1f442, 0x1f4fc],
  [0x1f4ff, 0x1f53d],
  [0x1f54b, 0x1f54e],
  [0x1f550, 0x1f567],
  [0x1f57a, 0x1f57a],
  [0x1f595, 0x1f596],
  [0x1f5a4, 0x1f5a4],
  [0x1f5fb, 0x1f64f],
  [0x1f680, 0x1f6c5],
  [0x1f6cc, 0x1f6cc],
  [0x1f6d0, 0x1f6d2],
  [0x1f6d5, 0x1f6d7],
  [0x1f6dc, 0x1f6df],
  [0x1f6eb, 0x1f6ec],
  [0x1f6f4, 0x1f6fc],
  [0x1f7e0, 0x1f7eb],
  [0x1f7f0, 0x1f7f0],
  [0x1f90c, 0x1f93a],
  [0x1f93c, 0x1f945],
  [0x1f947, 0x1f9ff],
  [0x1fa70, 0x1faff],
  [0x20000, 0x3fffd],
];
