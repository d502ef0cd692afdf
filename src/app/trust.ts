/** Owns the decision whether the folder's own parts count. */
import type { Host } from "../core/host.ts";
import type { Person } from "../core/person.ts";
import { messageOf } from "../core/failure.ts";
import { judgeTrust, setTrust, type TrustPlace } from "../permissions/trust.ts";
import type { Wanted } from "./wanted.ts";

export interface Trust {
  readonly trusted: boolean;
  readonly notices: readonly string[];
}

export interface TrustCircumstances {
  readonly wanted: Pick<Wanted, "approve">;
  readonly host: Host;
  readonly workspace: string;
  readonly nimletHome: string | undefined;
  readonly person: Person | undefined;
  readonly signal: AbortSignal;
}

/** Asks where somebody can be asked and has not answered yet. Rejects with the signal's reason. */
export async function decideTrust(circumstances: TrustCircumstances): Promise<Trust> {
  const { wanted, host, workspace, nimletHome, person, signal } = circumstances;
  if (wanted.approve !== undefined) return { trusted: wanted.approve, notices: [] };
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
  if (person?.askTrust === undefined) return without(skipped(parts, changes));
  if (state === "refused") return without();
  const trusted = await person.askTrust({ workspace, parts, changes }, signal);
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

function skipped(parts: readonly string[], changes: readonly string[]): string {
  const why = changes.length > 0
    ? `what it holds is not what was trusted (${list(changes)})`
    : "this folder is not trusted";
  return `skipped ${list(parts)}: ${why}; use --approve to load them`;
}

function list(names: readonly string[]): string {
  const more = names.length - namedParts;
  const shown = names.slice(0, namedParts).map((name) => name.replace(/\s/g, " ")).join(", ");
  return more > 0 ? `${shown} and ${more} more` : shown;
}
