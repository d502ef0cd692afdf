/** The composition root: everything a conversation needs, made and connected. */
import type { Sink } from "../core/event.ts";
import type { Front, PromptSource } from "../core/moments.ts";
import type { SandboxMode } from "../core/sandbox.ts";
import type { OutputSchema } from "../core/output_schema.ts";
import { mcpOwner } from "./mcp.ts";
import { createModelMaker, type ModelMaker } from "./model_maker.ts";
import { createConversation } from "./session/conversation.ts";
import { type EnvironmentOptions, loadEnvironment } from "./session/conversation_environment.ts";
import { createEventStream } from "./session/event_stream.ts";
import { chooseSession } from "./session/open_session.ts";
import type { OwnedConversation } from "./session/owned_conversation.ts";
import { watchedSink } from "./session/watched_sink.ts";

export interface ConversationOptions extends Omit<EnvironmentOptions, "mcp" | "notify"> {
  readonly sink: Sink;
  readonly signal: AbortSignal;
  /** The form that the final answer must have. */
  readonly outputSchema?: OutputSchema | undefined;
  /** For front ends that show changes and take them back. */
  readonly keepsChanges?: boolean;
}

const sources: Record<Front, PromptSource> = {
  console: "typed",
  print: "flag",
  json: "flag",
  rpc: "rpc",
};

export interface OpenedConversation {
  readonly conversation: OwnedConversation;
  readonly models: ModelMaker;
  /** Reads settings, trust, tools and texts again. Throws `RunFailure`; then all is as it was. */
  reload(signal?: AbortSignal, why?: "trust"): Promise<void>;
  /** Goes on in another mode of the sandbox. Throws `RunFailure`; then all is as it was. */
  chooseSandbox(mode: SandboxMode): Promise<void>;
  /** From here on the answer that is kept about the folder overrides --approve and --no-approve. */
  forgetApproval(): void;
  /** Writes what is still to be written; may be called twice. */
  finish(): Promise<void>;
}

/** Throws `RunFailure` for whatever keeps a conversation from starting. */
export async function openConversation(options: ConversationOptions): Promise<OpenedConversation> {
  const { host, sink, person, signal, outputSchema } = options;
  let { runOptions } = options;
  const events = createEventStream(watchedSink(sink, host.watchdog));
  const mcp = mcpOwner(host);
  const environment = await loadEnvironment({ ...options, mcp, notify: events.notify }, signal);
  // beside the rest of the start
  environment.extensions?.pool?.start();
  const session = await chooseSession(runOptions, environment, events.notify).catch(
    async (error) => {
      await environment.extensions?.pool?.close("end");
      throw error;
    },
  );
  const { sandbox } = environment;
  sandbox?.listen((sentence) => events.notify("warning", sentence));
  const models = createModelMaker(runOptions, host, signal, (sentence) => {
    events.notify("warning", sentence);
  });
  let conversation: OwnedConversation;
  try {
    const model = await models.make(runOptions, environment, session.history.selection);
    await sandbox?.ready();
    conversation = createConversation({
      events,
      person,
      models,
      outputSchema,
      keepsChanges: options.keepsChanges,
      environment,
      session,
      model,
      front: options.front,
      source: sources[options.front],
      ...options.front === "console" || options.front === "rpc"
        ? { actions: { changeSession, reload: () => reload() } }
        : {},
      runOptions,
    });
  } catch (error) {
    session.session.close();
    await models.close();
    await mcp.made?.close();
    await environment.extensions?.pool?.close("end");
    throw error;
  }
  async function changeSession(action: "new" | "fork" | "switch", id: string | undefined) {
    const { createSessionManager } = await import("./session/session_manager.ts");
    const sessions = createSessionManager(conversation, runOptions.noSession);
    if (action === "new") await sessions.begin();
    else if (action === "fork") await sessions.fork();
    else await sessions.resume(id);
  }
  async function reload(stop = signal, why?: "trust"): Promise<void> {
    const next = await loadEnvironment(
      { ...options, runOptions, mcp, notify: events.notify },
      stop,
    );
    try {
      await next.sandbox?.ready();
      next.sandbox?.listen((sentence) => events.notify("warning", sentence));
      await conversation.replace({ environment: next, ...why && { why } });
    } finally {
      // of the one that does not count nothing goes on
      await mcp.made?.retain(conversation.current().environment.mcp?.toolset);
    }
  }
  return {
    conversation,
    models,
    reload,
    async chooseSandbox(mode) {
      const before = runOptions;
      runOptions = { ...runOptions, chosenSandbox: mode };
      try {
        await reload();
      } catch (error) {
        runOptions = before;
        throw error;
      }
    },
    forgetApproval() {
      const { approve: _, ...others } = runOptions;
      runOptions = others;
    },
    async finish() {
      const byPerson = options.front === "console" && !signal.aborted;
      await conversation.endSession(byPerson ? "prompt_input_exit" : "other", signal);
      await conversation.current().environment.extensions?.pool?.close("end");
      const current = conversation.current().session;
      await current.settle();
      current.close();
      await models.close();
      await mcp.made?.close();
    },
  };
}
