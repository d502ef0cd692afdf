/** Compares a project with what was trusted, at the moment when something of it is used. */
import { looksUnchanged, type PartRecord, type PartRecords, recordPart } from "./part_digest.ts";
import { projectParts } from "./project_parts.ts";
import { serverFiles } from "./server_commands.ts";
import { changesBetween, type TrustPlace } from "./trust.ts";

export interface ProjectTrust {
  /** Resolves once it is known what is trusted: to be waited for before anything can change it. */
  ready(): Promise<void>;
  /** `<part> was changed` and the like, for all of the project's tools and extensions. */
  toolChanges(): Promise<readonly string[]>;
  /** The same for what names the project's servers, and the files that these run. */
  serverChanges(): Promise<readonly string[]>;
  /** The same for the settings and the files that they and the project's hooks name. */
  hookChanges(): Promise<readonly string[]>;
  /** The same for one other part, as `.nimlet/config.json`. */
  changesOf(part: string): Promise<readonly string[]>;
}

/** Whether a part is, or may be run by, a tool. */
export function canRun(part: string): boolean {
  return /^\.\w+\/(?:tools|extensions)(?:\/|$)/.test(part);
}

/**
 * Trust for what `recorded` gives, which is asked once. A part whose files look as they did is not read
 * again; of any other the digest decides, so that a file that was only touched stays trusted.
 */
export function projectTrust(
  place: TrustPlace,
  recorded: () => Promise<PartRecords>,
): ProjectTrust {
  let records: Promise<Map<string, PartRecord>> | undefined;
  const load = () => records ??= recorded().then((found) => new Map(found));

  async function changes(wanted: (part: string) => boolean): Promise<readonly string[]> {
    const known = await load();
    const now: Record<string, string> = {};
    for (const { name, covered } of projectParts(place.workspace, place)) {
      if (!covered || !wanted(name)) continue;
      const before = known.get(name);
      if (before !== undefined && looksUnchanged(place, name, before)) {
        now[name] = before.digest;
        continue;
      }
      const record = await recordPart(place, name);
      now[name] = record.digest;
      // The next look compares with the younger file, if it is the same.
      if (record.digest === before?.digest) known.set(name, record);
    }
    const digests = [...known].filter(([name]) => wanted(name))
      .map(([name, { digest }]) => [name, digest] as const);
    return changesBetween(new Map(digests), now);
  }

  return {
    ready: async () => void await load(),
    toolChanges: () => changes(canRun),
    serverChanges: () => changes((name) => serverFiles.some((file) => file === name)),
    hookChanges: () => changes((name) => name === ".nimlet/config.json"),
    changesOf: (part) => changes((name) => name === part),
  };
}
