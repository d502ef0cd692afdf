/** Records what trust holds for: what of a project's parts can run or redirect keys. */
import { dirname } from "node:path";
import { contentRecord } from "../host/content_digest.ts";
import { kindAt } from "../host/folders.ts";
import { commandOf, filesOfCommand } from "./command_files.ts";
import { filesOfHooks, hookWords, settingsFile } from "./hook_commands.ts";
import type { ProjectPart } from "./project_parts.ts";
import { serverFiles, serversIn } from "./server_commands.ts";

/** One part as it was at one moment. */
export interface PartRecord {
  readonly digest: string;
  /** Quick to compare: see `ContentRecord`. */
  readonly fingerprint: string;
  /** False where a file was so young that a later write might leave the same fingerprint. */
  readonly settled: boolean;
  /** What its manifest runs, or the servers that it names. */
  readonly commands: readonly (readonly string[])[];
  /** The words of the hooks that settings name. */
  readonly hooks: readonly string[];
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
  const namesServers = serverFiles.some((file) => file === name);
  let manifest: Uint8Array | undefined;
  const record = startRecord(place, name, (file, bytes) => {
    if (namesServers ? file === "" : manifestNames.includes(file)) manifest ??= bytes;
  });
  const commands = manifest === undefined || manifest.length > maxManifestBytes
    ? []
    : namesServers
    ? (await serversIn(new TextDecoder().decode(manifest))).map(({ words }) => words)
    : [await commandOf(manifest)];
  const hooks = name === settingsFile && manifest !== undefined
    ? await hookWords(new TextDecoder().decode(manifest), place)
    : [];
  addCommands(record, place, name, commands, hooks);
  return {
    digest: record.digest(),
    fingerprint: record.fingerprint(),
    settled: record.newestMs < startMs - timeStepMs,
    commands,
    hooks,
  };
}

/** True where the part is, without a look at its content, as it was when `before` was recorded. */
export function looksUnchanged(place: PartPlace, name: string, before: PartRecord): boolean {
  if (!before.settled) return false;
  const record = startRecord(place, name);
  addCommands(record, place, name, before.commands, before.hooks);
  return record.fingerprint() === before.fingerprint;
}

const manifestNames = ["tool.json", "extension.json"];
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
    if (kind === "folder" || kind === "link") {
      for (const file of manifestNames) {
        if (kindAt(`${path}/${file}`) !== "missing") record.add(`${path}/${file}`, file);
      }
    }
    record.add(path);
  }
  return record;
}

/** The files of the project that commands name beside what the part's own folder holds. */
function addCommands(
  record: Content,
  { workspace, home }: PartPlace,
  name: string,
  commands: readonly (readonly string[])[],
  hooks: readonly string[],
): void {
  const path = `${workspace}/${name}`;
  const folder = serverFiles.some((file) => file === name) ? dirname(path) : path;
  for (const command of commands) {
    const files = filesOfCommand(command, { workspace, folder, home });
    if (files === undefined) return record.note(crypto.randomUUID());
    for (const file of files) record.add(file, `./${file}`);
  }
  if (hooks.length === 0) return;
  for (const file of filesOfHooks(hooks, { workspace, home })) record.add(file, `./${file}`);
}
