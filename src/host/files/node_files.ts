/** Loads the calls that Deno's own file API lacks: open flags, fchmod, hashes. */
import type * as NodeFs from "node:fs";
import type { Hash } from "node:crypto";

export interface NodeFiles {
  readonly fs: typeof NodeFs;
  readonly isUtf8: (bytes: Uint8Array) => boolean;
  readonly toBase64: (bytes: Uint8Array) => string;
  readonly createHash: (name: string) => Hash;
}

/** Loads them at the first use of a file tool; a start that reads no file does not pay for them. */
export async function nodeFiles(): Promise<NodeFiles> {
  const [fs, buffer, crypto] = await Promise.all([
    import("node:fs"),
    import("node:buffer"),
    import("node:crypto"),
  ]);
  return {
    fs,
    isUtf8: buffer.isUtf8,
    toBase64: (bytes) =>
      buffer.Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("base64"),
    createHash: crypto.createHash,
  };
}
