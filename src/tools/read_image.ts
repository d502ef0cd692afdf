/** The recognition of images by their bytes, and whether a model can be shown them. */

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
 * Looks through the whole structure of an image: providers refuse cut or empty ones, and a refused
 * image would stay in the conversation.
 */
export function examineImage(bytes: Uint8Array): ImageVerdict | undefined {
  const format = imageFormatOf(bytes);
  if (format === undefined) return undefined;
  const facts = examiners[format](bytes);
  if (typeof facts === "string") return { broken: `${format}: ${facts}` };
  if (facts.width === 0 || facts.height === 0) return { broken: `${format}: it has no size` };
  return facts;
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
  for (let at = 8; at + 12 <= bytes.length;) {
    const length = view.getUint32(at), type = latin1(bytes, at + 4, 4);
    if (at + 12 + length > bytes.length) break;
    if (type === "IHDR" && length >= 13) {
      size = { width: view.getUint32(at + 8), height: view.getUint32(at + 12) };
    }
    if (type === "IDAT") hasData = true;
    if (type === "IEND") {
      if (size === undefined || !hasData) return "it has no picture data";
      return { mediaType: "image/png", ...size };
    }
    at += 12 + length;
  }
  return missing;
}

function examineJpeg(bytes: Uint8Array): Examined {
  const view = viewOf(bytes);
  let size: { width: number; height: number } | undefined;
  for (let at = 2; at + 4 <= bytes.length;) {
    if (bytes[at] !== 0xff) return "its parts are damaged";
    const marker = bytes[at + 1]!;
    if (marker === 0xff) {
      at++;
      continue;
    }
    if (marker === 0xd9) return "it has no picture data";
    const length = view.getUint16(at + 2);
    if (length < 2 || at + 2 + length > bytes.length) break;
    if (marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker) && length >= 7) {
      size = { height: view.getUint16(at + 5), width: view.getUint16(at + 7) };
    }
    at += 2 + length;
    if (marker === 0xda) {
      if (size === undefined) return "it has no size";
      return hasEndMark(bytes, at) ? { mediaType: "image/jpeg", ...size } : missing;
    }
  }
  return missing;
}

function hasEndMark(bytes: Uint8Array, from: number): boolean {
  for (let at = bytes.length - 2; at >= from; at--) {
    if (bytes[at] === 0xff && bytes[at + 1] === 0xd9) return true;
  }
  return false;
}

function examineGif(bytes: Uint8Array): Examined {
  if (bytes.length < 13) return missing;
  const view = viewOf(bytes);
  const facts = {
    mediaType: "image/gif",
    width: view.getUint16(6, true),
    height: view.getUint16(8, true),
  } as const;
  let at = 13 + colorTableBytes(bytes[10]!);
  let hasData = false;
  while (at < bytes.length) {
    const block = bytes[at]!;
    if (block === 0x3b) return hasData ? facts : "it has no picture data";
    if (block === 0x2c) {
      if (at + 10 >= bytes.length) return missing;
      hasData = true;
      at += 11 + colorTableBytes(bytes[at + 9]!);
    } else if (block === 0x21) at += 2;
    else return "its parts are damaged";
    while (at < bytes.length && bytes[at] !== 0) at += 1 + bytes[at]!;
    at++;
  }
  return missing;
}

function colorTableBytes(flags: number): number {
  return (flags & 0x80) === 0 ? 0 : 3 * 2 ** ((flags & 7) + 1);
}

function examineWebp(bytes: Uint8Array): Examined {
  const view = viewOf(bytes);
  if (bytes.length < 30 || view.getUint32(4, true) + 8 > bytes.length) return missing;
  const mediaType = "image/webp";
  switch (latin1(bytes, 12, 4)) {
    case "VP8 ":
      return {
        mediaType,
        width: view.getUint16(26, true) & 0x3fff,
        height: view.getUint16(28, true) & 0x3fff,
      };
    case "VP8L": {
      const bits = view.getUint32(21, true);
      return { mediaType, width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1 };
    }
    case "VP8X":
      return { mediaType, width: uint24(bytes, 24) + 1, height: uint24(bytes, 27) + 1 };
    default:
      return "it has no picture data";
  }
}

const missing = "it ends too early, so a part is missing";

function viewOf(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

function latin1(bytes: Uint8Array, at: number, length: number): string {
  return String.fromCharCode(...bytes.subarray(at, at + length));
}

function uint24(bytes: Uint8Array, at: number): number {
  return bytes[at]! + bytes[at + 1]! * 256 + bytes[at + 2]! * 65536;
}
