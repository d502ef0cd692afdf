/** The five folders that hold skills and prompt templates, in ascending precedence. */
import { join } from "node:path";
import { kindAt, resolveLinks } from "../host/folders.ts";
import type { Locations } from "./locations.ts";

export interface Root {
  readonly path: string;
  readonly scope: "global" | "project";
}

/**
 * Where `kind` is kept, as far as there is something; the project's folders only where it is trusted. Each place once: where two
 * paths lead to one folder the first counts.
 */
export function rootsOf(
  kind: "skills" | "prompts",
  locations: Locations & { readonly trusted: boolean },
): Root[] {
  const { home, nimletHome, workspace, trusted } = locations;
  const roots: Root[] = [];
  if (home !== undefined) roots.push({ path: join(home, ".agents", kind), scope: "global" });
  if (nimletHome !== undefined) roots.push({ path: join(nimletHome, kind), scope: "global" });
  for (const folder of trusted ? [".agent", ".agents", ".nimlet"] : []) {
    roots.push({ path: join(workspace, folder, kind), scope: "project" });
  }
  const seen = new Set<string>();
  return roots.filter((root) => {
    if (kindAt(root.path) === "missing") return false;
    const real = resolveLinks(root.path);
    // What cannot be resolved stays: listing it says why.
    if (real.kind !== "real") return true;
    if (seen.has(real.path)) return false;
    seen.add(real.path);
    return true;
  });
}
