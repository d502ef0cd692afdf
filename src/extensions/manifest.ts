/** The form of `extension.json`: its schema, its defaults, and what can be wrong with one. */
import { isJsonObject } from "../core/json.ts";
import { z } from "../core/schema.ts";
import { parseLenient } from "../lib/lenient_json.ts";
import { nearest } from "../lib/nearest.ts";
import { problemsOf } from "./problems.ts";

const maxTimeoutSeconds = 3600, defaultTimeoutSeconds = 30;

/** The JSON Schema is made from it. */
export const manifestShape = z.object({
  $schema: z.string().exactOptional(),
  name: z.string().regex(
    /^[A-Za-z0-9][A-Za-z0-9_-]{0,31}$/,
    "expected 1 to 32 letters, digits, _ and -",
  )
    .describe("What the extension is called in lists and messages."),
  description: z.string().exactOptional().describe("For people: what it does."),
  command: z.array(z.string()).min(1, "expected at least one item").max(256).describe(
    "The program and its arguments. With a slash it is relative to the folder and lies in it, or is " +
      "absolute; else it is looked up on PATH.",
  ),
  response_timeout_seconds: z.int().min(1).max(maxTimeoutSeconds).nullable().default(
    defaultTimeoutSeconds,
  ).describe("How long an answer may take, 1 to 3600; null: no limit, but 30 for a guard."),
  guards: z.boolean().default(false)
    .describe("A failure, a time-out, a death and its absence deny what it is asked about."),
});

export interface Manifest {
  readonly name: string;
  readonly description: string;
  readonly command: readonly [string, ...string[]];
  /** Undefined for no limit. */
  readonly timeoutSeconds: number | undefined;
  readonly guards: boolean;
}

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
  const read = manifestShape.safeParse(parsed.value);
  if (!read.success) return { problems: problemsOf(read.error) };
  const { name, description = "", command, response_timeout_seconds: seconds, guards } = read.data;
  const [program = ""] = command;
  if (program.trim() === "") return { problems: ["command[0]: expected a program"] };
  const nul = command.findIndex((item) => item.includes("\0"));
  if (nul >= 0) return { problems: [`command[${nul}]: holds a NUL character`] };
  const known = Object.keys(manifestShape.shape);
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
