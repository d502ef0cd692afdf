/** What one run of a conversation works with. */
import type { RunContext } from "../../agent/run_context.ts";
import type { Mode } from "../../core/capability.ts";
import type { Emit } from "../../core/event.ts";
import type { ChatModel, ThinkingLevel } from "../../core/model.ts";
import type { Person } from "../../core/person.ts";
import { addUsage } from "../../core/usage.ts";
import type { SessionContext } from "../prompt_context.ts";
import type { ConversationEnvironment } from "./conversation_environment.ts";
import type { ConversationMoments } from "./conversation_moments.ts";
import type { currentOf } from "./current_session.ts";
import type { EventStream } from "./event_stream.ts";
import { instructionsOf, mcpReady } from "./mcp_ready.ts";
import { type CommandChecks, runPermission } from "./run_permission.ts";

export interface RunParts {
  readonly environment: ConversationEnvironment;
  readonly model: ChatModel;
  readonly current: ReturnType<typeof currentOf>;
  readonly person: Person | undefined;
  readonly moments: ConversationMoments;
  readonly sessionContext: SessionContext;
  readonly emit: Emit;
  readonly commands: CommandChecks;
  readonly events: EventStream;
  readonly keepsChanges: boolean;
  mode(): Mode;
  thinking(): ThinkingLevel | undefined;
  approvesEverything(): boolean;
}

export function runContextOf(parts: RunParts): RunContext {
  const { environment, model, current, moments, mode, events } = parts;
  const { afterTool } = parts.sessionContext;
  const systemPrompt = onceForTools(parts.sessionContext.systemPrompt);
  return Object.freeze<RunContext>({
    ...environment,
    model,
    history: current.history,
    journal: current.session,
    permission: runPermission(environment, parts.person, {
      approvesEverything: parts.approvesEverything,
      session: current.grants,
      ...parts.commands,
      notice: (sentence) => events.notify("warning", sentence),
      asked: moments.question,
    }),
    ...moments.forRun(),
    ...parts.keepsChanges ? { fileChanged: current.changes.add } : {},
    ...parts.person?.callArrives ? { callArrives: parts.person.callArrives } : {},
    emit: parts.emit,
    spending: {
      begin() {},
      // of a summary that is no run's
      add: (usage) => void (current.history.usage = addUsage(current.history.usage, usage)),
    },
    mode,
    async toolsReady(signal) {
      await environment.extensions?.pool?.ready(signal);
      environment.assertToolNames();
      await mcpReady(environment.mcp, mode(), events, parts.person, signal);
    },
    async request(offered) {
      const level = parts.thinking();
      await events.warn(environment.hooks?.nameWarnings(environment.tools()) ?? []);
      return {
        system: await systemPrompt(mode(), offered) + instructionsOf(environment.mcp),
        maxOutputTokens: environment.config.settings["agent.max_tokens"],
        ...(level === undefined ? {} : { thinking: level }),
      };
    },
    afterTool,
  });
}

/**
 * Edits of instructions count from the next turn on: the prompt is made once, as long as mode and tools stay
 * as they are, which also leaves a provider's cache of it valid.
 */
function onceForTools(make: SessionContext["systemPrompt"]): SessionContext["systemPrompt"] {
  let key: string | undefined, made: Promise<string>;
  return (mode, tools) => {
    const asked = [mode, ...tools.map(({ name }) => name)].join(" ");
    if (asked !== key) made = make(mode, tools);
    key = asked;
    return made;
  };
}
