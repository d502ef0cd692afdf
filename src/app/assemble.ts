/** The composition root: everything a conversation needs, made and connected. */
import type { History } from "../agent/run_context.ts";
import type { OutputSchema } from "../core/output_schema.ts";
import type { Conversation } from "../core/conversation.ts";
import type { AgentEvent, Sink } from "../core/event.ts";
import type { Host } from "../core/host.ts";
import type { ChatModel } from "../core/model.ts";
import type { Person } from "../core/person.ts";
import type { Session } from "../session/session.ts";
import { createConversation } from "./session/conversation.ts";
import type { ConversationParts } from "./session/conversation_parts.ts";
import { createCompactor } from "./session/compactor.ts";
import { openEnvironment, type RunEnvironment } from "./environment.ts";
import { loadPromptContext, type PromptContext } from "./prompt_context.ts";
import { chooseSession, type ChosenSession } from "./session/open_session.ts";
import { createGate, type RunGrants } from "./gate.ts";
import { openRecording, type Recording } from "./output/recording.ts";
import { chooseModel, makeModel, type ModelChoice } from "./select_model.ts";
import { loadTools } from "./toolset.ts";
import type { RunOptions } from "./run_options.ts";

export interface AssembleOptions {
  readonly runOptions: RunOptions;
  readonly host: Host;
  readonly sink: Sink;
  readonly person: Person | undefined;
  readonly signal: AbortSignal;
  /** Names of the front end's own commands, which win over prompt templates. */
  readonly commands?: readonly string[];
  /** What an earlier assembly of the same process stands on, to go on with. */
  readonly environment?: RunEnvironment;
  /** The session to go on with, instead of the one that `runOptions` names. */
  readonly session?: ChosenSession;
  /** The model to go on with. */
  readonly model?: ChatModel;
  /** The cassette to go on with; whoever made it closes it. */
  readonly recording?: Recording;
  /** The form that the final answer must have. */
  readonly outputSchema?: OutputSchema;
}

export interface Assembly {
  readonly conversation: Conversation;
  readonly environment: RunEnvironment;
  readonly session: Session;
  readonly history: History;
  readonly promptContext: PromptContext;
  readonly grants: RunGrants;
  /** The one in use. */
  model(): ChatModel;
  /** Announces the session's start and what was noticed while it was set up. */
  open(): Promise<void>;
  /** Writes what is still to be written; may be called twice. */
  finish(): Promise<void>;
}

/** Throws `RunFailure` for whatever keeps a conversation from starting. */
export async function assemble(options: AssembleOptions): Promise<Assembly> {
  const { runOptions, host, sink, person, signal } = options;
  const environment = options.environment ??
    await openEnvironment(runOptions, host, person, signal);
  const { workspace, config, notices } = environment;
  const settings = config.settings;

  const late: AgentEvent[] = [];
  let announce = (event: AgentEvent): Promise<void> => Promise.resolve(void late.push(event));
  const tell = (level: "info" | "warning" | "error", message: string) => {
    announce({ type: "diagnostic", level, message }).catch(() => {});
  };
  const chosen = options.session ?? await chooseSession(runOptions, environment, tell);
  const { session, selection } = chosen;
  const history = { messages: chosen.messages };
  const promptContext = loadPromptContext(environment, options.commands);
  const toolset = await loadTools(environment, promptContext.skills, runOptions.tools);
  notices.push(...chosen.notices, ...toolset.warnings, ...await promptContext.notices());

  const ownRecording = runOptions.record === undefined || options.recording
    ? undefined
    : openRecording(runOptions.record, host);
  const recording = options.recording ?? ownRecording;
  const prepareModel = async (choice: ModelChoice) => {
    const made = await makeModel(choice, environment);
    return recording ? await recording.of(made) : made;
  };
  let model = options.model ??
    await prepareModel(chooseModel(runOptions, environment, selection));
  const apiKeyProvider = runOptions.apiKeyProvider ?? model.provider;
  const approvesEverything = { on: runOptions.yolo };
  const gate = await createGate({
    runOptions,
    environment,
    person,
    approvesEverything,
    notice: (sentence) => tell("warning", sentence),
  });
  notices.push(...gate.warnings);

  const parts: ConversationParts = {
    host,
    workspace,
    nimletHome: environment.nimletHome,
    sink,
    sessionId: session.id,
    resumed: chosen.resumed,
    ...(chosen.name === undefined ? {} : { name: chosen.name }),
    usage: chosen.usage,
    history,
    journal: session,
    permission: gate.permission,
    tools: toolset.tools,
    childEnv: environment.childEnv,
    limits: {
      ...(settings["agent.max_steps"] === undefined
        ? {}
        : { maxSteps: settings["agent.max_steps"] }),
      idleMs: settings["agent.request_timeout"] * 1000,
      maxOutputBytes: settings["tools.bash.max_output_bytes"],
    },
    maxOutputTokens: settings["agent.max_tokens"],
    queueModes: {
      steer: settings["agent.steering_mode"],
      follow_up: settings["agent.follow_up_mode"],
    },
    mode: runOptions.plan ? "plan" : selection.mode ?? "act",
    model,
    ...(settings["agent.thinking"] === undefined ? {} : { thinking: settings["agent.thinking"] }),
    approvesEverything,
    async createModel(id, provider) {
      return model = await prepareModel(
        chooseModel({ ...runOptions, apiKeyProvider, provider, model: id }, environment),
      );
    },
    systemPrompt: promptContext.systemPrompt,
    preparePrompt: promptContext.preparePrompt,
    afterTool: promptContext.afterTool,
    ...(options.outputSchema ? { outputSchema: options.outputSchema } : {}),
    compactor: createCompactor(settings),
  };
  const conversation = createConversation(parts);

  return {
    conversation,
    environment,
    session,
    history,
    promptContext,
    grants: gate.grants,
    model: () => model,
    async open() {
      await conversation.open();
      announce = (event) => sink(event, { session_id: session.id });
      for (const message of notices) {
        await announce({ type: "diagnostic", level: "warning", message });
      }
      for (const event of late) await announce(event);
    },
    async finish() {
      await session.settle();
      session.close();
      await ownRecording?.close();
    },
  };
}
