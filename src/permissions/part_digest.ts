/** Records what trust holds for: what of a project's parts can run or redirect keys. */
import { contentRecord } from "../host/content_digest.ts";
import { kindAt } from "../host/folders.ts";
import { commandOf, filesOfCommand } from "./command_files.ts";
import type { ProjectPart } from "./project_parts.ts";

/** One part as it was at one moment. */
export interface PartRecord {
  readonly digest: string;
  /** Quick to compare: see `ContentRecord`. */
  readonly fingerprint: string;
  /** False where a file was so young that a later write might leave the same fingerprint. */
  readonly settled: boolean;
  /** What its manifest runs. */
  readonly command: readonly string[];
}

/** By the part's name. */
export type PartRecords = ReadonlyMap<string, PartRecord>;

export interface PartPlace {
  /** Absolute real path. */
  readonly workspace: string;
  readonly home?: string | undefined;
}

/** Records of the covered parts. */
export async function recordParts(
  place: PartPlace,
  parts: readonly ProjectPart[],
): Promise<PartRecords> {
  const records = new Map<string, PartRecord>();
  for (const { name, covered } of parts) {
    if (covered) records.set(name, await recordPart(place, name));
  }
  return records;
}

export function digestsOf(records: PartRecords): Record<string, string> {
  return Object.fromEntries(Array.from(records, ([name, { digest }]) => [name, digest]));
}

/** Times are kept, by file systems and by the runtime, in steps of up to that length. */
const timeStepMs = 2000;

/** One part as it is now. */
export async function recordPart(place: PartPlace, name: string): Promise<PartRecord> {
  const startMs = Date.now();
  let manifest: Uint8Array | undefined;
  const record = startRecord(place, name, (file, bytes) => {
    if (file === manifestName) manifest = bytes;
  });
  const command = manifest !== undefined && manifest.length <= maxManifestBytes
    ? await commandOf(manifest)
    : [];
  addCommand(record, place, name, command);
  return {
    digest: record.digest(),
    fingerprint: record.fingerprint(),
    settled: record.newestMs < startMs - timeStepMs,
    command,
  };
}

/** True where the part is, without a look at its content, as it was when `before` was recorded. */
export function looksUnchanged(place: PartPlace, name: string, before: PartRecord): boolean {
  if (!before.settled) return false;
  const record = startRecord(place, name);
  addCommand(record, place, name, before.command);
  return record.fingerprint() === before.fingerprint;
}

const manifestName = "tool.json";
const maxManifestBytes = 1024 * 1024;

type Seen = (file: string, bytes: Uint8Array) => void;
type Content = ReturnType<typeof contentRecord>;

function startRecord({ workspace }: PartPlace, name: string, seen?: Seen): Content {
  const path = `${workspace}/${name}`;
  const record = contentRecord({
    within: workspace,
    reads: seen !== undefined,
    ...(seen === undefined ? {} : { seen }),
  });
  const kind = kindAt(path);
  // The entries of a folder that is named as a whole have records of their own.
  if (kind === "folder" && name.split("/").length === 2) record.note("folder");
  else {
    // First, so that nothing beside it uses up what may be read.
    if (kind === "folder" || kind === "link") record.add(`${path}/${manifestName}`, manifestName);
    record.add(path);
  }
  return record;
}

/** The files of the project that a manifest's command names beside what its own folder holds. */
function addCommand(
  record: Content,
  { workspace, home }: PartPlace,
  name: string,
  command: readonly string[],
): void {
  const files = filesOfCommand(command, { workspace, folder: `${workspace}/${name}`, home });
  if (files === undefined) return record.note(crypto.randomUUID());
  for (const file of files) record.add(file, `./${file}`);
}
