/** Runs of the program with extensions: small programs of the test, whose every line is checked. */
import assert from "node:assert/strict";
import { join } from "node:path";
import { schemas } from "../../src/app/schemas.ts";
import { compileSchema } from "../../src/lib/json_schema.ts";
import { cassette } from "./cassette.ts";
import { type ProgramResult, runProgram, withScratch } from "./program.ts";
import { checkedRecords, only, type Record as EventRecord } from "./records.ts";

type Steps = Parameters<typeof cassette>[1];

/** One extension: what it registers, and what it does with each line, as JavaScript. */
export interface GivenExtension {
  readonly name?: string;
  /** Fields of the manifest beside name and command. */
  readonly manifest?: { readonly [key: string]: unknown };
  /** Its command; else the script below is run. */
  readonly command?: readonly string[];
  readonly register?: { readonly [key: string]: unknown };
  /** Statements for a line `m`; `answer(m, fields)` answers it, `say(object)` writes a line. */
  readonly on?: string;
  /** Statements that run first. */
  readonly first?: string;
  /** Some of what it says is wrong on purpose; all else is checked against the published schema. */
  readonly isUnfit?: boolean;
  /** Its folder in the workspace; else it is the person's own. */
  readonly inProject?: boolean;
}

const prelude = `
const folder = Deno.env.get("NIMLET_EXTENSION_DIR");
const note = (file, text) => Deno.writeTextFileSync(folder + "/" + file, text + "\\n", { append: true });
const encoder = new TextEncoder();
const sayRaw = (text) => Deno.stdout.writeSync(encoder.encode(text));
const say = (object) => { note("said", JSON.stringify(object)); sayRaw(JSON.stringify(object) + "\\n"); };
const answer = (m, fields = {}) => say({ type: "response", id: m.id, ...fields });
const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
note("starts", String(Deno.pid));
`;

function script({ register = {}, on = "", first = "" }: GivenExtension): string {
  return `${prelude}
${first}
let rest = "";
const handle = async (m) => {
  if (m.type === "initialize") return say({ type: "register", ...${JSON.stringify(register)} });
  ${on}
  if (m.type === "event" && m.id !== undefined) answer(m);
};
for await (const piece of Deno.stdin.readable.pipeThrough(new TextDecoderStream())) {
  const parts = (rest + piece).split("\\n");
  rest = parts.pop();
  for (const line of parts) {
    note("heard", line);
    handle(JSON.parse(line));
  }
}
note("heard", '"end of stdin"');
`;
}

export interface ExtensionPlace {
  readonly root: string;
  readonly workspace: string;
  readonly home: string;
  /** The arguments that play the model. */
  readonly model: string[];
  folder(name?: string): string;
  /** What an extension was sent, in order; each line fits the published schema. */
  heard(name?: string): Promise<Line[]>;
  /** What an extension has written with `say`. */
  said(name?: string): Promise<Line[]>;
  /** The processes that were started, by their numbers. */
  starts(name?: string): Promise<number[]>;
  run(...args: string[]): Promise<ExtensionRun>;
}

// deno-lint-ignore no-explicit-any -- tests look into lines of any shape
export type Line = { readonly type?: string; readonly [key: string]: any };

export interface ExtensionRun extends ProgramResult {
  /** Empty in print mode. */
  readonly records: EventRecord[];
  readonly outputs: string[];
  /** What a person was told. */
  readonly told: string;
}

/** Writes an extension to where it is found; gives its folder. */
export async function writeExtension(
  extension: GivenExtension,
  { workspace, home }: { readonly workspace: string; readonly home: string },
): Promise<string> {
  const { name = "x", manifest = {}, inProject } = extension;
  const folder = join(inProject ? workspace : home, ".nimlet/extensions", name);
  await Deno.mkdir(folder, { recursive: true });
  const file = join(folder, "extension.js");
  await Deno.writeTextFile(file, script(extension));
  const command = extension.command ??
    [Deno.execPath(), "run", "--quiet", "--no-check", "-A", file];
  await Deno.writeTextFile(
    join(folder, "extension.json"),
    JSON.stringify({ name, command, ...manifest }),
  );
  return folder;
}

/** Writes the extensions and the model, and lets `use` run the program. */
export async function withExtensions(
  given: GivenExtension | readonly GivenExtension[],
  steps: Steps,
  use: (place: ExtensionPlace) => Promise<void>,
): Promise<void> {
  await withScratch(async ({ root, workspace, home }) => {
    const folders = new Map<string, string>();
    const all = [given].flat() as GivenExtension[];
    for (const extension of all) {
      folders.set(extension.name ?? "x", await writeExtension(extension, { workspace, home }));
    }
    const model = await cassette(join(root, "model.jsonl"), steps);
    const folder = (name = "x") => folders.get(name)!;
    const linesOf = async (name: string, file: string) =>
      (await Deno.readTextFile(join(folder(name), file)).catch(() => "")).split("\n")
        .filter((line) => line !== "").map((line) => JSON.parse(line));
    await use({
      root,
      workspace,
      home,
      model,
      folder,
      heard: async (name = "x") => await linesOf(name, "heard"),
      said: async (name = "x") => await linesOf(name, "said"),
      starts: async (name = "x") => await linesOf(name, "starts"),
      async run(...args) {
        const result = await runProgram([...model, ...args], {
          cwd: workspace,
          env: { HOME: home },
        });
        for (const { name = "x", isUnfit = false } of all) {
          for (const line of await linesOf(name, "heard")) {
            if (line !== "end of stdin") assertFits(line, 0);
          }
          if (isUnfit) continue;
          for (const line of await linesOf(name, "said")) assertFits(line, 1);
        }
        const records = args.includes("-p") && args.includes("json")
          ? checkedRecords(result.stdout)
          : [];
        return {
          ...result,
          records,
          outputs: only(records, "tool_result").map(({ output }) => String(output)),
          told: records.length === 0
            ? result.stderr
            : only(records, "diagnostic").map(({ message }) => message).join("\n"),
        };
      },
    });
  });
}

const [nimletSays, extensionSays] = (schemas().extension.oneOf as Record<string, unknown>[]).map((
  side,
) => compileSchema(side, "2020-12"));

/** `side` 0: what nimlet says. */
export function assertFits(line: unknown, side: 0 | 1): void {
  const problems = (side === 0 ? nimletSays! : extensionSays!)(line);
  assert.deepEqual(problems, [], JSON.stringify(line));
}
