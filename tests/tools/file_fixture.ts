/** Small helpers of the file tools' tests: calls in a workspace, bytes, hashes, pictures. */
import { deflateSync } from "node:zlib";
import type { Json } from "../../src/core/json.ts";
import type { AnyTool } from "../../src/core/tool.ts";
import { joinBytes } from "../../src/lib/join_bytes.ts";
import { callTool, toolContext, withWorkspace } from "../support/tool_context.ts";

export interface Bench {
  readonly workspace: string;
  /** A folder outside the workspace. */
  readonly outside: string;
  call(tool: AnyTool, input: Json): ReturnType<typeof callTool>;
  /** Writes a file of the workspace, with its folders. */
  put(path: string, content: string | Uint8Array): void;
  bytes(path: string): Uint8Array;
  text(path: string): string;
  /** Every path below the workspace, sorted. */
  paths(): string[];
}

/** Runs `use` with a temporary workspace and a folder beside it. */
export async function onBench(use: (bench: Bench) => Promise<void>): Promise<void> {
  await withWorkspace(async (root) => {
    const workspace = `${root}/w`, outside = `${root}/o`;
    Deno.mkdirSync(workspace);
    Deno.mkdirSync(outside);
    const context = toolContext(workspace);
    await use({
      workspace,
      outside,
      call: (tool, input) => callTool(tool, input, context),
      put(path, content) {
        const file = `${workspace}/${path}`;
        Deno.mkdirSync(file.slice(0, file.lastIndexOf("/")), { recursive: true });
        if (typeof content === "string") Deno.writeTextFileSync(file, content);
        else Deno.writeFileSync(file, content);
      },
      bytes: (path) => Deno.readFileSync(`${workspace}/${path}`),
      text: (path) => Deno.readTextFileSync(`${workspace}/${path}`),
      paths: () => pathsBelow(workspace).sort(),
    });
  });
}

export function pathsBelow(folder: string, prefix = ""): string[] {
  return [...Deno.readDirSync(`${folder}/${prefix}`)].flatMap((entry) => {
    const path = prefix + entry.name;
    return entry.isDirectory ? [path, ...pathsBelow(folder, `${path}/`)] : [path];
  });
}

/** The value of `key` in a result's head. */
export function headOf(text: string, key: string): string | undefined {
  const head = text.split("\n\n", 1)[0]!;
  return head.split("\n").find((line) => line.startsWith(`${key}: `))?.slice(key.length + 2);
}

/** What follows the head. */
export function bodyOf(text: string): string {
  const at = text.indexOf("\n\n");
  return at < 0 ? "" : text.slice(at + 2);
}

export function latin1(text: string): Uint8Array {
  return Uint8Array.from(text, (char) => char.charCodeAt(0));
}

export function utf16le(text: string, mark = true): Uint8Array {
  return latin1((mark ? "\xff\xfe" : "") + [...text].map((char) => `${char}\0`).join(""));
}

export function utf32be(text: string): Uint8Array {
  return latin1("\0\0\xfe\xff" + [...text].map((char) => `\0\0\0${char}`).join(""));
}

/** A whole PNG of one colour, padded behind its end to at least `minBytes`. */
export function png(width: number, height: number, minBytes = 0): Uint8Array {
  const header = new Uint8Array(13);
  const view = new DataView(header.buffer);
  view.setUint32(0, width);
  view.setUint32(4, height);
  header.set([8, 0, 0, 0, 0], 8);
  const rows = new Uint8Array(height * (width + 1));
  const chunks = [
    latin1("\x89PNG\r\n\x1a\n"),
    chunk("IHDR", header),
    chunk("IDAT", new Uint8Array(deflateSync(rows))),
    chunk("IEND", new Uint8Array()),
  ];
  const whole = joinBytes(chunks);
  return joinBytes([whole, new Uint8Array(Math.max(0, minBytes - whole.length))]);
}

/** The parts of a JPEG in their order, with next to no picture in them. */
export function jpeg(width: number, height: number): Uint8Array {
  return joinBytes([
    latin1("\xff\xd8\xff\xe0\x00\x10JFIF\0\x01\x01\0\0\x01\0\x01\0\0"),
    Uint8Array.of(
      0xff,
      0xc0,
      0,
      11,
      8,
      height >> 8,
      height & 255,
      width >> 8,
      width & 255,
      1,
      1,
      17,
      0,
    ),
    latin1("\xff\xda\x00\x08\x01\x01\x00\x00\x3f\x00\x12\x34\xff\xd9"),
  ]);
}

export function gif(width: number, height: number): Uint8Array {
  return joinBytes([
    latin1("GIF89a"),
    Uint8Array.of(
      width & 255,
      width >> 8,
      height & 255,
      height >> 8,
      0x80,
      0,
      0,
      0,
      0,
      0,
      255,
      255,
      255,
    ),
    Uint8Array.of(0x2c, 0, 0, 0, 0, width & 255, width >> 8, height & 255, height >> 8, 0),
    Uint8Array.of(2, 2, 0x44, 1, 0, 0x3b),
  ]);
}

export function webp(width: number, height: number): Uint8Array {
  const bits = (width - 1) | ((height - 1) << 14);
  return joinBytes([
    latin1("RIFF\x18\0\0\0WEBPVP8L\x0b\0\0\0\x2f"),
    Uint8Array.of(bits & 255, (bits >> 8) & 255, (bits >> 16) & 255, (bits >> 24) & 255),
    new Uint8Array(7),
  ]);
}

function chunk(type: string, data: Uint8Array): Uint8Array {
  const length = new Uint8Array(4), sum = new Uint8Array(4);
  const body = joinBytes([latin1(type), data]);
  new DataView(length.buffer).setUint32(0, data.length);
  new DataView(sum.buffer).setUint32(0, crc32(body));
  return joinBytes([length, body, sum]);
}

function crc32(bytes: Uint8Array): number {
  let crc = ~0;
  for (const byte of bytes) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit++) crc = (crc >>> 1) ^ (crc & 1 ? 0xedb88320 : 0);
  }
  return ~crc >>> 0;
}
