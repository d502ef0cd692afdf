/** Finds extensions: which roots, which names, what is skipped. Nothing is started. */
import { isAbsolute, resolve } from "node:path";
import { realOf } from "../host/folders.ts";
import { type FoundManifest, type ManifestRoot, manifestsIn } from "../host/manifest_folders.ts";
import { isInside } from "../lib/path_inside.ts";
import { type Manifest, readManifest } from "./manifest.ts";

export interface FoundExtension {
  /** Unique: of two with one name the second is shown as `x-2`. */
  readonly name: string;
  /** For sentences: `the extension x`, `the guard x`. */
  readonly title: string;
  readonly scope: "global" | "project";
  /** Absolute. */
  readonly folder: string;
  /** Path of the manifest. */
  readonly file: string;
  readonly manifest: Manifest;
}

export interface DiscoveredExtensions {
  readonly extensions: readonly FoundExtension[];
  /** One sentence a manifest, for people. */
  readonly warnings: readonly string[];
}

const maxExtensions = 64;

/** Those of all roots, in order; within a root folders are read in code unit order. */
export async function discoverExtensions(
  roots: readonly ManifestRoot[],
  workspace: string,
): Promise<DiscoveredExtensions> {
  const extensions: FoundExtension[] = [], warnings: string[] = [], seen = new Set<string>();
  const real = realOf(workspace);
  for (const root of roots) {
    // a folder that is reached by two roots counts once
    if (seen.has(realOf(root.path))) continue;
    seen.add(realOf(root.path));
    for (const found of manifestsIn(root, "extension.json", real)) {
      const problem = await add(found, root.scope, extensions, warnings);
      if (problem !== undefined) warnings.push(`${found.path}: ${problem}; skipped`);
    }
  }
  return { extensions, warnings };
}

/** What is wrong with one. */
async function add(
  found: FoundManifest,
  scope: FoundExtension["scope"],
  extensions: FoundExtension[],
  warnings: string[],
): Promise<string | undefined> {
  if ("reason" in found) return found.reason;
  const reading = await readManifest(found.text);
  if ("problems" in reading) return reading.problems.join("; ");
  const { manifest, notices } = reading;
  const [program] = manifest.command;
  const isWithin = isInside(found.folder, resolve(found.folder, program));
  if (program.includes("/") && !isAbsolute(program) && !isWithin) {
    return `command[0]: ${JSON.stringify(program)} leads outside the extension's folder`;
  }
  if (extensions.length >= maxExtensions) return `there are more than ${maxExtensions} extensions`;
  const name = freeName(manifest.name, extensions);
  if (name !== manifest.name) {
    warnings.push(`${found.path}: the name ${manifest.name} is taken; it is shown as ${name}`);
  }
  for (const notice of notices) warnings.push(`${found.path}: ${notice}`);
  extensions.push({
    name,
    title: `the ${manifest.guards ? "guard" : "extension"} ${name}`,
    scope,
    folder: found.folder,
    file: found.path,
    manifest,
  });
  return undefined;
}

function freeName(name: string, taken: readonly FoundExtension[]): string {
  const isFree = (candidate: string) =>
    !taken.some((one) => one.name.toLowerCase() === candidate.toLowerCase());
  if (isFree(name)) return name;
  for (let number = 2;; number++) if (isFree(`${name}-${number}`)) return `${name}-${number}`;
}
