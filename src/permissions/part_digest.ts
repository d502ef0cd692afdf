/** Owns the digests that trust holds for: what of a project's parts can run or redirect keys. */
import { isAbsolute, join, relative } from "node:path";
import { isJsonObject, type Json } from "../core/json.ts";
import { contentDigest } from "../host/content_digest.ts";
import { factsOf, kindAt } from "../host/folders.ts";
import { readStateFile } from "../host/state_files.ts";
import type { ProjectPart } from "./project_parts.ts";

/** Digests by the part's name, of the covered parts only. */
export async function partDigests(
  workspace: string,
  parts: readonly ProjectPart[],
): Promise<Record<string, string>> {
  const covered = parts.filter((part) => part.covered);
  const digests = await Promise.all(covered.map((part) => partDigest(workspace, part.name)));
  return Object.fromEntries(covered.map((part, index) => [part.name, digests[index]!]));
}

/** The digest of one part as it is now. */
export async function partDigest(workspace: string, name: string): Promise<string> {
  const path = join(workspace, name);
  // The entries of a folder that is named as a whole have digests of their own.
  if (name.split("/").length === 2 && kindAt(path) === "folder") return "folder";
  return await contentDigest([path, ...await namedFiles(workspace, path)]);
}

const maxManifestBytes = 1024 * 1024;

/** Files of the project that a manifest's command names beside its own folder. */
async function namedFiles(workspace: string, folder: string): Promise<string[]> {
  const file = readStateFile(join(folder, "tool.json"), maxManifestBytes);
  if (file.kind !== "text") return [];
  const manifest = await parse(file.text);
  const command = isJsonObject(manifest) ? manifest.command : undefined;
  if (!Array.isArray(command)) return [];
  return command.slice(0, 100).filter((item) => typeof item === "string" && item !== "")
    .map((item, index) => {
      const text = item as string;
      if (isAbsolute(text)) return text;
      // The first item is looked up in the tool's folder, arguments are read in the workspace.
      return join(index === 0 ? folder : workspace, text);
    })
    .filter((path) => !relative(workspace, path).startsWith("..") && isFile(path));
}

function isFile(path: string): boolean {
  return !path.includes("\0") && factsOf(path).kind === "file";
}

async function parse(text: string): Promise<Json | undefined> {
  try {
    return JSON.parse(text.replace(/^\ufeff/, "")) as Json;
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
  }
  const { parseJsonc } = await import("../lib/jsonc.ts");
  const parsed = parseJsonc(text);
  return "value" in parsed ? parsed.value : undefined;
}
