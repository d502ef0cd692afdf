/** Finds the files and folders of a project that a tool's command names, by their real paths. */
import { basename, dirname, isAbsolute, join, resolve } from "node:path";
import { realPathsFrom } from "../host/files/real_paths.ts";
import { factsOf, type FolderList, kindAt, listFolder } from "../host/folders.ts";
import { readStateFile } from "../host/state_files.ts";
import { isInside } from "../lib/path_inside.ts";
import { parseLenient } from "../lib/lenient_json.ts";
import { type NamedWord, namesIn } from "./command_names.ts";

/** A command that can name more than this is never taken for unchanged. */
const maxNames = 20_000;
/** Entries of a folder that are looked through for the files that a module's name stands for. */
const maxEntries = 5000;

export interface CommandPlace {
  /** Real path; programs read their arguments from here. */
  readonly workspace: string;
  /** The first word is looked up here. */
  readonly folder: string;
  readonly home?: string | undefined;
}

/** Absolute paths, each once, in the order of the words; undefined where they are too many to look at. */
export function filesOfCommand(
  command: readonly string[],
  place: CommandPlace,
): string[] | undefined {
  // What stands in the tool's own folder is covered with it.
  if (command.length === 0 || command.length === 1 && /^\w[\w.-]*$/.test(command[0]!)) return [];
  const named: Named = { place, files: new Set(), folders: new Set(), lists: new Map() };
  const names = command.map((word) => namesIn(word));
  const installed = join(place.workspace, "node_modules");
  const modules = kindAt(installed) === "missing" ? undefined : installed;
  const wanted = names.flatMap((words, index) =>
    words.flatMap((word) =>
      placesOf(word, index, place, modules).map((path) => ({ ...word, path }))
    )
  );
  if (wanted.length > maxNames || !take(wanted, named)) return undefined;
  // `cd lib && ./x`, `env -C lib ./x`, `-Ilib -MX`: a name may be meant from any folder that is named.
  const inner = [...named.folders].flatMap((folder) =>
    names.flat().filter(({ text }) => !isAbsolute(text) && !/^\.*$/.test(text))
      .map((word) => ({ ...word, path: resolve(folder, word.text) }))
  );
  return take(inner, named) ? [...named.files] : undefined;
}

interface Named {
  readonly place: CommandPlace;
  readonly files: Set<string>;
  readonly folders: Set<string>;
  readonly lists: Map<string, FolderList | undefined>;
}

/** Adds what is there of `wanted`; false where they are too many to look at. */
function take(wanted: readonly (NamedWord & { path: string })[], named: Named): boolean {
  const { workspace } = named.place;
  const unique = [...new Map(wanted.map((word) => [`${word.path}\0${word.whole}`, word])).values()];
  if (unique.length > maxNames) return false;
  const real = realPathsFrom(workspace, unique.map(({ path }) => path));
  for (const [index, { path, whole }] of unique.entries()) {
    const end = real[index];
    const isWritten = isInside(workspace, path);
    const kind = end !== undefined && (isWritten || isInside(workspace, end))
      ? addNamed(end, path, whole, named)
      : undefined;
    if (kind !== "file" && isWritten && !basename(path).includes(".")) {
      for (const file of filesWithStem(path, named.lists)) named.files.add(file);
    }
  }
  return true;
}

/** Where a word can lead. */
function placesOf(
  { text, isPiece }: NamedWord,
  index: number,
  { workspace, folder, home }: CommandPlace,
  modules: string | undefined,
): string[] {
  if (text.startsWith("~/")) return home === undefined ? [] : [join(home, text.slice(2))];
  if (isAbsolute(text)) return isPiece ? [text, join(workspace, text)] : [text];
  if (index === 0) return [resolve(folder, text)];
  const paths = [resolve(workspace, text)];
  if (modules !== undefined && /^@?\w[\w./-]*$/.test(text)) paths.push(join(modules, text));
  return paths;
}

function addNamed(
  real: string,
  path: string,
  whole: boolean,
  { place: { workspace }, files, folders }: Named,
): "file" | "folder" | undefined {
  const { kind } = factsOf(real);
  if (kind === "file") {
    // As it is written, where that is in the project: of a link it counts where it leads.
    files.add(isInside(workspace, path) ? path : real);
    return kind;
  }
  if (kind !== "folder") return undefined;
  const holdsAll = isInside(real, workspace);
  if (!holdsAll) folders.add(real);
  if (whole && !holdsAll) files.add(real);
  else for (const file of startFilesOf(real)) files.add(file);
  return kind;
}

/** Files that programs begin with where they are given a folder. */
const startFile = /^(?:package\.json|(?:index|main|mod|__main__|__init__)\.\w+)$/;

function startFilesOf(folder: string): string[] {
  const list = listFolder(folder, maxEntries);
  if (list.kind !== "list") return [];
  const files = list.entries.filter(({ name, kind }) => kind !== "folder" && startFile.test(name))
    .map(({ name }) => join(folder, name));
  return files.flatMap((file) =>
    basename(file) === "package.json" ? [file, ...filesOfPackage(file)] : [file]
  );
}

const maxPackageBytes = 1024 * 1024;

/** What `package.json` names in its folder: the module that is loaded, and its like. */
function filesOfPackage(path: string): string[] {
  const file = readStateFile(path, maxPackageBytes);
  if (file.kind !== "text") return [];
  const names = file.text.matchAll(/"((?:[^"\\\n]|\\.){1,200})"/g);
  const folder = dirname(path);
  return [...new Set([...names].map(([, name]) => resolve(folder, name!)))].slice(0, 500)
    .filter((file) => isInside(folder, file) && factsOf(file).kind === "file");
}

/** The files that a name, given without its ending, stands for: `./h` is `h.js`, `-m tool` is `tool.py`. */
function filesWithStem(path: string, lists: Map<string, FolderList | undefined>): string[] {
  const folder = dirname(path), stem = `${basename(path)}.`;
  if (!lists.has(folder)) {
    const list = listFolder(folder, maxEntries);
    lists.set(folder, list.kind === "list" ? list : undefined);
  }
  return (lists.get(folder)?.entries ?? [])
    .filter(({ name, kind }) =>
      kind !== "folder" && name.startsWith(stem) && /^\w+$/.test(name.slice(stem.length))
    )
    .map(({ name }) => join(folder, name));
}

/** The words of a manifest's command, as far as it has one. */
export async function commandOf(manifest: Uint8Array): Promise<string[]> {
  const parsed = await parseLenient(new TextDecoder().decode(manifest));
  const raw = "value" in parsed ? parsed.value : undefined;
  const command = typeof raw === "object" && raw !== null && !Array.isArray(raw)
    ? (raw as { command?: unknown }).command
    : undefined;
  return Array.isArray(command) ? command.filter((word) => typeof word === "string") : [];
}
