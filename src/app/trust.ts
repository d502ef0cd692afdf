/** Decides whether the folder's own parts are used. */
import type { Host } from "../core/host.ts";
import type { Person } from "../core/person.ts";
import { messageOf } from "../core/failure.ts";
import { visibleText } from "../lib/visible_text.ts";
import type { PartRecords } from "../permissions/part_digest.ts";
import { canRun, type ProjectTrust, projectTrust } from "../permissions/project_trust.ts";
import { hookLines } from "../permissions/hook_commands.ts";
import { serverLines } from "../permissions/server_commands.ts";
import { judgeTrust, recordProject, setTrust, type TrustPlace } from "../permissions/trust.ts";
import type { RunOptions } from "./run_options.ts";

export interface Trust {
  readonly trusted: boolean;
  readonly notices: readonly string[];
  /** What it was given for, where the project is trusted. */
  readonly project?: ProjectTrust;
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
  const place: TrustPlace = { workspace, nimletHome, home: host.env.home };
  const given = (notices: readonly string[], records: PartRecords): Trust => ({
    trusted: true,
    notices,
    project: projectTrust(place, () => Promise.resolve(records)),
  });
  if (runOptions.approve === false) return { trusted: false, notices: [] };
  if (runOptions.approve === true) {
    return { trusted: true, notices: [], project: recordedSoon(place, host) };
  }
  const judged = await judgeTrust(place);
  const { state, parts, changes, warnings } = judged;
  const without = (notice?: string): Trust => ({
    trusted: false,
    notices: notice === undefined ? warnings : [...warnings, notice],
  });
  switch (state) {
    case "nothing to trust":
      return without();
    case "trusted":
      return given(warnings, judged.records ?? new Map());
    case "refused":
    case "unknown":
    case "changed":
  }
  const named = shown([...parts].sort((a, b) => rankOf(a) - rankOf(b))), changed = shown(changes);
  if (person?.askTrust === undefined) {
    const hooks = (await hookLines(place)).length;
    const counted = hooks === 0 ? [] : [`${hooks} hook${hooks === 1 ? "" : "s"}`];
    return without(skipped([...named, ...counted], changed));
  }
  if (state === "refused") return without();
  // The answer is for what was there when it was asked for, not for what comes while it is given.
  const records = judged.records ?? await recordProject(place);
  const servers = shown(await serverLines(workspace));
  // whoever says yes has seen every command that will run
  const hooks = (await hookLines(place)).map((line) => visibleText(line));
  const question = { workspace, parts: [...named, ...servers, ...hooks], changes: changed };
  const trusted = await person.askTrust(question, signal);
  const notices = [...warnings, ...await remember(place, trusted, records)];
  return trusted ? given(notices, records) : { trusted, notices };
}

const recordDelayMs = 40;

/**
 * Approved is what is there at the start, not what a call may find later. It is read while the model is
 * waited for, at the latest before the first call.
 */
function recordedSoon(place: TrustPlace, { clock }: Host): ProjectTrust {
  const trust = projectTrust(place, () => recordProject(place));
  clock.delay(recordDelayMs).then(trust.ready).catch(() => {
    // the first call tries again, and tells
  });
  // Settings and grants are approved as they are read.
  return { ...trust, changesOf: () => Promise.resolve([]) };
}

async function remember(
  place: TrustPlace,
  trusted: boolean,
  records: PartRecords,
): Promise<string[]> {
  try {
    await setTrust(place, trusted, records);
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
  if (/^(?:\.mcp|\.nimlet\/(?:config|permissions))\.json$/.test(part)) return 0;
  return canRun(part) ? 1 : 2;
}

function skipped(parts: readonly string[], changes: readonly string[]): string {
  const why = changes.length > 0
    ? `what it holds is not what was trusted (${changes.join(", ")})`
    : "this folder is not trusted";
  return `skipped ${parts.join(", ")}: ${why}; use --approve to load them`;
}
