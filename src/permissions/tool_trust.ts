/** Compares a project's tools with what was trusted, at the moment of a call. */
import { looksUnchanged, type PartRecords, recordPart } from "./part_digest.ts";
import { projectParts } from "./project_parts.ts";
import { changesBetween, type TrustPlace } from "./trust.ts";

export interface ToolTrust {
  /** `<part> was changed` and the like, for all of the project's tools and extensions. */
  changes(): Promise<readonly string[]>;
}

/** Whether a part is, or may be run by, a tool: what else is trusted was read at the start. */
export function canRun(part: string): boolean {
  return /^\.\w+\/(?:tools|extensions)(?:\/|$)/.test(part);
}

/**
 * Trust for what `records` say. A part whose files look as they did is not read again; of any other the
 * digest decides, so that a file that was only touched stays trusted.
 */
export function toolTrust(place: TrustPlace, records: PartRecords): ToolTrust {
  const known = new Map([...records].filter(([name]) => canRun(name)));
  return {
    async changes() {
      const now: Record<string, string> = {};
      for (const { name } of projectParts(place.workspace, place)) {
        if (!canRun(name)) continue;
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
      const digests = Array.from(known, ([name, { digest }]) => [name, digest] as const);
      return changesBetween(new Map(digests), now);
    },
  };
}
