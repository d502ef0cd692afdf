/** The bare client for Node, which start, steps and memory are measured against. */
import { fileURLToPath } from "node:url";
import type { Command, Kit } from "./bench_kit.ts";

/** Without Node on PATH, running it is a `NotFound`, and the row is left out. */
export function bareNodeClient({ server }: Kit): Command {
  return ["node", fileURLToPath(new URL("bench_bare_steps.mjs", import.meta.url)), server.url];
}
