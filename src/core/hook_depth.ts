/** How deeply this program runs within hooks and extensions of itself. */
import type { Environment } from "./host.ts";

export const depthVariable = "NIMLET_HOOK_DEPTH";

/** 0 outside of any. */
export function hookDepth(env: Pick<Environment, "get">): number {
  const depth = Number(env.get(depthVariable));
  return Number.isInteger(depth) && depth > 0 ? depth : 0;
}
