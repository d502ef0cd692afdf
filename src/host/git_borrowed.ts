/** Finds what a git folder takes from elsewhere: links and alternates that lead out of it. */
import { basename, dirname, join, resolve } from "node:path";
import { isInside } from "../lib/path_inside.ts";
import { realOf, resolveLinks } from "./folders.ts";
import { readStateFile } from "./state_files.ts";

/** Nothing of these is read by the operations that nimlet runs. */
const unread = new Set(["annex", "hooks", "lfs", "modules"]);

/** More than any repository has that is packed from time to time. */
const mostEntries = 400_000;
/** git follows alternates of alternates that far. */
const mostAlternates = 6;
const mostAlternatesBytes = 64 * 1024;

/**
 * The first part of the git folder `common` that is not inside `boundary`, as the end of a sentence:
 * `objects/pack leads to /home/ann/other/.git/objects/pack`; undefined where all of it is.
 */
export function borrowedPart(common: string, boundary: string): string | undefined {
  let left = mostEntries, alternates = 0;

  function inFolder(folder: string, name: string): string | undefined {
    for (const entry of listed(folder)) {
      if (left-- <= 0) return `${basename(common)} holds more than ${mostEntries} files`;
      const inner = name === "" ? entry.name : `${name}/${entry.name}`;
      const path = join(folder, entry.name);
      const problem = entry.isSymlink
        ? ofLink(path, inner)
        : entry.isDirectory && !(name === "" && unread.has(entry.name))
        ? inFolder(path, inner)
        : inner.endsWith("info/alternates")
        ? ofAlternates(path, inner)
        : undefined;
      if (problem !== undefined) return problem;
    }
    return undefined;
  }

  /** A link that leads nowhere yet counts by the place that it names. */
  function ofLink(path: string, name: string): string | undefined {
    const real = resolveLinks(path);
    const end = real.kind === "real" ? real.path : namedEnd(path);
    if (end !== undefined && isInside(boundary, end)) {
      return name.endsWith("info/alternates") ? ofAlternates(path, name) : undefined;
    }
    return `${name} leads to ${end ?? "an unknown place"}`;
  }

  function ofAlternates(path: string, name: string): string | undefined {
    const file = readStateFile(path, mostAlternatesBytes);
    if (file.kind === "missing") return undefined;
    if (file.kind === "unreadable") return `${name} ${file.reason}`;
    for (const line of file.text.split("\n")) {
      if (line === "" || line.startsWith("#")) continue;
      const objects = realOf(resolve(dirname(dirname(path)), line));
      if (line.startsWith('"') || !isInside(boundary, objects)) return `${name} names ${line}`;
      if (++alternates > mostAlternates) return `${name} leads on too often`;
      const problem = inFolder(objects, `${name}: ${line}`);
      if (problem !== undefined) return problem;
    }
    return undefined;
  }

  return inFolder(common, "");
}

function listed(folder: string): Iterable<Deno.DirEntry> {
  try {
    return [...Deno.readDirSync(folder)];
  } catch {
    return []; // git cannot read it either
  }
}

function namedEnd(path: string): string | undefined {
  try {
    const end = resolve(dirname(path), Deno.readLinkSync(path));
    return join(realOf(dirname(end)), basename(end));
  } catch {
    return undefined;
  }
}
