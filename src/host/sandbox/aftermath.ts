/** What a command may have done where nothing could keep it from it: looked for, undone, and reported. */
import { dirname } from "node:path";
import { shownPath } from "../../lib/shown_path.ts";
import { isInside } from "../../lib/path_inside.ts";
import { kindAt, realOf } from "../folders.ts";
import { textAt } from "../git_repository.ts";
import { randomId } from "../random_id.ts";
import type { Protection } from "./protection.ts";

interface State {
  readonly protection: Protection;
  /** Where each protected link leads. */
  readonly links: ReadonlyMap<string, string>;
  readonly texts: ReadonlyMap<string, string | undefined>;
}

/** To be taken before the command. */
export function stateOf(protection: Protection): State {
  return {
    protection,
    links: new Map(protection.links.map((path) => [path, Deno.readLinkSync(path)])),
    texts: new Map(protection.compared.map((path) => [path, textAt(path)])),
  };
}

/** Puts back what can be; gives a sentence for each change. */
export function changesOf({ protection, links, texts }: State, workspace: string): string[] {
  const notices: string[] = [];
  for (const path of protection.watched) {
    // a folder on the way may be a link by now: then it must lead to nothing that was not the command's
    const parent = realOf(dirname(path));
    const isKept = parent !== dirname(path) && !isInside(workspace, parent);
    if (kindAt(path) === "missing" || isKept) continue;
    notices.push(`${shownPath(path)} was made by a command; ${setAside(path)}`);
  }
  for (const [path, target] of links) {
    if (kindAt(path) === "link" && Deno.readLinkSync(path) === target) continue;
    const aside = kindAt(path) === "missing" ? "" : `; ${setAside(path)}`;
    Deno.symlinkSync(target, path);
    notices.push(`the link ${shownPath(path)} was replaced by a command, and was put back${aside}`);
  }
  for (const [path, text] of texts) {
    if (textAt(path) === text) continue;
    notices.push(`${shownPath(path)} changed while a command ran: look at it before you use git`);
  }
  return notices;
}

/** Takes a name away from what git would read; what it holds stays. */
function setAside(path: string): string {
  const other = `${dirname(path)}/nimlet-set-aside-${randomId(8)}`;
  Deno.renameSync(path, other);
  return `it was renamed to ${shownPath(other)}`;
}
