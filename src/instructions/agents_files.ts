/** The instruction files of folders: which count, in what order, and when they are attached. */
import { dirname, join, relative, resolve, sep } from "node:path";
import { byteLength, headOf } from "../lib/well_formed.ts";
import { factsOf, isForeign, resolveLinks } from "../host/folders.ts";
import { knownMissing, type Look } from "../host/known_missing.ts";
import type { PathProblem } from "../host/path_problem.ts";
import { type RecentReads, recentReads } from "../host/recent_reads.ts";
import { isInside } from "../lib/path_inside.ts";
import { shownWhole } from "../lib/shown_path.ts";
import { forwardSlashes } from "../lib/slashes.ts";
import { type Locations, shownFrom, within } from "./locations.ts";
import { readTextFile, readTextInside, type TextFile } from "./text_file.ts";

export interface Instructions {
  /** Ready for the prompt; empty where there are none. */
  readonly text: string;
  /** Labels of the files in `text`, in their order. */
  readonly sources: readonly string[];
  /** What a person should know; each sentence is given once by a tracker. */
  readonly notices: readonly string[];
}

/** Knows what was attached in this session; every call reads the files as they are now. */
export interface InstructionTracker {
  /** Global file, then repository root down to the workspace. For every turn: edits count at once. */
  current(): Instructions;
  /**
   * Files in the folders between the workspace and `path`, a file that was just read (absolute or
   * relative to the workspace). Each is given once a session, and again after its text changed.
   */
  below(path: string): Instructions;
}

export interface InstructionLocations extends Locations {
  /** Where not, links of instruction files stay in the workspace, or in their own folder above it. */
  readonly trusted: boolean;
}

/** In order of precedence; one a folder. */
export const instructionFileNames = ["AGENTS.override.md", "AGENTS.md", "CLAUDE.md"] as const;
const maxInstructionFileBytes = 64 * 1024;
export const maxInstructionBytes = 256 * 1024;

/** How trackers of the same folders save one another work. */
export interface InstructionAccess {
  readonly look: Look;
  readonly reads: RecentReads<FileRead>;
}

export const instructionAccess = (): InstructionAccess => ({
  look: knownMissing(),
  reads: recentReads(),
});

export function trackInstructions(
  locations: InstructionLocations,
  access = instructionAccess(),
): InstructionTracker {
  const reported = new Set<string>();
  const attached = new Map<string, string>();
  const { look } = access;
  const finish = (found: Found[], notices: string[]): Instructions => {
    const text = withinBounds(found, notices);
    const fresh = notices.filter((notice) => !reported.has(notice));
    for (const notice of fresh) reported.add(notice);
    return { text, sources: found.map((file) => file.label), notices: fresh };
  };
  return {
    current() {
      const notices: string[] = [];
      const root = repositoryRoot(locations.workspace, look);
      const found = foldersBetween(root, locations.workspace)
        .map((folder) => instructionsOf(folder, root, locations, access, notices));
      const { nimletHome } = locations;
      if (nimletHome !== undefined) {
        found.unshift(instructionsOf(nimletHome, undefined, locations, access, notices));
      }
      return finish(withoutRepeats(found), notices);
    },
    below(path) {
      const notices: string[] = [];
      const real = resolveLinks(resolve(locations.workspace, path));
      if (real.kind !== "real" || !isInside(locations.workspace, real.path)) {
        return { text: "", sources: [], notices: [] };
      }
      const root = repositoryRoot(locations.workspace, look);
      const folders = foldersBetween(locations.workspace, dirname(real.path)).slice(1);
      const found = withoutRepeats(
        folders.map((folder) => instructionsOf(folder, root, locations, access, notices)),
      ).filter((file) => {
        const known = attached.get(file.path) === file.text;
        attached.set(file.path, file.text);
        // Its own text is what was just read.
        return !known && file.path !== real.path;
      });
      return finish(found, notices);
    },
  };
}

interface Found {
  readonly path: string;
  readonly label: string;
  readonly text: string;
  /** Bytes of the whole file where `text` is only its start. */
  readonly cutFromBytes: number | undefined;
  readonly global: boolean;
}

/** The nearest folder at or above `workspace` that holds `.git`, else the workspace. */
function repositoryRoot(workspace: string, look: Look): string {
  for (let folder = workspace;; folder = dirname(folder)) {
    if (look(join(folder, ".git")) !== "missing") return folder;
    if (dirname(folder) === folder) return workspace;
  }
}

/** `top`, and every folder from there down to `bottom`. */
function foldersBetween(top: string, bottom: string): string[] {
  const names = relative(top, bottom).split(sep).filter((name) => name !== "");
  return [top, ...names.map((_, index) => join(top, ...names.slice(0, index + 1)))];
}

