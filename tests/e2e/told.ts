/** A run against a fake provider, and a view of what the model was told in it. */
import assert from "node:assert/strict";
import { dirname } from "node:path";
import { startFakeProvider, textAnswer } from "../support/fake_provider.ts";
import { type ProgramResult, runProgram } from "../support/program.ts";

export interface Places {
  readonly root: string;
  readonly workspace: string;
  readonly outside: string;
  readonly home: string;
}

export interface Told extends ProgramResult {
  /** The system prompt of each request. */
  readonly systems: readonly string[];
  /** All other messages of each request. */
  readonly messages: readonly (readonly Message[])[];
  readonly headers: readonly Record<string, string>[];
}

export interface Message {
  readonly role: string;
  readonly content: unknown;
}

export interface TellOptions {
  readonly args: readonly string[];
  readonly answers?: Parameters<typeof startFakeProvider>[0];
  readonly stdin?: string;
  readonly env?: Record<string, string>;
  /** The folder to start in, where it is not the workspace. */
  readonly cwd?: string;
  /** Text of config.json with `ENDPOINT` in place of the address; without it only that is set. */
  readonly config?: string;
}

export const flags = ["--provider", "openai-compatible", "--model", "m1"];
const plainConfig = `{"providers":{"openai-compatible":{"endpoint":"ENDPOINT"}}}`;

/** Runs the program with `flags` and `args`. */
export async function tell(places: Places, options: TellOptions): Promise<Told> {
  const provider = startFakeProvider(options.answers ?? [textAnswer("chat", "fine")]);
  try {
    await pointConfig(places, provider.url, options.config);
    const result = await runProgram([...flags, ...options.args], {
      cwd: options.cwd ?? places.workspace,
      env: { HOME: places.home, ...options.env },
      ...(options.stdin === undefined ? {} : { stdin: options.stdin }),
    });
    return { ...result, ...view(provider.requests) };
  } finally {
    await provider.close();
  }
}

export async function pointConfig(
  { home }: Places,
  url: string,
  config = plainConfig,
): Promise<void> {
  await Deno.mkdir(`${home}/.nimlet`, { recursive: true });
  await Deno.writeTextFile(`${home}/.nimlet/config.json`, config.replace("ENDPOINT", url));
}

/** The requests, parted into what is said once and what is said in turn. */
export function view(
  requests: readonly { body: { [key: string]: unknown }; headers: Record<string, string> }[],
): Pick<Told, "systems" | "messages" | "headers"> {
  const all = requests.map(({ body }) => body.messages as Message[]);
  for (const [first] of all) assert.equal(first?.role, "system");
  return {
    systems: all.map(([first]) => textOf(first!)),
    messages: all.map(([, ...rest]) => rest),
    headers: requests.map(({ headers }) => headers),
  };
}

/** The text of a message, its parts on lines of their own. */
export function textOf({ content }: Message): string {
  if (typeof content === "string") return content;
  const parts = content as { text?: string }[];
  return parts.map((part) => part.text ?? "").filter((text) => text !== "").join("\n");
}

/** Writes files below `folder`, by relative path. */
export async function furnish(
  folder: string,
  files: { readonly [path: string]: string | Uint8Array },
): Promise<void> {
  for (const [path, content] of Object.entries(files)) {
    await Deno.mkdir(dirname(`${folder}/${path}`), { recursive: true });
    if (typeof content === "string") await Deno.writeTextFile(`${folder}/${path}`, content);
    else await Deno.writeFile(`${folder}/${path}`, content);
  }
}

/** Fails where `parts` do not occur in `text` in that order. */
export function assertInOrder(text: string, parts: readonly string[]): void {
  let from = 0;
  for (const part of parts) {
    const at = text.indexOf(part, from);
    assert.ok(at >= 0, `${JSON.stringify(part)} is not where it should be in:\n${text}`);
    from = at + part.length;
  }
}
