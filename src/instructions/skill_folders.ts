/** Finds SKILL.md files under one root: depth, links, and what is skipped. */
import { dirname, sep } from "node:path";
import { factsOf, kindAt, listFolder, readHead, resolveLinks } from "../host/folders.ts";
import { isInside } from "../lib/path_inside.ts";
import { type Locations, shownFrom } from "./locations.ts";

/** Folders between a root and a SKILL.md; a folder with a SKILL.md is not searched further. */
const maxSkillDepth = 6;
const maxSkillFolders = 4000;

/** Absolute paths of the regular SKILL.md files under `root`, sorted folder by folder. */
export function findSkillFiles(root: string, locations: Locations, notices: string[]): string[] {
  const real = resolveLinks(root);
  const walk: Walk = { files: [], seen: new Set(), folders: 0, locations, notices };
  if (real.kind !== "real") skip(walk, root, linkProblem(real));
  else search(walk, { path: root, realPath: real.path, depth: 0 });
  if (walk.folders > maxSkillFolders) {
    skip(walk, root, `holds more than ${maxSkillFolders} folders`, "the rest was skipped");
  }
  return walk.files;
}

interface Walk {
  readonly files: string[];
  /** Real paths of the folders searched. */
  readonly seen: Set<string>;
  folders: number;
  readonly locations: Locations;
  readonly notices: string[];
}

interface Folder {
  readonly path: string;
  readonly realPath: string;
  readonly depth: number;
}

function skip(walk: Walk, path: string, why: string, what = "it was skipped"): void {
  walk.notices.push(`${shownFrom(walk.locations, path)} ${why}; ${what}.`);
}

function linkProblem(problem: { kind: "missing" } | { kind: "unreadable"; reason: string }) {
  return problem.kind === "missing" ? "is a link that leads nowhere" : problem.reason;
}

/** Looks through a folder that is no skill itself. */
function search(walk: Walk, folder: Folder): void {
  walk.seen.add(folder.realPath);
  const list = listFolder(folder.path, maxSkillFolders);
  if (list.kind !== "list") return skip(walk, folder.path, linkProblem(list));
  if (list.more) {
    skip(walk, folder.path, `holds more than ${maxSkillFolders} entries`, "the rest was skipped");
  }
  for (const { name, kind } of list.entries) {
    if (name.startsWith(".") || name === "node_modules") continue;
    const path = `${folder.path}${sep}${name}`;
    if (kind === "folder") {
      visit(walk, { path, realPath: `${folder.realPath}${sep}${name}`, depth: folder.depth + 1 });
    } else if (kind === "link") followLink(walk, path, folder);
    else if (kind === "file") judgeFile(walk, path, name, folder);
    else if (isSkillName(name)) skip(walk, path, factsText(path));
  }
}

function followLink(walk: Walk, path: string, folder: Folder): void {
  const real = resolveLinks(path);
  if (real.kind !== "real") return skip(walk, path, linkProblem(real));
  const facts = factsOf(real.path);
  if (facts.kind === "folder") {
    if (isInside(real.path, folder.realPath)) {
      return skip(walk, path, "is a link back to a folder that holds it");
    }
    return visit(walk, { path, realPath: real.path, depth: folder.depth + 1 });
  }
  if (facts.kind === "file") {
    return judgeFile(walk, path, path.slice(dirname(path).length + 1), folder);
  }
  skip(walk, path, factsText(path));
}

/** A folder with a SKILL.md is a skill; any other may hold some. */
function visit(walk: Walk, folder: Folder): void {
  if (++walk.folders > maxSkillFolders || walk.seen.has(folder.realPath)) return;
  const path = `${folder.path}${sep}SKILL.md`;
  const kind = kindAt(path);
  if (kind === "missing") {
    if (folder.depth < maxSkillDepth) return searchBelow(walk, folder);
    return skip(walk, folder.path, `lies more than ${maxSkillDepth} folders deep`);
  }
  if (kind === "file") return void walk.files.push(path);
  const real = resolveLinks(path);
  if (real.kind !== "real") return skip(walk, path, linkProblem(real));
  if (factsOf(path).kind === "file") walk.files.push(path);
  else skip(walk, path, factsText(path));
}

function searchBelow(walk: Walk, folder: Folder): void {
  const before = walk.files.length + walk.notices.length;
  search(walk, folder);
  if (folder.depth > 1 || walk.files.length + walk.notices.length > before) return;
  const list = listFolder(folder.path, 100);
  const isText = list.kind === "list" &&
    list.entries.some(({ name }) => /\.(md|markdown)$/i.test(name));
  if (isText) skip(walk, folder.path, "holds no SKILL.md");
}

function factsText(path: string): string {
  const facts = factsOf(path);
  if (facts.kind === "missing") return "is a link that leads nowhere";
  return facts.kind === "unreadable" ? facts.reason : `is ${facts.what}, not a file`;
}

function isSkillName(name: string): boolean {
  return name.toLowerCase() === "skill.md";
}

/** A file beside skill folders: a misspelt SKILL.md, a skill without a folder, a link kept as text. */
function judgeFile(walk: Walk, path: string, name: string, folder: Folder): void {
  if (isSkillName(name) && folder.depth > 0) return void walk.files.push(path);
  // Below a root, other files belong to a collection and say nothing about skills.
  if (folder.depth > 0 && name.includes(".")) return;
  const head = readHead(path, 300);
  if (head.kind !== "head") return;
  const text = new TextDecoder().decode(head.bytes);
  if (head.size <= 300 && /^\.{0,2}[\w.~@-]*(\/[\w.@ -]+)+\/?\s*$/.test(text)) {
    return skip(walk, path, `is a text file that names ${text.trim()}, not a link or a folder`);
  }
  if (/\.md$/i.test(name) && /^\ufeff?---\s*\n/.test(text)) {
    const wanted = isSkillName(name) ? "<name>/SKILL.md" : `${name.slice(0, -3)}/SKILL.md`;
    skip(walk, path, `is no folder with a SKILL.md (expected ${wanted})`);
  }
}