/** The first usable file of a folder, in the repository at `root`; without one it is the global file. */
function instructionsOf(
  folder: string,
  root: string | undefined,
  locations: InstructionLocations,
  { look, reads }: InstructionAccess,
  notices: string[],
): Found | undefined {
  const isAbove = root !== undefined && !isInside(locations.workspace, folder);
  const boundary = root === undefined || locations.trusted
    ? root
    : isAbove
    ? folder
    : locations.workspace;
  for (const name of instructionFileNames) {
    const path = join(folder, name);
    const kind = look(path);
    if (kind === "missing") continue;
    const label = labelOf(path, boundary, locations);
    const skip = (why: string) => notices.push(`${label} ${why}; it was skipped.`);
    const real = kind === "link" ? resolveLinks(path) : { kind: "real", path } as const;
    if (real.kind === "missing") skip("is a link that leads nowhere");
    else if (real.kind === "unreadable") skip(real.reason);
    else if (boundary !== undefined && !isInside(boundary, real.path)) {
      skip(leadsOut(boundary, root, locations));
    } else {
      const file = reads(
        real.path,
        `${boundary}\0${real.path}`,
        () => readInstructions(real.path, boundary, locations),
      );
      if (file.kind === "unreadable") skip(file.reason);
      if (file.kind !== "text") continue;
      if (isAbove && isForeign(file.uid ?? 0, [ownerOf(locations.workspace)])) {
        // Whoever may write to a folder far above could else speak to the model.
        skip("belongs to another user than the workspace");
        continue;
      }
      if (file.replaced) {
        notices.push(`${label} is not valid UTF-8; the bytes that are not were replaced.`);
      }
      const { text, cutFromBytes } = file;
      return { path: real.path, label, text, cutFromBytes, global: boundary === undefined };
    }
  }
  return undefined;
}

type FileRead = TextFile & { readonly uid?: number } | PathProblem;

/** Only the global file may be anywhere; any other is opened inside its boundary. */
function readInstructions(
  path: string,
  boundary: string | undefined,
  { nimletHome }: Locations,
): FileRead {
  if (boundary === undefined) return readTextFile(path, maxInstructionFileBytes);
  const bounds = { workspace: boundary, nimletHome };
  return readTextInside(bounds, within(boundary, path), maxInstructionFileBytes);
}

function leadsOut(
  boundary: string,
  root: string | undefined,
  locations: InstructionLocations,
): string {
  if (boundary === root) return "is a link that leads outside the project";
  return boundary === locations.workspace
    ? "is a link that leads outside the workspace, and this folder is not trusted"
    : "is a link that leads outside its folder, and the workspace is not trusted";
}

function ownerOf(path: string): number | undefined {
  const facts = factsOf(path);
  return facts.kind === "missing" || facts.kind === "unreadable" ? undefined : facts.uid;
}

/** Relative to the workspace, also above it; the global file from `~`. */
function labelOf(path: string, boundary: string | undefined, locations: Locations): string {
  if (boundary === undefined) return shownFrom(locations, path);
  return shownWhole(forwardSlashes(relative(locations.workspace, path)));
}

/** Files that hold something, each once, at its last place. */
function withoutRepeats(found: readonly (Found | undefined)[]): Found[] {
  const files = found.filter((file) => file !== undefined && file.text.trim() !== "") as Found[];
  return files.filter((file, index) =>
    !files.slice(index + 1).some((later) => later.path === file.path)
  );
}

/** The files' texts under their labels; the ones farthest from the work are the first to be cut. */
function withinBounds(files: readonly Found[], notices: string[]): string {
  let left = maxInstructionBytes;
  const nearestFirst = [
    ...files.filter((file) => file.global),
    ...files.filter((file) => !file.global).reverse(),
  ];
  const blocks = new Map<Found, string>();
  for (const file of nearestFirst) {
    const bytes = byteLength(file.text);
    const text = bytes <= left ? file.text : headOf(file.text, left);
    const kept = byteLength(text);
    left -= kept;
    blocks.set(file, block(file, text, kept, bytes, notices));
  }
  return files.map((file) => blocks.get(file)).join("\n");
}

function block(file: Found, text: string, kept: number, bytes: number, notices: string[]): string {
  const whole = file.cutFromBytes ?? bytes;
  const lines = [`<instructions from="${file.label}">`, text.trimEnd()];
  if (file.cutFromBytes !== undefined || kept < bytes) {
    lines.push(`[... cut: ${file.label} has ${whole} bytes, only its start is given here ...]`);
    notices.push(`${file.label} has ${whole} bytes; the model is given the first ${kept}.`);
  }
  return [...lines, "</instructions>", ""].join("\n");
}
