/** What a result says of a replaced file beside its text: links, owner. */
import type { WriteOutcome } from "../host/files/replace_file.ts";
import { shownPath } from "../lib/shown_path.ts";
import { counted } from "./file_result.ts";

/** A replaced file is a new one: other hard links go on holding the old content. */
export function linksNote({ replaced }: WriteOutcome): Record<string, string> {
  if (replaced === undefined || replaced.links < 2) return {};
  const others = counted(replaced.links - 1, "other name");
  return { "hard links": `${others} of this file no longer belong to it and keep the old content` };
}

/** Owner and mode that the system did not let the new file have. */
export function lostNote({ lost, written }: WriteOutcome): Record<string, string> {
  return Object.fromEntries(
    lost.map((what) => [
      what,
      what === "owner"
        ? "could not be kept; the file now belongs to this user"
        : `could not be kept; it is now ${written.mode.toString(8).padStart(4, "0")}`,
    ]),
  );
}

/** A program that has the replaced file open writes to one that has no name any more. */
export function openElsewhereNote({ openElsewhere }: WriteOutcome): Record<string, string> {
  if (!openElsewhere) return {};
  return {
    "open elsewhere":
      "another program has the replaced file open; what it writes there from now on is not in this one",
  };
}

/** The file that a link leads to, where the path is one. */
export function targetOf({ place }: WriteOutcome): string | undefined {
  return place.throughLink ? shownPath(place.realPath) : undefined;
}
