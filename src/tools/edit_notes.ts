/** Owns what a result tells of a replaced file beside its text: links, owner. */
import { shownPath } from "../host/files/path_rule.ts";
import type { WriteOutcome } from "../host/files/replace_file.ts";
import { counted } from "./file_result.ts";

/** A replaced file is a new one: other hard links go on holding the old content. */
export function linksNote({ replaced }: WriteOutcome): Record<string, string> {
  if (replaced === undefined || replaced.links < 2) return {};
  const others = counted(replaced.links - 1, "other name");
  return { "hard links": `${others} of this file no longer belong to it and keep the old content` };
}

export function ownerNote({ ownerKept }: WriteOutcome): Record<string, string> {
  return ownerKept ? {} : { owner: "could not be kept; the file now belongs to this user" };
}

/** The file behind a link, where the path is one. */
export function targetOf({ place }: WriteOutcome): string | undefined {
  return place.throughLink ? shownPath(place.realPath) : undefined;
}
