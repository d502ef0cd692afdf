/** The one long-lived conversation: the owner of all that changes while the program runs. */
import { offeredTools } from "../../agent/definitions.ts";
import type { Mode } from "../../core/capability.ts";
import type { PromptInput } from "../../core/conversation.ts";
import { RunFailure } from "../../core/failure.ts";
import { type ChatModel, type ThinkingLevel, thinkingLevels } from "../../core/model.ts";
import type { Selection } from "../../session/history.ts";
import type { ConversationEnvironment } from "./conversation_environment.ts";
import { conversationState } from "./conversation_state.ts";
import { currentOf } from "./current_session.ts";
import { extensionSide } from "./extension_side.ts";
import { checkName } from "./open_session.ts";
import { createInputQueue } from "./input_queue.ts";
import { type Admission, admitPrompt, admitted, admitUnasked } from "./admission.ts";
import { conversationMoments } from "./conversation_moments.ts";
import { countOne } from "./continuation.ts";
import type { OwnedConversation } from "./owned_conversation.ts";
import type { ConversationParts } from "./conversation_parts.ts";
import { runContextOf } from "./run_context_of.ts";
import { commandChecks } from "./run_permission.ts";
import { sessionStart } from "./session_start.ts";
import { shownPrompt } from "./prompt_run.ts";
import { promptTurn } from "./prompt_turn.ts";

