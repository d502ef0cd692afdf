/** Recognises images by their bytes, and says whether a model can be shown them. */

export interface ImageFacts {
  readonly mediaType: "image/png" | "image/jpeg" | "image/gif" | "image/webp";
  readonly width: number;
  readonly height: number;
}

export type ImageVerdict = ImageFacts | {
  /** The format's name and what is wrong: `PNG: it ends too early, so a part is missing`. */
  readonly broken: string;
};

type ImageFormat = "PNG" | "JPEG" | "GIF" | "WEBP";

/** What image `bytes` start as; undefined where they are none of these. */
export function imageFormatOf(bytes: Uint8Array): ImageFormat | undefined {
  const starts = (at: number, text: string) =>
    text.length + at <= bytes.length &&
    [...text].every((char, index) => bytes[at + index] === char.charCodeAt(0));
  if (starts(0, "\x89PNG\r\n\x1a\n")) return "PNG";
  if (starts(0, "\xff\xd8\xff")) return "JPEG";
  if (starts(0, "GIF87a") || starts(0, "GIF89a")) return "GIF";
  if (starts(0, "RIFF") && starts(8, "WEBP")) return "WEBP";
  return undefined;
}

/**
 * Looks through the structure of an image. What common decoders take is an image: a missing end
 * mark, stray bytes between parts and what follows the picture do not matter. One without its
 * picture is broken: providers refuse it, and a refused image would stay in the conversation.
 */
export function examineImage(bytes: Uint8Array): ImageVerdict | undefined {
  const format = imageFormatOf(bytes);
  if (format === undefined) return undefined;
  const examined = examiners[format](bytes);
  if (typeof examined === "string") return { broken: `${format}: ${examined}` };
  if (examined.width === 0 || examined.height === 0) return { broken: `${format}: it has no size` };
  return examined;
}

/** True for a name by which people mean an image of these formats. */
export function isImageName(name: string): boolean {
  return /\.(png|jpe?g|gif|webp)$/i.test(name);
}

type Examined = ImageFacts | string;

const examiners: Record<ImageFormat, (bytes: Uint8Array) => Examined> = {
  PNG: examinePng,
  JPEG: examineJpeg,
  GIF: examineGif,
  WEBP: examineWebp,
};

function examinePng(bytes: Uint8Array): Examined {
  const view = viewOf(bytes);
  let size: { width: number; height: number } | undefined;
  let hasData = false;
  for (let at = 8; at + 8 <= bytes.length;) {
    const length = view.getUint32(at), type = latin1(bytes, at + 4, 4);
    if (type === "IEND") break;
    if (at + 8 + length > bytes.length) {
      if (type === "IDAT" || !hasData) return missing;
      break;
    }
    if (type === "IHDR" && length >= 13) {
      size = { width: view.getUint32(at + 8), height: view.getUint32(at + 12) };
    }
    if (type === "IDAT" && length > 0) hasData = true;
    // the check sum after it may be cut off
    at += 12 + length;
  }
  if (size === undefined) return missing;
  return hasData ? { mediaType: "image/png", ...size } : noPicture;
}

function examineJpeg(bytes: Uint8Array): Examined {
  const view = viewOf(bytes);
  let size: { width: number; height: number } | undefined;
  for (let at = 2; at + 4 <= bytes.length;) {
    const marker = bytes[at + 1]!;
    // stray or fill bytes, and markers without a length
    if (bytes[at] !== 0xff || marker === 0xff || marker === 0) {
      at++;
      continue;
    }
    if (marker === 0x01 || (marker >= 0xd0 && marker <= 0xd8)) {
      at += 2;
      continue;
    }
    if (marker === 0xd9) return noPicture;
    const length = view.getUint16(at + 2);
    if (length < 2) return "its parts are damaged";
    if (at + 2 + length > bytes.length) return missing;
    if (marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker) && length >= 7) {
      size = { height: view.getUint16(at + 5), width: view.getUint16(at + 7) };
    }
    at += 2 + length;
    if (marker !== 0xda) continue;
    if (at >= bytes.length) return missing;
    if (bytes[at] === 0xff && bytes[at + 1] === 0xd9) return noPicture;
    return size === undefined ? "it has no size" : { mediaType: "image/jpeg", ...size };
  }
  return missing;
}

function examineGif(bytes: Uint8Array): Examined {
  if (bytes.length < 13) return missing;
  const view = viewOf(bytes);
  let width = view.getUint16(6, true), height = view.getUint16(8, true);
  let hasPicture = false;
  for (let at = 13 + colorTableBytes(bytes[10]!); at < bytes.length && bytes[at] !== 0x3b;) {
    const isPicture = bytes[at] === 0x2c;
    if (isPicture) {
      if (at + 11 >= bytes.length) break;
      // a screen without a size takes that of its first picture
      if (width === 0 || height === 0) {
        [width, height] = [view.getUint16(at + 5, true), view.getUint16(at + 7, true)];
      }
      at += 11 + colorTableBytes(bytes[at + 9]!);
    } else if (bytes[at] === 0x21) at += 2;
    else {
      at++;
      continue;
    }
    const start = at;
    while (at < bytes.length && bytes[at] !== 0) at += 1 + bytes[at]!;
    // its last block may be the end of the file
    if (at > bytes.length) break;
    if (isPicture && at > start) hasPicture = true;
    at++;
  }
  if (hasPicture) return { mediaType: "image/gif", width, height };
  return bytes.at(-1) === 0x3b ? noPicture : missing;
}

function colorTableBytes(flags: number): number {
  return (flags & 0x80) === 0 ? 0 : 3 * 2 ** ((flags & 7) + 1);
}

/** The parts of a WEBP that hold a picture, with the fewest bytes that can. */
const webpPictures: Record<string, number> = { "VP8 ": 10, VP8L: 6, ANMF: 16 };

function examineWebp(bytes: Uint8Array): Examined {
  const view = viewOf(bytes);
  let size: { width: number; height: number } | undefined;
  for (let at = 12; at + 8 <= bytes.length;) {
    const type = latin1(bytes, at, 4), length = view.getUint32(at + 4, true), start = at + 8;
    if (start + length > bytes.length) return missing;
    if (type === "VP8X" && length >= 10) {
      size = { width: uint24(bytes, start + 4) + 1, height: uint24(bytes, start + 7) + 1 };
    }
    if (length >= (webpPictures[type] ?? Infinity)) {
      if (type === "VP8 ") size ??= sizeOfLossy(view, start);
      if (type === "VP8L") size ??= sizeOfLossless(view, start);
      return size === undefined ? noPicture : { mediaType: "image/webp", ...size };
    }
    // odd lengths are filled up by one byte
    at = start + length + length % 2;
  }
  return view.byteLength < 8 + view.getUint32(4, true) ? missing : noPicture;
}

function sizeOfLossy(view: DataView, at: number) {
  return {
    width: view.getUint16(at + 6, true) & 0x3fff,
    height: view.getUint16(at + 8, true) & 0x3fff,
  };
}

function sizeOfLossless(view: DataView, at: number) {
  const bits = view.getUint32(at + 1, true);
  return { width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1 };
}

const missing = "it ends too early, so a part is missing";
const noPicture = "it has no picture data";

function viewOf(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

function latin1(bytes: Uint8Array, at: number, length: number): string {
  return String.fromCharCode(...bytes.subarray(at, at + length));
}

function uint24(bytes: Uint8Array, at: number): number {
  return bytes[at]! + bytes[at + 1]! * 256 + bytes[at + 2]! * 65536;
}
