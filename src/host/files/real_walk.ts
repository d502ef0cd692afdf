/**
 * The steps by which a path is followed through folders and links without leaving the workspace.
 *
 * A check of a path string is worth nothing once somebody swaps a folder for a link, so no path is
 * used twice: the process steps into a folder, asks the kernel where it now stands, and whatever
 * follows uses bare names from there. All of it happens in one synchronous stretch, and the rest of
 * the program uses absolute paths only, so nobody else sees the change of folder.
 */
import { ToolFailure } from "../../core/failure.ts";
import { isInside } from "../../lib/path_inside.ts";
import { shownPath } from "../../lib/shown_path.ts";
import { leadsInto } from "../same_place.ts";
import { type FileKind, kindOf, notAFile } from "./file_kind.ts";
import { errorCode, osFailure } from "./os_error.ts";
import { inOwnFolder, isShellWord, notExpanded, outsideWorkspace } from "./path_rule.ts";

const maxLinks = 40;

export interface Walk {
  readonly root: string;
  /** Real path of nimlet's own folder, which no step may lead into. */
  readonly own: string | undefined;
  /** As the caller wrote it, for messages. */
  readonly path: string;
  links: number;
  /** Real paths of the folders made on the way. */
  readonly made: string[];
}

/** Steps into `folder`, hands its real path over, and steps back, whatever happens. */
export function fromFolder<T>(folder: string, use: (root: string) => T): T {
  let back: string | undefined;
  try {
    back = Deno.cwd();
  } catch {
    // The folder the program was started in is gone; there is nothing to go back to.
  }
  try {
    try {
      Deno.chdir(folder);
    } catch (error) {
      throw new ToolFailure("io_error", "the workspace can no longer be entered", { cause: error });
    }
    const root = Deno.cwd();
    // Somebody may have put a link, or another folder, in the place of the one that was chosen.
    if (root !== folder && !leadsInto(folder, root)) {
      throw new ToolFailure("io_error", `the workspace is no longer at ${shownPath(folder)}`);
    }
    return use(root);
  } finally {
    stepBack(back ?? folder);
  }
}

/** Steps into a folder by its segments from here, and makes sure that it is inside. */
export function enter(walk: Walk, segments: readonly string[], make: boolean): void {
  if (segments.length > 0 && !enteredAtOnce(segments)) {
    for (const segment of segments) enterOne(walk, segment, make);
  }
  assertInside(walk);
}

function enteredAtOnce(segments: readonly string[]): boolean {
  try {
    Deno.chdir(segments.join("/"));
    return true;
  } catch {
    return false; // The walk by single steps says why, or succeeds.
  }
}

/** How often a folder may come and go between two looks at it. */
const maxTries = 10;

function enterOne(walk: Walk, segment: string, make: boolean): void {
  for (let tries = 1;; tries++) {
    try {
      Deno.chdir(segment);
    } catch (error) {
      // Before anything is said about or made in a folder, it must be one of the workspace.
      assertInside(walk);
      const info = infoOf(walk, segment);
      if (info?.isSymlink) return enterLink(walk, segment);
      if (info !== undefined && !info.isDirectory) {
        throw notAFolder(walk.path, segment, kindOf(info));
      }
      if (!make || errorCode(error) !== "ENOENT" || tries === maxTries) throw fail(walk, error);
      // where there is one, somebody else has made it just now
      if (info === undefined) makeFolder(walk, segment);
      continue;
    }
    if (tries > 1) assertInside(walk);
    return;
  }
}

/** Goes where a link leads that the kernel would not follow, to learn whether that is outside. */
function enterLink(walk: Walk, name: string): void {
  const target = readLink(walk, name);
  if (target.startsWith("/")) Deno.chdir("/");
  for (const segment of target.split("/")) {
    if (segment !== "" && segment !== ".") enterOne(walk, segment, false);
  }
  assertInside(walk);
}

function makeFolder(walk: Walk, segment: string): void {
  if (isShellWord(segment)) throw notExpanded(walk.path, segment);
  const folder = `${Deno.cwd()}/${segment}`;
  try {
    Deno.mkdirSync(segment, { mode: 0o777 });
    walk.made.push(folder);
  } catch (error) {
    if (errorCode(error) !== "EEXIST") throw osFailure(error, walk.path, "create");
  }
}

/** Follows the links at `name`, stepping from folder to folder; each must be inside. */
export function followLinks(
  walk: Walk,
  name: string,
): { name: string; info: Deno.FileInfo | undefined } {
  for (;;) {
    const info = infoOf(walk, name);
    if (!info?.isSymlink) return { name, info };
    const link = `${Deno.cwd()}/${name}`;
    const target = readLink(walk, name);
    const segments = target.split("/").filter((segment) => segment !== "" && segment !== ".");
    const last = segments.at(-1);
    const namesFolder = last === undefined || last === ".." || /\/\.?$/.test(target);
    try {
      if (target.startsWith("/")) Deno.chdir("/");
      enter(walk, namesFolder ? segments : segments.slice(0, -1), false);
    } catch (error) {
      const isOutside = error instanceof ToolFailure && error.code === "outside_workspace";
      const kind = isOutside ? specialKind(link) : undefined;
      throw kind === undefined ? error : outsideWorkspace(walk.path, kind);
    }
    if (namesFolder) throw notAFile(walk.path, "folder");
    name = last;
  }
}

/** Names a device, FIFO or socket that a link outside leads to; says nothing of other things there. */
function specialKind(link: string): string | undefined {
  try {
    const kind = kindOf(Deno.statSync(link));
    return kind === "file" || kind === "folder" ? undefined : `a ${kind}`;
  } catch {
    return undefined;
  }
}

function readLink(walk: Walk, name: string): string {
  walk.links += 1;
  if (walk.links > maxLinks) {
    throw new ToolFailure("io_error", `too many symbolic links: ${shownPath(walk.path)}`);
  }
  try {
    return Deno.readLinkSync(name);
  } catch (error) {
    throw fail(walk, error);
  }
}

function infoOf(walk: Walk, name: string): Deno.FileInfo | undefined {
  try {
    return Deno.lstatSync(name);
  } catch (error) {
    if (errorCode(error) === "ENOENT") return undefined;
    throw fail(walk, error);
  }
}

export function assertInside(walk: Walk): void {
  let here: string;
  try {
    here = Deno.cwd();
  } catch (error) {
    throw fail(walk, error);
  }
  if (!isInside(walk.root, here)) throw outsideWorkspace(walk.path);
  if (walk.own !== undefined && leadsInto(walk.own, here)) throw inOwnFolder(walk.path);
}

function fail(walk: Walk, error: unknown): unknown {
  return osFailure(error, walk.path, "reach");
}

export function notAFolder(path: string, segment: string, kind: FileKind): ToolFailure {
  return new ToolFailure(
    "not_found",
    `not a folder: ${shownPath(segment)} in ${shownPath(path)} is a ${kind}`,
  );
}

function stepBack(folder: string): void {
  try {
    Deno.chdir(folder);
  } catch {
    Deno.chdir("/"); // The folder went away meanwhile; any existing one will do.
  }
}
