/** The commands of RPC mode that look at the conversation or change it: models, sessions, settings. */
import type { ChangeManager } from "../../core/change_manager.ts";
import type { Mode } from "../../core/capability.ts";
import type { Conversation, QueueMode } from "../../core/conversation.ts";
import { RunFailure } from "../../core/failure.ts";
import type { JsonObject } from "../../core/json.ts";
import { thinkingLevels } from "../../core/model.ts";
import type { ModelManager } from "../../core/model_manager.ts";
import { sessionEntry, type SessionManager } from "../../core/session_manager.ts";
import { shownPath } from "../../lib/shown_path.ts";
import { assertNever } from "../../lib/assert_never.ts";
import type { Command, CommandName } from "./commands.ts";
import type { PromptWork } from "./prompt_work.ts";

export interface ChangeServices {
  readonly conversation: Conversation;
  readonly models: ModelManager;
  readonly sessions: SessionManager;
  readonly changes: ChangeManager;
  listTools(): JsonObject[];
  /** Throws `RunFailure` where what was read cannot be used; then all is as it was. */
  reload(): Promise<void>;
}

export interface Change extends Pick<Command, "fields"> {
  readonly name: Exclude<
    CommandName,
    "prompt" | "steer" | "follow_up" | "interrupt" | "shutdown" | "get_state" | "approve"
  >;
}

/** What the response carries as `result`. Throws, with the sentence for the client, where it is refused. */
export async function runChange(
  { name, fields }: Change,
  { conversation, models, sessions, changes, listTools, reload }: ChangeServices,
  work: Pick<PromptWork, "busy" | "settled">,
  signal: AbortSignal,
): Promise<JsonObject | undefined> {
  const text = (field: string) => typeof fields[field] === "string" ? fields[field] : undefined;

  async function assertIdle(): Promise<void> {
    await work.settled();
    if (!work.busy) return;
    throw new RunFailure("usage", "a prompt is being worked on: interrupt it, or wait for its end");
  }

  async function session(): Promise<JsonObject> {
    const { sessionId, name } = conversation.state();
    const { messages } = await sessions.stats();
    return { session_id: sessionId, ...name === undefined ? {} : { name }, messages };
  }

  switch (name) {
    case "set_steering_mode":
    case "set_follow_up_mode": {
      const kind = name === "set_steering_mode" ? "steer" : "follow_up";
      conversation.setQueueMode(kind, fields.mode as QueueMode);
      return undefined;
    }
    case "clear_queue":
      await conversation.clearQueue();
      return undefined;
    case "set_mode":
      await conversation.setMode(fields.mode as Mode);
      return undefined;
    case "set_model":
      await models.setModel(text("model")!, text("provider"), signal);
      return undefined;
    case "set_thinking":
      await conversation.setThinking(thinkingLevels.find((level) => level === fields.level));
      return undefined;
    case "list_tools":
      return { tools: listTools() };
    case "list_models": {
      const provider = text("provider");
      const offered = await models.offered(signal, provider);
      return {
        provider: provider ?? conversation.state().provider,
        models: offered.map(({ id, contextWindow }) => ({
          id: id.toWellFormed(),
          ...contextWindow === undefined ? {} : { context_window: contextWindow },
        })),
      };
    }
    case "new_session":
      await assertIdle();
      await sessions.begin(text("name"));
      return await session();
    case "switch_session":
      await assertIdle();
      await sessions.resume(text("session_id"));
      return await session();
    case "list_sessions":
      return { sessions: (await sessions.list()).map(sessionEntry) };
    case "get_stats": {
      const { messages, toolCalls, usage, contextTokens, contextWindow } = await sessions.stats();
      return {
        messages,
        tool_calls: toolCalls,
        usage: { ...usage },
        context_tokens: contextTokens,
        ...contextWindow === 0 ? {} : { context_window: contextWindow },
      };
    }
    case "compact": {
      await assertIdle();
      const done = await conversation.compact(signal, text("instruction"));
      if (done === undefined) throw new RunFailure("usage", "there is nothing older to summarise");
      return { tokens_before: done.tokensBefore, tokens_after: done.tokensAfter };
    }
    case "undo": {
      await assertIdle();
      const done = await changes.undo();
      if (done === undefined) throw new RunFailure("usage", "there is nothing to take back");
      const { prompt, files, kept } = done;
      if (files.length === 0) {
        const reasons = kept.map(({ path, reason }) => `${shownPath(path)}: ${reason}`);
        throw new RunFailure("usage", `nothing could be taken back: ${reasons.join("; ")}`);
      }
      return {
        prompt: prompt.toWellFormed(),
        files: files.map(({ path, action }) => ({ path: path.toWellFormed(), action })),
        kept: kept.map(({ path, reason }) => ({ path: path.toWellFormed(), reason })),
      };
    }
    case "reload":
      await assertIdle();
      await reload();
      return undefined;
    default:
      return assertNever(name);
  }
}
