/** The form of `extension.json`: its schema, its defaults, and what can be wrong with one. */
import { isJsonObject } from "../core/json.ts";
import type { z } from "../core/schema.ts";
import { parseLenient } from "../lib/lenient_json.ts";
import { nearest } from "../lib/nearest.ts";
import type { manifestShape } from "./manifest_schema.ts";
import {
  anything,
  boolean,
  either,
  integer,
  list,
  object,
  problemsOf,
  text,
  textLike,
} from "./shape.ts";

export const maxTimeoutSeconds = 3600, defaultTimeoutSeconds = 30;

const keys = {
  $schema: text,
  name: textLike(/^[A-Za-z0-9][A-Za-z0-9_-]{0,31}$/, "1 to 32 letters, digits, _ and -"),
  description: text,
  command: list(text, { least: 1, most: 256 }),
  response_timeout_seconds: either(
    anything,
    (value) => value === null,
    integer(1, maxTimeoutSeconds),
  ),
  guards: boolean,
};
const { name: nameCheck, command: commandCheck, ...optional } = keys;
const form = object({ required: { name: nameCheck, command: commandCheck }, optional });

export interface Manifest {
  readonly name: string;
  readonly description: string;
  readonly command: readonly [string, ...string[]];
  /** Undefined for no limit. */
  readonly timeoutSeconds: number | undefined;
  readonly guards: boolean;
}

type WrittenManifest = z.input<typeof manifestShape>;

export type ManifestReading =
  /** `notices` are worth a warning, but the extension works. */
  | { readonly manifest: Manifest; readonly notices: readonly string[] }
  | { readonly problems: readonly string[] };

/** Reads a manifest's text. */
export async function readManifest(text: string): Promise<ManifestReading> {
  const parsed = await parseLenient(text);
  if ("problem" in parsed) {
    const { problem } = parsed;
    return {
      problems: [
        problem === undefined
          ? "expected a JSON object"
          : `line ${problem.line}, column ${problem.column}: ${problem.message}`,
      ],
    };
  }
  if (!isJsonObject(parsed.value)) return { problems: ["expected a JSON object"] };
  const problems = problemsOf(form, parsed.value);
  if (problems.length > 0) return { problems };
  const {
    name,
    description = "",
    command,
    response_timeout_seconds: seconds = defaultTimeoutSeconds,
    guards = false,
  } = parsed.value as unknown as WrittenManifest;
  const [program = ""] = command;
  if (program.trim() === "") return { problems: ["command[0]: expected a program"] };
  const nul = command.findIndex((item) => item.includes("\0"));
  if (nul >= 0) return { problems: [`command[${nul}]: holds a NUL character`] };
  const known = Object.keys(keys);
  const notices = Object.keys(parsed.value).filter((key) => !known.includes(key)).slice(0, 10).map(
    (key) => {
      const meant = nearest(key, known);
      return `unknown key ${JSON.stringify(key.slice(0, 100).toWellFormed())} is ignored${
        meant === undefined ? "" : `; did you mean ${JSON.stringify(meant)}?`
      }`;
    },
  );
  return {
    manifest: {
      name,
      description,
      command: command as [string, ...string[]],
      timeoutSeconds: seconds ?? (guards ? defaultTimeoutSeconds : undefined),
      guards,
    },
    notices,
  };
}
