/** Starts extensions to see whether they register; ends them again. */
import { extensionProbe } from "../core/extension_facts.ts";
import { RunFailure } from "../core/failure.ts";
import type { Probe } from "../core/probe.ts";
import { sideWithoutSession } from "./extension_tools.ts";
import type { Extensions } from "./extensions.ts";

/** One probe each, in their order. */
export async function probeExtensions(
  extensions: Extensions | undefined,
  signal: AbortSignal,
): Promise<readonly Probe[]> {
  const pool = extensions?.pool;
  if (pool === undefined) return [];
  const problems: Probe[] = [];
  try {
    pool.attach(sideWithoutSession("act", () => {}));
    await pool.ready(signal).catch((error) => {
      if (!(error instanceof RunFailure)) throw error;
      problems.push({ ok: false, text: error.message });
    });
    return [...pool.states().map(extensionProbe), ...problems];
  } finally {
    await pool.close("end");
  }
}
