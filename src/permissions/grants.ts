/** Remembered permissions: those of a session, and those of a trusted project in its file. */
import { join, relative } from "node:path";
import { isJsonObject } from "../core/json.ts";
import { messageOf } from "../core/failure.ts";
import { bashGrantKey } from "../core/grant_key.ts";
import { kindAt, resolveLinks } from "../host/folders.ts";
import { readStateFile, writeStateFile } from "../host/state_files.ts";
import { parseLenient } from "../lib/lenient_json.ts";

export interface Grants {
  has(key: string): boolean;
  /** In the order in which they were given. */
  list(): readonly string[];
  /** Throws `GrantsError` where it cannot be kept. */
  add(key: string): Promise<void>;
  clear(): Promise<void>;
}

/** What keeps grants from being written, in one sentence. */
export class GrantsError extends Error {
  override readonly name = "GrantsError";
}

/** Grants that end with the process. */
export function sessionGrants(): Grants {
  const keys = new Set<string>();
  return {
    has: (key) => keys.has(key),
    list: () => [...keys],
    add(key) {
      keys.add(key);
      return Promise.resolve();
    },
    clear() {
      keys.clear();
      return Promise.resolve();
    },
  };
}

/** Where a project's grants are kept, relative to it. */
export const grantsPath = join(".nimlet", "permissions.json");

const maxFileBytes = 1024 * 1024;

export interface ProjectGrantsOptions {
  /** Real path of a trusted project. */
  readonly workspace: string;
  /** Whether trust holds for the file as it is now, though it is not what was read before. */
  readonly isTrusted?: () => Promise<boolean>;
  /** Called after each change of the file, as trust covers its content. */
  readonly written?: () => Promise<void>;
}

/**
 * The grants of a trusted project. What is added to the file by others while the program runs does
 * not count. A file that cannot be read holds no grants, is told in `warnings`, and is never
 * overwritten.
 */
export async function projectGrants(
  options: ProjectGrantsOptions,
): Promise<{ readonly grants: Grants; readonly warnings: readonly string[] }> {
  const { workspace } = options;
  const path = join(workspace, grantsPath);
  const first = await readGrants(path, workspace);
  let { keys, text } = first;

  async function write(next: (keys: readonly string[]) => readonly string[], now: GrantsFile) {
    if (now.fault !== undefined) throw new GrantsError(now.fault);
    const changed = next(now.keys);
    const { setJsoncValue } = await import("../lib/jsonc.ts");
    const newText = setJsoncValue(now.text, ["allow"], [...changed]);
    try {
      await writeStateFile(path, newText);
    } catch (error) {
      throw new GrantsError(`${path} cannot be written: ${messageOf(error)}`, { cause: error });
    }
    keys = changed;
    text = newText;
    try {
      await options.written?.();
    } catch (error) {
      throw new GrantsError(`trust was not renewed: ${messageOf(error)}`, { cause: error });
    }
  }

  async function add(key: string): Promise<void> {
    if (keys.includes(key)) return;
    const now = await readGrants(path, workspace);
    // A tool may have written grants of its own into the file: they must not be taken over.
    if (now.text !== text && !await options.isTrusted?.()) {
      throw new GrantsError(`${path} was changed while nimlet was running`);
    }
    await write((keys) => [...keys, key], now);
  }

  return {
    grants: {
      has: (key) => keys.includes(key),
      list: () => [...keys],
      add,
      async clear() {
        const now = await readGrants(path, workspace);
        if (now.keys.length > 0 || now.fault !== undefined) await write(() => [], now);
        keys = [];
      },
    },
    warnings: first.warnings,
  };
}

interface GrantsFile {
  readonly text: string;
  readonly keys: readonly string[];
  readonly warnings: readonly string[];
  /** Set where the file must not be written. */
  readonly fault?: string;
}

async function readGrants(path: string, workspace: string): Promise<GrantsFile> {
  const broken = (fault: string): GrantsFile => ({ text: "", keys: [], warnings: [fault], fault });
  const fault = placeFault(path, workspace);
  if (fault !== undefined) return broken(`${path}: ${fault}`);
  const file = readStateFile(path, maxFileBytes);
  if (file.kind === "missing") return { text: "", keys: [], warnings: [] };
  if (file.kind === "unreadable") return broken(`${path} ${file.reason}`);
  if (file.text.trim() === "") return { text: "", keys: [], warnings: [] };
  const parsed = await parseLenient(file.text);
  if ("problem" in parsed) {
    const { problem } = parsed;
    return broken(
      problem === undefined
        ? `${path}: expected JSON`
        : `${path}: line ${problem.line}, column ${problem.column}: ${problem.message}`,
    );
  }
  const { value } = parsed;
  if (!isJsonObject(value)) return broken(`${path}: expected an object in braces`);
  const allow = value.allow ?? [];
  if (!Array.isArray(allow)) return broken(`${path}: allow: expected an array of strings`);
  // written by hand a command may have its blanks in another way
  const keys = allow.filter((key) => typeof key === "string")
    .map((key) => key.startsWith("bash:") ? bashGrantKey(key.slice(5)) : key);
  const wrong = allow.findIndex((key) =>
    typeof key !== "string" || !/^(bash|edit|tool|write):/.test(key)
  );
  const warnings = wrong < 0
    ? []
    : [`${path}: allow[${wrong}]: expected a text that starts with bash:, edit:, tool: or write:`];
  return { text: file.text, keys, warnings };
}

/** Grants are neither read nor written through a link. */
function placeFault(path: string, workspace: string): string | undefined {
  if (kindAt(path) === "link") return "is a link, and grants are not kept through links";
  const folder = resolveLinks(join(path, ".."));
  if (folder.kind !== "real") return undefined;
  const way = relative(workspace, folder.path);
  return way === ".nimlet"
    ? undefined
    : "its folder is a link, and grants are not kept through links";
}
