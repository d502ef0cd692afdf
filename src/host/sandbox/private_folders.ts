/**
 * What a sandbox keeps on the disk: the private home and temporary folder, the things that cover others,
 * and the empty folders that it makes in the workspace, which go when the last run there ends.
 */
import { dirname, join } from "node:path";
import { kindAt, listFolder, realOf } from "../folders.ts";
import { readStateFile } from "../state_files.ts";

export interface PrivateFolders {
  /** Shown as the home folder; kept, as programs' caches are in it. */
  readonly home: string;
  /** Shown as /tmp, until the program ends. */
  readonly temp: string;
  /** An empty folder and an empty file, which cover what must not be seen. */
  readonly emptyFolder: string;
  readonly emptyFile: string;
  /** For the proxy. */
  readonly socket: string;
  /** Absent where the processor has none. */
  readonly filter: string | undefined;
  /** Makes empty folders that are to go again; gives those that are there then. */
  placeholders(paths: readonly string[]): string[];
  /** Removes what is for this run alone, and the placeholders where no other run works here. */
  close(): Promise<void>;
}

/** Makes them for the workspace that `base`, a folder of nimlet's own, belongs to. */
export function openPrivateFolders(
  base: string,
  gitSettings: string,
  filter: Uint8Array | undefined,
): PrivateFolders {
  const options = { recursive: true, mode: 0o700 };
  const home = join(base, "home");
  Deno.mkdirSync(home, options);
  createOnce(join(home, ".gitconfig"), gitSettings);
  const lock = Deno.openSync(join(base, "lock"), { create: true, read: true, write: true });
  lock.lockSync(false);
  const own = Deno.makeTempDirSync({ dir: base, prefix: ownPrefix });
  const at = (name: string) => join(own, name);
  Deno.mkdirSync(at("tmp"), options);
  Deno.mkdirSync(at("empty"), { mode: 0o555 });
  Deno.writeFileSync(at("empty-file"), new Uint8Array(), { mode: 0o444 });
  if (filter !== undefined) Deno.writeFileSync(at("filter"), filter, { mode: 0o400 });
  const record = join(base, "placeholders");
  return {
    home,
    temp: at("tmp"),
    emptyFolder: at("empty"),
    emptyFile: at("empty-file"),
    socket: at("proxy"),
    filter: filter && at("filter"),
    placeholders(paths) {
      if (paths.length === 0) return [];
      // noted first: what a killed run has made goes with the next one
      const lines = paths.map((path) => `${JSON.stringify(path)}\n`).join("");
      Deno.writeTextFileSync(record, lines, { append: true, mode: 0o600 });
      return paths.filter((path) => {
        try {
          Deno.mkdirSync(path);
        } catch (error) {
          // where nothing can be made here, commands cannot either
          if (error instanceof Deno.errors.PermissionDenied) return false;
          if (!(error instanceof Deno.errors.AlreadyExists)) throw error;
        }
        return true;
      });
    },
    async close() {
      await Deno.remove(own, { recursive: true }).catch(() => {});
      if (!await isAlone(lock)) return;
      removePlaceholders(record);
      for (const name of foldersOfKilledRuns(base)) {
        await Deno.remove(join(base, name), { recursive: true }).catch(() => {});
      }
      lock.close();
    },
  };
}

const ownPrefix = "run-";

/** How long an older runtime, which cannot ask without waiting, waits for the other runs to end. */
const askingMs = 250;

/** True where no other run holds the lock; it is then held alone. */
async function isAlone(lock: Deno.FsFile): Promise<boolean> {
  const { tryLock } = lock as { tryLock?: (exclusive: boolean) => Promise<boolean> };
  // of two that end at once, one finds itself alone
  lock.unlockSync();
  if (tryLock !== undefined) return await tryLock.call(lock, true);
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<false>((resolve) => {
    timer = setTimeout(() => resolve(false), askingMs);
  });
  const alone = await Promise.race([lock.lock(true).then(() => true, () => false), late]);
  clearTimeout(timer);
  return alone;
}

const mostRecordBytes = 4 * 1024 * 1024;

function removePlaceholders(record: string): void {
  const file = readStateFile(record, mostRecordBytes);
  if (file.kind !== "text") return;
  const paths = new Set(
    file.text.split("\n").filter(Boolean).map((line) => String(JSON.parse(line))),
  );
  // the inner ones first
  for (const path of [...paths].sort().reverse()) {
    // nothing is followed, and only what is empty goes
    if (kindAt(path) !== "folder" || realOf(dirname(path)) !== dirname(path)) continue;
    try {
      Deno.removeSync(path);
    } catch {
      // somebody has put something into it
    }
  }
  Deno.removeSync(record);
}

function foldersOfKilledRuns(base: string): string[] {
  const list = listFolder(base, 1000);
  if (list.kind !== "list") return [];
  return list.entries.map(({ name }) => name).filter((name) => name.startsWith(ownPrefix));
}

function createOnce(path: string, text: string): void {
  try {
    // exclusive, so that a link that a command has put there leads nowhere
    Deno.writeTextFileSync(path, text, { createNew: true });
  } catch (error) {
    if (!(error instanceof Deno.errors.AlreadyExists)) throw error;
  }
}

/** Lets a private folder be entered again that a command has closed to itself. */
export function ensureOpen(path: string): void {
  if (((Deno.lstatSync(path).mode ?? 0) & 0o700) !== 0o700) Deno.chmodSync(path, 0o700);
}

/** Makes `path`, below `root`, a real folder or an empty file, whatever a command has put in its place. */
export function ensureMountPoint(root: string, names: readonly string[], isFolder: boolean): void {
  let path = root;
  names.forEach((name, index) => {
    path = join(path, name);
    const wanted = isFolder || index < names.length - 1 ? "folder" : "file";
    const kind = kindAt(path);
    if (kind === wanted) return wanted === "folder" ? ensureOpen(path) : undefined;
    if (kind !== "missing") Deno.removeSync(path, { recursive: true });
    if (wanted === "folder") Deno.mkdirSync(path);
    else Deno.writeFileSync(path, new Uint8Array(), { createNew: true });
  });
}
