/** `--try-hook`: runs the hooks of one event once, and says what each of them made of it. */
import { openEnvironment } from "../app/environment.ts";
import { loadPromptContext } from "../app/prompt_context.ts";
import { openSandboxOf } from "../app/sandbox.ts";
import { loadTools } from "../app/toolset.ts";
import { type TriedHook, tryHooks } from "../app/try_hook.ts";
import { exitStatus } from "../core/failure.ts";
import { type HookEvent, hookEventTable } from "../core/hook_events.ts";
import type { Host } from "../core/host.ts";
import type { AnyTool } from "../core/tool.ts";
import { toLine } from "../lib/jsonl.ts";
import { nearest } from "../lib/nearest.ts";
import { visible } from "../lib/visible.ts";
import { visibleText } from "../lib/visible_text.ts";
import { capMiddle } from "../lib/well_formed.ts";
import type { Options } from "./command_line.ts";
import { readArguments } from "./tool_arguments.ts";
import { show, usage } from "./usage_failure.ts";

export async function runTryHook(
  options: Options,
  host: Host,
  signal: AbortSignal,
): Promise<number> {
  const event: HookEvent = options.tryHook!;
  const opened = await openEnvironment(options, host, undefined, signal);
  const sandbox = await openSandboxOf(opened, options);
  const environment = { ...opened, sandbox };
  const told: string[] = [...environment.notices];
  const { skills } = loadPromptContext(environment);
  const tell = (sentence: string) => void told.push(sentence);
  const isAboutCall = hookEventTable[event].matches === "tool";
  const call = isAboutCall
    ? await callOf(options, (await loadTools(environment, skills, undefined, undefined)).tools, {
      host,
      signal,
      tell,
    })
    : undefined;
  await sandbox?.ready();
  const tried = await tryHooks({
    event,
    call,
    word: isAboutCall ? undefined : options.words[0],
    environment,
    mode: options.plan ? "plan" : "act",
    questions: options.yolo ? "allowed" : options.ask === "deny" ? "denied" : "asked",
    signal,
    tell,
  });
  for (const sentence of told) await host.terminal.writeErr(`nimlet: ${visible(sentence)}\n`);
  const out = host.terminal.writeOut;
  if (options.mode !== undefined) { for (const one of tried) await out(toLine(one)); }
  else if (tried.length === 0) await out(`No hooks for ${event}.\n`);
  else for (const one of tried) await out(`${linesOf(one).join("\n")}\n`);
  return tried.some(({ answer }) => answer?.failed === true) ? exitStatus.failed : exitStatus.done;
}

async function callOf(
  { words, tryHook: event }: Options,
  tools: readonly AnyTool[],
  { host, signal, tell }: {
    readonly host: Host;
    readonly signal: AbortSignal;
    tell(sentence: string): void;
  },
) {
  const [name, json = "{}", output = ""] = words;
  if (name === undefined) {
    throw usage(`--try-hook ${event}: expected a TOOL and its arguments as JSON, found none`);
  }
  const input = await readArguments("try-hook", json, host, signal);
  const known = tools.find((tool) => tool.name === name);
  if (known !== undefined) return { tool: known, input, output };
  const names = tools.map((tool) => tool.name);
  const guess = nearest(name, names);
  if (guess !== undefined) {
    throw usage(`--try-hook: no tool is called ${show(name)}; did you mean ${guess}?`);
  }
  tell(`${name} is none of the built-in and external tools; its arguments are not checked`);
  return { tool: standIn(name), input, output };
}

/** For a tool of a server or an extension, which is not started here. */
function standIn(name: string): AnyTool {
  return {
    name,
    description: "",
    capabilities: ["write", "shell", "network"],
    input: { jsonSchema: {}, parse: (input) => Promise.resolve({ input }) },
    parallel: false,
    origin: { kind: "extension", scope: "global", name: "", folder: "" },
    run: () => Promise.reject(new Error(`${name} is not there`)),
  };
}

const maxShownBytes = 4096;

function linesOf(one: TriedHook): string[] {
  const { event, matcher, name, matched, status, signal, ms, stdout, stderr, answer } = one;
  const what = [name, event, ...matcher === "" ? [] : [matcher]].join("  ");
  if (!matched) return [`${visibleText(what)}: does not match`];
  const ended = status === undefined
    ? "was not started"
    : `${signal === undefined ? `status ${status}` : `ended by ${signal}`}, ${ms} ms`;
  return [
    `${visibleText(what)}: ${ended}`,
    ...Object.entries(answer ?? {}).map(([key, value]) =>
      `  ${key}: ${visibleText(typeof value === "string" ? value : JSON.stringify(value))}`
    ),
    ...outputLines("stdout", stdout),
    ...outputLines("stderr", stderr),
  ];
}

function outputLines(name: string, text = ""): string[] {
  const shown = visible(capMiddle(text, maxShownBytes)).trimEnd();
  return shown === "" ? [] : shown.split("\n").map((line) => `  ${name}: ${line}`);
}
