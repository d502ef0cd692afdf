/** Reads the manifests of one root of folders, as of tools and extensions; nothing there is started. */
import { sep } from "node:path";
import { kindAt, listFolder } from "./folders.ts";
import { readStateFile, readUnlinkedFile } from "./state_files.ts";
import { leadsOutside } from "./confinement.ts";

export interface ManifestRoot {
  /** Absolute; need not exist. */
  readonly path: string;
  readonly scope: "global" | "project";
}

export type FoundManifest =
  | { readonly path: string; readonly folder: string; readonly text: string }
  /** `reason` is what is wrong, without the path. */
  | { readonly path: string; readonly reason: string };

const maxManifestBytes = 1024 * 1024;
const maxFolders = 1000;

/**
 * The manifests of a root, by folder name in code unit order. `workspace` is a real path: what a
 * project's links lead out of it is reported and not read.
 */
export function manifestsIn(
  root: ManifestRoot,
  fileName: string,
  workspace: string,
): FoundManifest[] {
  const confinedTo = root.scope === "project" ? workspace : undefined;
  const list = listFolder(root.path, maxFolders);
  if (list.kind === "missing") {
    return kindAt(root.path) === "missing" ? [] : [{ path: root.path, reason: "is not a folder" }];
  }
  if (list.kind === "unreadable") return [{ path: root.path, reason: list.reason }];
  if (confinedTo !== undefined && leadsOutside(root.path, confinedTo)) {
    return [{ path: root.path, reason: outside }];
  }
  const found: FoundManifest[] = [];
  for (const entry of list.entries) {
    if (entry.kind !== "folder" && entry.kind !== "link") continue;
    const manifest = readOne(
      `${root.path}${sep}${entry.name}`,
      fileName,
      entry.kind === "link",
      confinedTo,
    );
    if (manifest !== undefined) found.push(manifest);
  }
  if (list.more) {
    found.push({
      path: root.path,
      reason: `holds more than ${maxFolders} entries; the rest is left out`,
    });
  }
  return found;
}

const outside = "leads outside the workspace through a link";

function readOne(
  folder: string,
  fileName: string,
  isLink: boolean,
  confinedTo: string | undefined,
): FoundManifest | undefined {
  const path = `${folder}${sep}${fileName}`;
  // Only a link can lead out of a root that is itself inside.
  if (isLink && confinedTo !== undefined && leadsOutside(folder, confinedTo)) {
    return kindAt(path) === "missing" ? undefined : { path, reason: outside };
  }
  const own = readUnlinkedFile(path, maxManifestBytes);
  if (own.kind === "missing") return undefined;
  if (own.kind === "link" && confinedTo !== undefined && leadsOutside(path, confinedTo)) {
    return { path, reason: outside };
  }
  const file = own.kind === "link" ? readStateFile(path, maxManifestBytes) : own;
  switch (file.kind) {
    case "text":
      return { path, folder, text: file.text };
    case "missing":
      return { path, reason: "is a link that leads nowhere" };
    case "unreadable":
      return { path, reason: file.reason };
  }
}
