/** Owns the digests that trust holds for: what of a project's parts can run or redirect keys. */
import { isAbsolute, join, relative } from "node:path";
import { isJsonObject, type Json } from "../core/json.ts";
import { contentRecord } from "../host/content_digest.ts";
import { factsOf, kindAt } from "../host/folders.ts";
import type { ProjectPart } from "./project_parts.ts";

/** Digests by the part's name, of the covered parts only. */
export async function partDigests(
  workspace: string,
  parts: readonly ProjectPart[],
): Promise<Record<string, string>> {
  const digests: Record<string, string> = {};
  for (const { name, covered } of parts) {
    if (covered) digests[name] = await partDigest(workspace, name);
  }
  return digests;
}

/** The digest of one part as it is now. */
export async function partDigest(workspace: string, name: string): Promise<string> {
  const path = `${workspace}/${name}`;
  // The entries of a folder that is named as a whole have digests of their own.
  if (name.split("/").length === 2 && kindAt(path) === "folder") return "folder";
  let manifest: Uint8Array | undefined;
  const record = contentRecord((file, bytes) => {
    if (file === "tool.json") manifest = bytes;
  });
  record.add(path);
  if (manifest !== undefined && manifest.length <= maxManifestBytes) {
    for (const file of await namedFiles(workspace, path, manifest, record.cut)) record.add(file);
  }
  return record.digest();
}

const maxManifestBytes = 1024 * 1024;
const maxNamedFiles = 100;

/** Files of the project that a manifest's command names beside what its own folder holds. */
async function namedFiles(
  workspace: string,
  folder: string,
  text: Uint8Array,
  isCut: boolean,
): Promise<string[]> {
  const manifest = await parse(new TextDecoder().decode(text));
  const command = isJsonObject(manifest) ? manifest.command : undefined;
  if (!Array.isArray(command)) return [];
  const files: string[] = [];
  for (const [index, item] of command.slice(0, maxNamedFiles).entries()) {
    if (typeof item !== "string" || item === "" || item.includes("\0")) continue;
    if (index === 0 && !isCut && /^[\w-][\w.-]*$/.test(item)) continue;
    // The first item is looked up in the tool's folder, arguments are read in the workspace.
    const path = isAbsolute(item) ? item : join(index === 0 ? folder : workspace, item);
    if (!relative(workspace, path).startsWith("..") && factsOf(path).kind === "file") {
      files.push(path);
    }
  }
  return files;
}

async function parse(text: string): Promise<Json | undefined> {
  try {
    return JSON.parse(text) as Json;
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
  }
  const { parseJsonc } = await import("../lib/jsonc.ts");
  const parsed = parseJsonc(text);
  return "value" in parsed ? parsed.value : undefined;
}
