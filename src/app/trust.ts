/** Decides whether the folder's own parts are used. */
import type { Host } from "../core/host.ts";
import type { Person } from "../core/person.ts";
import { messageOf } from "../core/failure.ts";
import { visibleText } from "../lib/visible_text.ts";
import { judgeTrust, setTrust, type TrustPlace } from "../permissions/trust.ts";
import type { RunOptions } from "./run_options.ts";

export interface Trust {
  readonly trusted: boolean;
  readonly notices: readonly string[];
}

export interface TrustCircumstances {
  readonly runOptions: Pick<RunOptions, "approve">;
  readonly host: Host;
  readonly workspace: string;
  readonly nimletHome: string | undefined;
  readonly person: Person | undefined;
  readonly signal: AbortSignal;
}

/** Asks where somebody can be asked and has not answered yet. Rejects with the signal's reason. */
export async function decideTrust(circumstances: TrustCircumstances): Promise<Trust> {
  const { runOptions, host, workspace, nimletHome, person, signal } = circumstances;
  if (runOptions.approve !== undefined) return { trusted: runOptions.approve, notices: [] };
  const place: TrustPlace = { workspace, nimletHome, home: host.env.home };
  const { state, parts, changes, warnings } = await judgeTrust(place);
  const without = (notice?: string): Trust => ({
    trusted: false,
    notices: notice === undefined ? warnings : [...warnings, notice],
  });
  switch (state) {
    case "nothing to trust":
      return without();
    case "trusted":
      return { trusted: true, notices: warnings };
    case "refused":
    case "unknown":
    case "changed":
  }
  const named = shown([...parts].sort((a, b) => rankOf(a) - rankOf(b))), changed = shown(changes);
  if (person?.askTrust === undefined) return without(skipped(named, changed));
  if (state === "refused") return without();
  const trusted = await person.askTrust({ workspace, parts: named, changes: changed }, signal);
  const kept = await remember(place, trusted);
  return { trusted, notices: [...warnings, ...kept] };
}

async function remember(place: TrustPlace, trusted: boolean): Promise<string[]> {
  try {
    await setTrust(place, trusted);
    return [];
  } catch (error) {
    return [`The answer holds for this run only: ${messageOf(error)}`];
  }
}

const namedParts = 40;

/** Names that cannot pass for lines of their own, and not so many that they hide the question. */
function shown(names: readonly string[]): string[] {
  const more = names.length - namedParts;
  const first = names.slice(0, namedParts).map((name) => visibleText(name));
  return more > 0 ? [...first, `and ${more} more`] : first;
}

/** What can run or redirect comes first, so that nothing else pushes it out of sight. */
function rankOf(part: string): number {
  if (/^\.nimlet\/(?:config|permissions)\.json$/.test(part)) return 0;
  return /^\.\w+\/(?:tools|extensions)(?:\/|$)/.test(part) ? 1 : 2;
}

function skipped(parts: readonly string[], changes: readonly string[]): string {
  const why = changes.length > 0
    ? `what it holds is not what was trusted (${changes.join(", ")})`
    : "this folder is not trusted";
  return `skipped ${parts.join(", ")}: ${why}; use --approve to load them`;
}
