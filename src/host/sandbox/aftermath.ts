/** What a command may have done where nothing could keep it from it: looked for, undone, and reported. */
import { dirname, join } from "node:path";
import { messageOf } from "../../core/failure.ts";
import { isInside } from "../../lib/path_inside.ts";
import { shownPath } from "../../lib/shown_path.ts";
import { kindAt, realOf } from "../folders.ts";
import { isGitFolder, textAt } from "../git_repository.ts";
import { randomId } from "../random_id.ts";
import type { Protection } from "./protection.ts";

interface State {
  readonly workspace: string;
  readonly bare: BareState;
  /** Files that must not come to be. */
  readonly watched: readonly string[];
  /** Where each protected link leads. */
  readonly links: ReadonlyMap<string, string>;
  readonly texts: ReadonlyMap<string, string | undefined>;
}

/** What git would take a workspace without `.git` for. To be taken before anything runs. */
export interface BareState {
  /** True where the workspace itself is a repository's data. */
  readonly isRepository: boolean;
  readonly hasHead: boolean;
}

export function bareStateOf(workspace: string): BareState {
  return {
    isRepository: isGitFolder(workspace),
    hasHead: kindAt(join(workspace, "HEAD")) !== "missing",
  };
}

/** True for what would make a repository of the workspace itself, settings and all. */
export function makesBare({ isRepository, hasHead }: BareState, workspace: string, path: string) {
  if (isRepository) return false;
  const names = hasHead ? ["HEAD", "objects", "refs"] : ["HEAD"];
  return names.some((name) => isInside(join(workspace, name), path));
}

const devices = ["null", "zero", "full", "random", "urandom", "tty"].map((name) => `/dev/${name}`);

/** Modes of devices, which commands see as they are: root can change them. To be taken at the start. */
export function deviceModes(): ReadonlyMap<string, number> {
  return new Map(
    devices.filter((path) => Deno.uid() === 0 && kindAt(path) !== "missing")
      .map((path) => [path, modeOf(path)]),
  );
}

/** Puts back what was changed; gives a sentence for each. */
export function putBackModes(modes: ReadonlyMap<string, number>): string[] {
  const changed = [...modes].filter(([path, mode]) => modeOf(path) !== mode);
  return changed.map(([path, mode]) => {
    Deno.chmodSync(path, mode);
    return `the mode of ${path} was changed by a command; it was put back`;
  });
}

function modeOf(path: string): number {
  return (Deno.lstatSync(path).mode ?? 0) & 0o7777;
}

/** To be taken before the command. */
export function stateOf(
  { watched, links, compared }: Protection,
  workspace: string,
  bare: BareState,
): State {
  return {
    workspace,
    bare,
    watched,
    links: new Map(links.map((path) => [path, Deno.readLinkSync(path)])),
    texts: new Map(compared.map((path) => [path, textAt(path)])),
  };
}

/** Puts back what can be; gives a sentence for each change. */
export function changesOf({ workspace, bare, watched, links, texts }: State): string[] {
  const notices: string[] = [];
  for (const path of watched) {
    // a folder on the way may be a link by now: then it must lead to what is the command's
    const parent = realOf(dirname(path));
    const isKept = parent !== dirname(path) && !isInside(workspace, parent);
    if (kindAt(path) === "missing" || isKept) continue;
    notices.push(`${shownPath(path)} was made by a command; ${setAside(path)}`);
  }
  const head = join(workspace, "HEAD");
  const isNewHead = !bare.hasHead &&
    (kindAt(head) === "link" || /^(ref:|[0-9a-f]{40})/.test(textAt(head) ?? ""));
  if (!bare.isRepository && (isNewHead || isGitFolder(workspace))) {
    notices.push(`a command made a repository of the workspace itself; ${setAside(head)}`);
  }
  for (const [path, target] of links) {
    if (kindAt(path) === "link" && Deno.readLinkSync(path) === target) continue;
    notices.push(`the link ${shownPath(path)} was replaced by a command; ${putBack(path, target)}`);
  }
  for (const [path, text] of texts) {
    if (textAt(path) === text) continue;
    notices.push(`${shownPath(path)} changed while a command ran: look at it before you use git`);
  }
  return notices;
}

function putBack(path: string, target: string): string {
  const aside = kindAt(path) === "missing" ? "" : `, ${setAside(path)}`;
  try {
    Deno.symlinkSync(target, path);
    return `it was put back${aside}`;
  } catch (error) {
    return `it could not be put back (${messageOf(error)})${aside}`;
  }
}

/** Takes a name away from what git would read; what it holds stays. */
function setAside(path: string): string {
  const other = `${dirname(path)}/nimlet-set-aside-${randomId(8)}`;
  try {
    Deno.renameSync(path, other);
    return `it was renamed to ${shownPath(other)}`;
  } catch (error) {
    return `it could not be renamed (${messageOf(error)}): remove it before you use git`;
  }
}
