/** What a conversation reads from the disk: settings, trust, tools, texts, the project's grants. */
import type { Host } from "../../core/host.ts";
import type { Front, Participant } from "../../core/moments.ts";
import type { Person } from "../../core/person.ts";
import type { AnyTool } from "../../core/tool.ts";
import type { Grants } from "../../permissions/grants.ts";
import { openEnvironment, type RunEnvironment } from "../environment.ts";
import { type AppHooks, loadHookSet } from "../hooks.ts";
import { loadProjectGrants } from "../grants.ts";
import { loadPromptContext, type PromptContext } from "../prompt_context.ts";
import type { RunOptions } from "../run_options.ts";
import type { McpOwner } from "../mcp.ts";
import { loadMcpTools, type McpTools } from "../mcp_tools.ts";
import { openSandboxOf } from "../sandbox.ts";
import { keepOnly, loadTools } from "../toolset.ts";
import { type Extensions, findExtensions } from "../extensions.ts";
import type { EventStream } from "./event_stream.ts";
import { createCompactor, type PersonalCompactor } from "./compactor.ts";

export interface ConversationEnvironment extends RunEnvironment {
  readonly promptContext: PromptContext;
  /** Everything in effect, after `--tools`. */
  tools(): readonly AnyTool[];
  readonly compactor: PersonalCompactor;
  /** The tools of MCP servers; absent where none is named. */
  readonly mcp?: McpTools;
  /** Absent where there is none. */
  readonly extensions?: Extensions;
  /** Throws `RunFailure("usage")` for a name in --tools that no tool has, once all are known. */
  assertToolNames(): void;
  /** Hooks and extensions, in their order; absent for none. */
  readonly participants?: () => readonly Participant[];
  /** Absent where none is configured. */
  readonly hooks?: AppHooks;
  /** Undefined where the project is not trusted. */
  readonly projectGrants: Grants | undefined;
}

export interface EnvironmentOptions {
  readonly runOptions: RunOptions;
  readonly host: Host;
  readonly person: Person | undefined;
  /** Names of the front end's own commands, which win over prompt templates. */
  readonly commands?: readonly string[];
  readonly mcp: McpOwner;
  readonly front: Front;
  /** Says what nobody waits for. */
  readonly notify: EventStream["notify"];
}

/** Throws `RunFailure` for a workspace, settings or tools that cannot be used. */
export async function loadEnvironment(
  { runOptions, host, person, commands, mcp: owner, front, notify }: EnvironmentOptions,
  signal: AbortSignal,
): Promise<ConversationEnvironment> {
  const opened = await openEnvironment(runOptions, host, person, signal);
  const sandbox = await openSandboxOf(opened, runOptions);
  const environment = { ...opened, sandbox };
  const promptContext = loadPromptContext(environment, commands);
  const mcp = await loadMcpTools(environment, owner, runOptions.tools);
  mcp?.toolset.ready(runOptions.plan ? "plan" : "act", signal).catch(() => {
    // the first request waits for the same, and reports it
  });
  const extensions = await findExtensions(environment, runOptions, async (name) => {
    if (commands?.includes(name)) return "a command of the console";
    const meaning = await promptContext.slashPrompts.meaning(`/${name}`);
    return meaning === "unknown" ? undefined : "a prompt template, or the name of a file";
  });
  const pool = extensions?.pool;
  const only = mcp?.otherTools ?? runOptions.tools;
  const toolset = await loadTools(
    environment,
    promptContext.skills,
    pool === undefined ? only : undefined,
    person,
  );
  const hooks = await loadHookSet(environment, runOptions, { front, notify }, signal);
  const ownTools = (): readonly AnyTool[] => {
    if (pool === undefined) return toolset.tools;
    const all = pool.tools(toolset.tools);
    return only === undefined ? all : all.filter(({ name }) => only.includes(name));
  };
  const participants = [...hooks?.participants ?? [], ...pool?.participants ?? []];
  const { grants, warnings } = await loadProjectGrants(environment, person);
  return {
    ...environment,
    promptContext,
    tools() {
      const own = ownTools();
      return mcp === undefined ? own : [...own, ...mcp.toolset.tools(own.length)];
    },
    assertToolNames: () => void (pool && only && keepOnly(pool.tools(toolset.tools), only)),
    ...extensions === undefined ? {} : { extensions },
    ...mcp === undefined ? {} : { mcp },
    ...hooks === undefined ? {} : { hooks },
    ...participants.length === 0 ? {} : { participants: () => participants },
    compactor: createCompactor(environment.config.settings),
    projectGrants: grants,
    notices: [
      ...environment.notices,
      ...toolset.warnings,
      ...hooks?.warnings ?? [],
      ...mcp?.warnings ?? [],
      ...extensions?.warnings ?? [],
      ...await promptContext.notices(),
      ...warnings,
    ],
  };
}
