/** Looks again and again at places where mostly nothing is. */
import { existsSync } from "node:fs";
import { type EntryKind, kindAt } from "./folders.ts";

/** What is at a path itself, links not followed. */
export type Look = (path: string) => EntryKind | "missing";

/**
 * A `kindAt` that remembers where nothing was, and asks there only whether something is by now: the
 * runtime makes an error with a stack for each missing file, 30 us against 2. A link that leads
 * nowhere, made at such a place meanwhile, stays unseen.
 */
export function knownMissing(): Look {
  const missing = new Set<string>();
  return (path) => {
    if (missing.has(path) && !existsSync(path)) return "missing";
    const kind = kindAt(path);
    if (kind === "missing") missing.add(path);
    else missing.delete(path);
    return kind;
  };
}
