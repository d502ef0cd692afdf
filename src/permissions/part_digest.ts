/** The digests that trust holds for: what of a project's parts can run or redirect keys. */
import { resolve } from "node:path";
import { isJsonObject } from "../core/json.ts";
import { contentRecord } from "../host/content_digest.ts";
import { factsOf, kindAt } from "../host/folders.ts";
import { parseLenient } from "../lib/lenient_json.ts";
import { isInside } from "../lib/path_inside.ts";
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
  const parsed = await parseLenient(new TextDecoder().decode(text));
  const command = "value" in parsed && isJsonObject(parsed.value)
    ? parsed.value.command
    : undefined;
  if (!Array.isArray(command)) return [];
  const files: string[] = [];
  for (const [index, item] of command.slice(0, maxNamedFiles).entries()) {
    if (typeof item !== "string" || item === "" || item.includes("\0")) continue;
    if (index === 0 && !isCut && /^[\w-][\w.-]*$/.test(item)) continue;
    // The first item is looked up in the tool's folder, arguments are read in the workspace.
    const path = resolve(index === 0 ? folder : workspace, item);
    if (isInside(workspace, path) && factsOf(path).kind === "file") files.push(path);
  }
  return files;
}