export function createConversation(parts: ConversationParts): OwnedConversation {
  const { events, person, models, runOptions } = parts;
  const { emit } = events;
  let { environment, model } = parts;
  let current = currentOf(parts.session);
  const { selection } = current.history;
  let mode: Mode = runOptions.plan ? "plan" : selection.mode ?? "act";
  /** "" for the model's default; undefined leaves it to the settings. */
  let chosenThinking: string | undefined = runOptions.thinking ?? selection.thinking;
  let approvesEverything = runOptions.yolo;
  let sessionContext = environment.promptContext.forSession();
  let busy = false;
  const commands = commandChecks((sentence) => events.notify("warning", sentence));
  const settings = () => environment.config.settings;
  const queue = createInputQueue({
    steer: settings()["agent.steering_mode"],
    follow_up: settings()["agent.follow_up_mode"],
  }, emit);

  const moments = conversationMoments(() => ({
    environment,
    events,
    session: current.session,
    mode,
    approvesEverything,
    model,
    person,
  }));
  const side = extensionSide({
    front: parts.front,
    events,
    queue,
    place: () => ({ current, environment, model, mode, busy }),
    rename,
    waits: () => busy || takeIdleInput(),
  });
  const pool = () => environment.extensions?.pool;
  const admit = (prompt: PromptInput, signal: AbortSignal) => {
    const { preparePrompt } = environment.promptContext;
    const about = { preparePrompt, source: parts.source, shown: shownPrompt(prompt) };
    return admitPrompt(prompt, { ...about, moments, ready: pool()?.ready }, signal);
  };
  const unasked = (admission: Admission, signal: AbortSignal) =>
    admitUnasked({ moments, ready: pool()?.ready }, admission, signal);
  const continued = { count: 0 };
  let takeIdleInput = () => {};

  function thinking(): ThinkingLevel | undefined {
    return chosenThinking === undefined
      ? settings()["agent.thinking"]
      : thinkingLevels.find((level) => level === chosenThinking);
  }

  const runContext = () =>
    runContextOf({
      environment,
      model,
      current,
      person,
      moments,
      sessionContext,
      emit,
      mode: () => mode,
      thinking,
      approvesEverything: () => approvesEverything,
      commands,
      keepsChanges: parts.keepsChanges === true,
      events,
    });

  /** A summary is a request as any other. */
  async function compact(signal: AbortSignal, instruction?: string) {
    const { failure } = await unasked(admitted, signal);
    if (failure !== undefined) throw failure;
    return await environment.compactor.now(runContext(), signal, instruction);
  }

  async function rename(name: string): Promise<void> {
    checkName(name);
    current.history.name = name;
    await current.session.append({ kind: "name", name });
  }

  async function announceSession(): Promise<void> {
    events.ids = { session_id: current.session.id };
    await emit(sessionStart(environment, model, mode, current.history.header !== undefined));
  }

  /** The model to go on with; another object only where something of it changes. */
  async function nextModel(
    { provider = model.provider, model: id = model.model }: Selection,
    next: ConversationEnvironment,
  ): Promise<ChatModel> {
    const same = provider === model.provider && id === model.model;
    // a cassette would start from its beginning
    if (same && (next === environment || provider === "replay")) return model;
    return await models.make({ provider, model: id }, next);
  }

  return {
    current: () => ({
      ...current,
      grants: { session: current.grants, project: environment.projectGrants },
      environment,
      model,
    }),
    notify: events.notify,

    async replace({ environment: next = environment, session: opened, begins = "resume", why }) {
      const selection = opened?.history.selection ?? {};
      try {
        if (busy) throw new RunFailure("usage", "a prompt is being worked on; wait for its end");
        model = await nextModel(selection, next);
      } catch (error) {
        opened?.session.close();
        throw error;
      }
      if (opened) await moments.end(begins === "clear" ? "clear" : "resume");
      const endedPool = pool();
      await endedPool?.close(opened ? "session" : why ?? "reload");
      // nothing can fail from here on but the front end
      const fresh = next === environment ? [] : next.notices;
      const before = current.session;
      environment = next;
      mode = selection.mode ?? mode;
      chosenThinking = selection.thinking ?? chosenThinking;
      if (opened) current = currentOf(opened);
      sessionContext = next.promptContext.forSession();
      if (!opened) pool()?.beginAgain();
      pool()?.attach(side);
      if (opened) {
        await announceSession();
        await before.settle();
        before.close();
        moments.begin(begins);
      }
      await events.warn([...fresh, ...opened?.history.notices ?? []]);
    },

    state: () =>
      conversationState({
        current,
        environment,
        model,
        mode,
        thinking: thinking(),
        approvesEverything,
        busy,
        queue,
      }),

    async open() {
      await announceSession();
      pool()?.attach(side);
      moments.begin(current.history.header === undefined ? "startup" : "resume");
      await events.warn([...environment.notices, ...current.history.notices]);
      await events.release();
    },

    async close({ status, exitStatus }) {
      const success = status === "done";
      await emit({ type: "session_end", success, status, exit_code: exitStatus });
    },

    async prompt(given, signal) {
      const prompt = typeof given === "string" ? { text: given } : given;
      busy = true;
      events.ids = { session_id: current.session.id, run_id: environment.host.randomId(12) };
      try {
        const asked = { admit, admitUnasked: unasked, compact, continued };
        const turn = { parts, environment, current, moments, queue, runContext, ...asked };
        return await promptTurn(prompt, { ...turn, onOver: () => void (busy = false) }, signal);
      } finally {
        busy = false;
        events.ids = { session_id: current.session.id };
      }
    },

    tools: () => offeredTools(environment.tools(), mode),

    async setMode(next) {
      if (next === mode) return;
      mode = next;
      await current.session.append({ kind: "selection", mode });
    },

    async setModel(id, provider = model.provider) {
      model = await models.make({ provider, model: id }, environment);
      await current.session.append({ kind: "selection", provider, model: id });
    },

    async setThinking(level) {
      chosenThinking = level ?? "";
      await current.session.append({ kind: "selection", thinking: chosenThinking });
    },

    setApprovesEverything: (on) => void (approvesEverything = on),

    rename,

    endSession: moments.end,
    compact,
    enqueue: queue.enqueue,
    async dequeue() {
      for (;;) {
        const input = await queue.dequeue();
        const { origin } = input ?? {};
        const problem = origin && countOne(continued, origin.replace(":", " "));
        if (problem === undefined) return input;
        await events.warn([`${problem}, so its message is not sent`]);
      }
    },
    clearQueue: queue.clear,
    whenIdleInput: (take) => void (takeIdleInput = take),
    setQueueMode: queue.setMode,
  };
}
