/** SYSTEM.md and APPEND_SYSTEM.md: a person's own text in place of the prompt, or after it. */
import { join } from "node:path";
import { resolveLinks } from "../host/folders.ts";
import { knownMissing, type Look } from "../host/known_missing.ts";
import { isInside } from "../lib/path_inside.ts";
import { type Locations, shownFrom, within } from "./locations.ts";
import { readTextFile, readTextInside } from "./text_file.ts";

export interface SystemFiles {
  /** Stands in place of the built-in prompt. */
  readonly replace?: string;
  /** Follows it. */
  readonly append?: string;
  readonly notices: readonly string[];
}

const maxSystemFileBytes = 64 * 1024;

/**
 * Reads the files of `~/.nimlet` and, in a trusted project, of its `.nimlet`. The project's
 * SYSTEM.md takes the place of the global one; both APPEND_SYSTEM.md count, the global one first.
 */
export function readSystemFiles(
  locations: Locations & { readonly trusted: boolean },
  look: Look = knownMissing(),
): SystemFiles {
  const notices: string[] = [];
  const folders = [
    ...(locations.nimletHome === undefined
      ? []
      : [{ path: locations.nimletHome, confined: false }]),
    ...(locations.trusted ? [{ path: join(locations.workspace, ".nimlet"), confined: true }] : []),
  ].filter((folder, index, all) => index === 0 || folder.path !== all[0]?.path);
  const read = (name: string) =>
    folders.map((folder) =>
      readOne(join(folder.path, name), folder.confined, locations, look, notices)
    )
      .filter((text) => text !== undefined);
  const replace = read("SYSTEM.md").at(-1);
  const appended = read("APPEND_SYSTEM.md");
  return {
    ...(replace === undefined ? {} : { replace }),
    ...(appended.length === 0 ? {} : { append: appended.join("\n\n") }),
    notices,
  };
}

function readOne(
  path: string,
  confined: boolean,
  locations: Locations,
  look: Look,
  notices: string[],
): string | undefined {
  if (look(path) === "missing") return undefined;
  const shown = shownFrom(locations, path);
  const skip = (why: string) => void notices.push(`${shown} ${why}; it was skipped.`);
  const real = resolveLinks(path);
  if (real.kind === "missing") return skip("is a link that leads nowhere");
  if (real.kind === "unreadable") return skip(real.reason);
  if (confined && !isInside(locations.workspace, real.path)) {
    return skip("is a link that leads outside the workspace");
  }
  const file = confined
    ? readTextInside(locations, within(locations.workspace, real.path), maxSystemFileBytes)
    : readTextFile(real.path, maxSystemFileBytes);
  if (file.kind === "missing") return undefined;
  if (file.kind === "unreadable") return skip(file.reason);
  if (file.replaced) {
    notices.push(`${shown} is not valid UTF-8; the bytes that are not were replaced.`);
  }
  const text = file.text.trim();
  if (text === "") return skip("is empty");
  if (file.cutFromBytes === undefined) return text;
  notices.push(`${shown} has ${file.cutFromBytes} bytes; only ${maxSystemFileBytes} are used.`);
  return `${text}\n[... cut: ${shown} has ${file.cutFromBytes} bytes ...]`;
}
