/** Decides whether a folder's own tools, settings and texts may be used. */
import { dirname } from "node:path";
import { digestsOf, type PartRecords, recordPart, recordParts } from "./part_digest.ts";
import { type OwnFolders, projectParts } from "./project_parts.ts";
import { readTrustFile, TrustError, type TrustFile, writeTrustEntry } from "./trust_file.ts";

/** Whose folder is judged; without `nimletHome` nothing can be looked up or kept. */
export interface TrustPlace extends OwnFolders {
  /** Absolute real path. */
  readonly workspace: string;
}

export interface TrustJudgement {
  /** changed: trusted once, but not for what is there now */
  readonly state: "nothing to trust" | "trusted" | "changed" | "refused" | "unknown";
  /** What the folder holds of its own, relative to it. */
  readonly parts: readonly string[];
  /** `<part> was added`, `<part> was changed`, `<part> was removed`; only where it changed. */
  readonly changes: readonly string[];
  readonly warnings: readonly string[];
  /** What was compared, or recorded now; absent where nothing had to be read. */
  readonly records?: PartRecords;
}

/**
 * Looks the folder up. Its own entry decides, else that of the nearest folder around it; what it
 * holds when it is first met within a trusted one is recorded, so that later changes are noticed.
 */
export async function judgeTrust(place: TrustPlace): Promise<TrustJudgement> {
  const parts = projectParts(place.workspace, place);
  const names = parts.map((part) => part.name);
  const judged = (state: TrustJudgement["state"], rest: Partial<TrustJudgement> = {}) => ({
    state,
    parts: names,
    changes: [],
    warnings: [],
    ...rest,
  });
  if (place.nimletHome === undefined) return judged(parts.length ? "unknown" : "nothing to trust");
  const file = readTrustFile(place.nimletHome);
  const warnings = file.warning === undefined ? [] : [file.warning];
  const entry = file.folders.get(place.workspace);
  const within = entry === undefined && liesInTrusted(place.workspace, file);
  if (parts.length === 0) {
    // What was trusted and is gone cannot do anything; should it come back it is compared again.
    return judged(within || entry?.trusted ? "trusted" : "nothing to trust", { warnings });
  }
  if (entry === undefined) {
    if (!within) return judged("unknown", { warnings });
    const records = await recordParts(place, parts);
    return judged("trusted", { warnings: await keepQuietly(place, records), records });
  }
  if (!entry.trusted) return judged("refused");
  const records = await recordParts(place, parts);
  const changes = changesBetween(new Map(Object.entries(entry.parts)), digestsOf(records));
  return judged(changes.length > 0 ? "changed" : "trusted", { changes, records });
}

/** Records what the folder holds now. */
export async function recordProject(place: TrustPlace): Promise<PartRecords> {
  return await recordParts(place, projectParts(place.workspace, place));
}

/** Remembers the answer for the folder: for `records`, else for what it holds now. Throws `TrustError`. */
export async function setTrust(
  place: TrustPlace,
  trusted: boolean,
  records?: PartRecords,
): Promise<void> {
  const parts = trusted ? digestsOf(records ?? await recordProject(place)) : {};
  await writeTrustEntry(homeOf(place), place.workspace, { trusted, parts });
}

/**
 * Takes over what nimlet itself wrote: the named parts count as they are now, the others as they
 * were. A folder without an entry of its own gets one only with `create`, which is for a folder
 * that had nothing to trust before: what else appears in it is asked about. Throws `TrustError`.
 */
export async function renewTrust(
  place: TrustPlace,
  names: readonly string[],
  create = false,
): Promise<void> {
  const home = homeOf(place);
  const found = readTrustFile(home).folders.get(place.workspace);
  const entry = found ?? (create ? { trusted: true, parts: {} } : undefined);
  if (entry === undefined || !entry.trusted) return;
  const parts = projectParts(place.workspace, place).filter((part) => names.includes(part.name));
  const kept = Object.entries(entry.parts).filter(([name]) => !names.includes(name));
  const renewed = digestsOf(await recordParts(place, parts));
  await writeTrustEntry(home, place.workspace, {
    trusted: true,
    parts: { ...Object.fromEntries(kept), ...renewed },
  });
}

/** True where trust was given for the part as it is now. */
export async function isTrustedAsIs(place: TrustPlace, name: string): Promise<boolean> {
  if (place.nimletHome === undefined) return false;
  const entry = readTrustFile(place.nimletHome).folders.get(place.workspace);
  return entry?.trusted === true &&
    entry.parts[name] === (await recordPart(place, name)).digest;
}

function homeOf({ nimletHome }: TrustPlace): string {
  if (nimletHome !== undefined) return nimletHome;
  throw new TrustError("Without a home folder no answer about trust can be kept");
}

function liesInTrusted(workspace: string, { folders }: TrustFile): boolean {
  for (let folder = dirname(workspace);; folder = dirname(folder)) {
    const entry = folders.get(folder);
    if (entry !== undefined) return entry.trusted;
    if (folder === dirname(folder)) return false;
  }
}

async function keepQuietly(place: TrustPlace, records: PartRecords): Promise<string[]> {
  try {
    await setTrust(place, true, records);
    return [];
  } catch (error) {
    if (!(error instanceof TrustError)) throw error;
    return [error.message];
  }
}

/** One sentence a part, from digests by name. */
export function changesBetween(
  before: ReadonlyMap<string, string>,
  now: Readonly<Record<string, string>>,
): string[] {
  const changes: string[] = [];
  for (const [name, digest] of Object.entries(now)) {
    if (!before.has(name)) changes.push(`${name} was added`);
    else if (before.get(name) !== digest) changes.push(`${name} was changed`);
  }
  for (const name of before.keys()) {
    if (!Object.hasOwn(now, name)) changes.push(`${name} was removed`);
  }
  return changes;
}
