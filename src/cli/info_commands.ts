/** The runs without a model: --list-tools, --call-tool, --doctor, --show-config. */
import { callOneTool } from "../app/call_tool.ts";
import { openEnvironment } from "../app/environment.ts";
import { loadProjectGrants } from "../app/grants.ts";
import { loadPromptContext, type PromptContext } from "../app/prompt_context.ts";
import { openSandboxOf } from "../app/sandbox.ts";
import type { RunEnvironment } from "../app/environment.ts";
import { type McpOwner, mcpOwner } from "../app/mcp.ts";
import { loadMcpTools } from "../app/mcp_tools.ts";
import { withExtensions } from "../app/extension_tools.ts";
import { type Extensions, findExtensions } from "../app/extensions.ts";
import { withServers } from "../app/server_tools.ts";
import { loadTools } from "../app/toolset.ts";
import { exitStatus } from "../core/failure.ts";
import type { Host } from "../core/host.ts";
import { exitStatusOfInterruption, interruptionOf } from "../core/interruption.ts";
import { toLine } from "../lib/jsonl.ts";
import { toLines } from "../lib/to_lines.ts";
import { visible } from "../lib/visible.ts";
import type { Options } from "./command_line.ts";
import { readArguments } from "./tool_arguments.ts";

export async function runInfoCommand(
  options: Options,
  host: Host,
  signal: AbortSignal,
): Promise<number> {
  if (options.doctor) {
    const { runDoctor } = await import("./doctor_command.ts");
    return await runDoctor(options, host, signal);
  }
  // stdout is a program's in both modes
  const json = options.mode !== undefined;
  const environment = await openEnvironment(options, host, undefined, signal);
  if (options.showConfig) {
    const { configLines, shownSettings } = await import("../config/show.ts");
    await writeNotices(environment.notices, host);
    await host.terminal.writeOut(
      json ? toLine(shownSettings(environment.config)) : toLines(configLines(environment.config)),
    );
    return exitStatus.done;
  }
  const promptContext = loadPromptContext(environment);
  const mcp = mcpOwner(host);
  let extensions: Extensions | undefined;
  try {
    // a list may start servers
    const sandbox = await openSandboxOf(environment, options);
    const confined = { ...environment, sandbox };
    extensions = await findExtensions(confined, options);
    return await runToolCommand(options, confined, promptContext, mcp, extensions, signal);
  } finally {
    await mcp.made?.close();
    await extensions?.pool?.close("end");
  }
}

async function runToolCommand(
  options: Options,
  environment: RunEnvironment,
  promptContext: PromptContext,
  mcp: McpOwner,
  extensions: Extensions | undefined,
  signal: AbortSignal,
): Promise<number> {
  const { host } = environment, json = options.mode !== undefined, out = host.terminal.writeOut;
  const mode = options.plan ? "plan" : "act";
  const servers = await loadMcpTools(environment, mcp, wantedTools(options));
  const only = options.callTool === undefined && servers !== undefined
    ? servers.otherTools
    : options.tools;
  const others = await loadTools(
    environment,
    promptContext.skills,
    extensions?.pool === undefined ? only : undefined,
    undefined,
  );
  const own = extensions?.pool === undefined
    ? { ...others, warnings: [...others.warnings, ...extensions?.warnings ?? []] }
    : await withExtensions(others, extensions, only, mode, signal);
  const toolset = servers === undefined ? own : await withServers(own, servers, options, signal);
  // One call of a tool needs no skills and no instructions, so they are not looked for.
  const needsPromptContext = options.listTools || options.callTool === "read_skill";
  const { grants, warnings } = await loadProjectGrants(environment, undefined);
  await writeNotices([
    ...environment.notices,
    ...toolset.warnings,
    ...warnings,
    ...needsPromptContext ? await promptContext.notices() : [],
  ], host);
  if (options.listTools) {
    const { listTools, showTool } = await import("../app/list_tools.ts");
    const [name] = options.words;
    await out(
      name === undefined ? listTools(toolset, mode, json) : showTool(toolset, mode, name, json),
    );
    return exitStatus.done;
  }
  /** What was shown of the live output, as far as a result may repeat it. */
  let shown = "";
  await environment.sandbox?.ready();
  environment.sandbox?.listen((sentence) => void writeNotices([sentence], host));
  const result = await callOneTool({
    name: options.callTool!,
    input: await readArguments("call-tool", options.words[0] ?? "{}", host, signal),
    toolset,
    environment,
    projectGrants: grants,
    approvesEverything: options.yolo,
    mode,
    signal,
    showLive: (delta) => {
      if (shown.length < maxRepeatedChars) shown += delta;
      return host.terminal.writeErr(visible(delta));
    },
  });
  if (json) await out(toLine(result));
  else {
    // A person's terminal is not driven by what a tool prints; a file or pipe gets it as it is.
    const output = withoutShown(result.output, shown);
    const text = host.terminal.stdoutIsTerminal ? visible(output) : output;
    await out(text.endsWith("\n") ? text : `${text}\n`);
    for (const note of result.notes ?? []) {
      await host.terminal.writeErr(`nimlet: ${visible(note)}\n`);
    }
    await host.terminal.writeErr(`nimlet: ${result.tool_name} took ${result.duration_ms} ms\n`);
  }
  if (signal.aborted) return exitStatusOfInterruption(interruptionOf(signal).source);
  return result.is_error ? exitStatus.failed : exitStatus.done;
}

/** One call starts no server but its own, all of whose tools are named where it has not the one. */
function wantedTools({ callTool, tools }: Options): readonly string[] | undefined {
  if (callTool === undefined) return tools;
  const [server] = /^mcp__(?:(?!__).)+/s.exec(callTool) ?? [];
  return server !== undefined && (tools?.includes(callTool) ?? true) ? [server] : [];
}

const maxRepeatedChars = 64 * 1024;

/** `output` of a failed tool without the section that holds what stderr has just shown. */
function withoutShown(output: string, shown: string): string {
  const section = `\nstderr:\n${shown.trimEnd()}`;
  const at = output.lastIndexOf(section);
  if (!output.startsWith("tool_failed: ") || shown.trim() === "" || at < 0) return output;
  return output.slice(0, at) + output.slice(at + section.length);
}

async function writeNotices(notices: readonly string[], host: Host): Promise<void> {
  for (const notice of notices) await host.terminal.writeErr(`nimlet: ${visible(notice)}\n`);
}
