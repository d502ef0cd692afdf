/** What a folder can contain of its own: files and folders that configure, run, or are read. */
import { join } from "node:path";
import { kindAt, listFolder, realOf } from "../host/folders.ts";

export interface ProjectPart {
  /** Relative to the workspace, with `/`. */
  readonly name: string;
  /** Can run or redirect keys, so that trust ends when its content changes. */
  readonly covered: boolean;
}

/** Folders that count as the user's own, should the workspace be the folder that holds them. */
export interface OwnFolders {
  /** `NIMLET_HOME`, or `~/.nimlet`. */
  readonly nimletHome?: string | undefined;
  readonly home?: string | undefined;
}

/** What `workspace` holds of its own; by name, so that no result depends on the disk's order. */
export function projectParts(workspace: string, own: OwnFolders = {}): ProjectPart[] {
  const users = [own.nimletHome, own.home === undefined ? undefined : join(own.home, ".agents")]
    .filter((path) => path !== undefined).map(realOf);
  const parts: ProjectPart[] = kindAt(join(workspace, serverFile)) === "missing"
    ? []
    : [{ name: serverFile, covered: true }];
  for (const folder of [".agent", ".agents", ".nimlet"]) {
    const kind = kindAt(join(workspace, folder));
    if (kind !== "folder" && kind !== "link") continue;
    if (users.includes(realOf(join(workspace, folder)))) continue;
    parts.push(...filesOf(workspace, folder), ...foldersOf(workspace, folder));
  }
  return parts;
}

/** The servers of the project, in the form that many programs share. */
const serverFile = ".mcp.json";

const files = [
  { name: "config.json", covered: true },
  { name: "permissions.json", covered: true },
  { name: "SYSTEM.md", covered: false },
  { name: "APPEND_SYSTEM.md", covered: false },
];

const folders = [
  { name: "tools", covered: true, in: [".agent", ".nimlet"] },
  { name: "extensions", covered: true, in: [".agent", ".nimlet"] },
  { name: "skills", covered: false, in: [".agent", ".agents", ".nimlet"] },
  { name: "prompts", covered: false, in: [".agent", ".agents", ".nimlet"] },
];

/** A folder that holds more is named as a whole as well. */
const maxEntries = 1000;

/** Files that only keep an empty folder, or that systems leave behind. */
const keepers = new Set([".DS_Store", ".gitattributes", ".gitignore", ".gitkeep", ".keep"]);

function filesOf(workspace: string, folder: string): ProjectPart[] {
  if (folder !== ".nimlet") return [];
  return files.filter(({ name }) => kindAt(join(workspace, folder, name)) !== "missing")
    .map(({ name, covered }) => ({ name: `${folder}/${name}`, covered }));
}

function foldersOf(workspace: string, folder: string): ProjectPart[] {
  return folders.filter((one) => one.in.includes(folder)).flatMap(({ name, covered }) => {
    const root = `${folder}/${name}`;
    const path = join(workspace, root);
    const kind = kindAt(path);
    if (kind === "missing") return [];
    const list = listFolder(path, maxEntries);
    if (list.kind !== "list") return [{ name: root, covered }];
    const entries = list.entries
      .filter(({ name, kind }) => kind !== "file" || !keepers.has(name))
      .map((entry) => ({ name: `${root}/${entry.name}`, covered }));
    // Where a link leads, and what a full folder leaves out, is part of what was agreed to.
    return kind === "link" || list.more ? [{ name: root, covered }, ...entries] : entries;
  });
}
