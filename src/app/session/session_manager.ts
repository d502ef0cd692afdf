/** What the console holds: one assembly at a time, and the change to another. */
import { userConfigPath } from "../../config/home.ts";
import type { ConversationState } from "../../core/conversation.ts";
import type { SessionLine, SessionManager, SessionStats } from "../../core/session_manager.ts";
import { messageOf, RunFailure } from "../../core/failure.ts";
import { toolUsesOf } from "../../core/message.ts";
import { thinkingLevels } from "../../core/model.ts";
import { providers } from "../../providers/catalog.ts";
import { assemble, type AssembleOptions, type Assembly } from "../assemble.ts";
import { runUserCommand } from "../user_command.ts";
import { chooseSession, type ChosenSession, sessionFolder } from "./open_session.ts";
import { openRecording } from "../output/recording.ts";
import { chooseModel } from "../select_model.ts";
import { copySession, exportSession } from "./session_copies.ts";
import { probeModel } from "../probe_model.ts";
import type { RunOptions } from "../run_options.ts";

export type SessionManagerOptions = Pick<
  AssembleOptions,
  "runOptions" | "host" | "sink" | "person" | "signal" | "commands"
>;

/** Throws `RunFailure` for whatever keeps the first conversation from starting. */
export async function openSessionManager(options: SessionManagerOptions): Promise<SessionManager> {
  const { host, sink } = options;
  const recording = options.runOptions.record === undefined
    ? undefined
    : openRecording(options.runOptions.record, host);
  const shared = { ...options, ...(recording === undefined ? {} : { recording }) };
  let current = await assemble(shared);
  /** Wishes about sessions are for the start alone. */
  const { session: _session, resume: _resume, ...rest } = options.runOptions;
  const runOptions: RunOptions & { approve?: boolean } = { ...rest, resume: false };

  const apiKeyProvider = current.model().provider;

  const state = () => current.conversation.state();
  const tell = (level: "info" | "warning" | "error", message: string) => {
    sink({ type: "diagnostic", level, message }, { session_id: state().sessionId }).catch(() => {});
  };

  /** What was chosen since the start goes on. */
  const runOptionsNow = ({ provider, model, mode, approvesEverything }: ConversationState) => ({
    ...runOptions,
    apiKeyProvider,
    provider,
    model,
    plan: mode === "plan",
    yolo: approvesEverything,
  });

  async function changeTo(next: Partial<AssembleOptions>): Promise<void> {
    const before = current;
    current = await assemble({ ...shared, runOptions: runOptionsNow(state()), ...next });
    await current.open();
    if (current.session !== before.session) await before.finish();
  }

  /** The same ground, with nothing to tell a second time. */
  function sameEnvironment(thinking = state().thinking): Assembly["environment"] {
    const { environment } = current;
    const { config } = environment;
    const settings = { ...config.settings, "agent.thinking": thinking };
    return { ...environment, notices: [], config: { ...config, settings } };
  }

  async function goOn(session: ChosenSession): Promise<void> {
    const { provider, model, mode } = session.selection;
    const thinking = thinkingLevels.find((level) => level === session.selection.thinking);
    const other = provider !== undefined && model !== undefined &&
      (provider !== state().provider || model !== state().model);
    const asked = { ...runOptionsNow(state()), plan: (mode ?? state().mode) === "plan" };
    try {
      await changeTo({
        environment: sameEnvironment(thinking),
        session,
        ...(other
          ? { runOptions: { ...asked, provider, model } }
          : { runOptions: asked, model: current.model() }),
      });
    } catch (error) {
      session.session.close();
      throw error;
    }
  }

  /** Everything but the session is looked for again. */
  async function setUpAnew(signal = options.signal): Promise<void> {
    const { provider, model, mode, name, usage, thinking } = state();
    // a cassette would start from its beginning
    const keep = provider === "replay" ? { model: current.model() } : {};
    await changeTo({
      signal,
      session: {
        session: current.session,
        messages: current.history.messages,
        selection: { provider, model, mode },
        resumed: true,
        usage,
        ...(name === undefined ? {} : { name }),
        notices: [],
      },
      ...keep,
      runOptions: { ...runOptionsNow(state()), ...(thinking === undefined ? {} : { thinking }) },
    });
  }

  const place = () => {
    const { workspace, nimletHome } = current.environment;
    return { workspace, nimletHome, home: host.env.home };
  };

  async function sessions(): Promise<SessionLine[]> {
    const dir = sessionFolder(current.environment);
    if (dir === undefined) return [];
    const { listSessions } = await import("../../session/list_sessions.ts");
    return listSessions(dir, { workspace: current.environment.workspace });
  }

  return {
    conversation: () => current.conversation,
    sessionFile: () => current.session.path,
    open: () => current.open(),
    async begin() {
      await goOn(await chooseSession(runOptions, current.environment, tell));
    },
    async resume(ref) {
      const { sessionId } = state();
      const found = ref ?? (await sessions()).find(({ id }) => id !== sessionId)?.id;
      if (found === undefined) {
        throw new RunFailure("session", "there is no other session of this folder yet");
      }
      if (found === sessionId) throw new RunFailure("session", "that is the session in hand");
      await goOn(await chooseSession({ ...runOptions, session: found }, current.environment, tell));
    },
    async fork() {
      await goOn(await copySession(current.session, current.environment, tell));
    },
    export: (file) => exportSession(current.session, current.environment, file),
    sessions,
    async stats(): Promise<SessionStats> {
      const { estimateTokens } = await import("../../session/token_estimate.ts");
      const { messages } = current.history;
      return {
        messages: messages.length,
        toolCalls: messages.reduce(
          (sum, message) => sum + (message.role === "assistant" ? toolUsesOf(message).length : 0),
          0,
        ),
        usage: state().usage,
        contextTokens: estimateTokens(messages),
        contextWindow: current.environment.config.settings["agent.context_window"] ||
          current.model().contextWindow,
      };
    },
    permissions() {
      const { session, project } = current.grants;
      return { session: session.list(), project: project?.list() };
    },
    async clearPermissions() {
      const { session, project } = current.grants;
      const count = session.list().length + (project?.list().length ?? 0);
      await session.clear();
      await project?.clear();
      return count;
    },
    async trust() {
      const { judgeTrust } = await import("../../permissions/trust.ts");
      const { parts } = await judgeTrust(place());
      return { trusted: current.environment.trust.trusted, parts };
    },
    async setTrust(trusted) {
      const { setTrust } = await import("../../permissions/trust.ts");
      try {
        await setTrust(place(), trusted);
      } catch (error) {
        throw new RunFailure("config", messageOf(error), { cause: error });
      }
      // the answer that is kept is the last word, also on --approve and --no-approve
      delete runOptions.approve;
      await setUpAnew();
    },
    reload: setUpAnew,
    async doctor() {
      const { doctor } = await import("../doctor.ts");
      return doctor(runOptionsNow(state()), current.environment);
    },
    probeModel: (signal) => probeModel(current.model(), host.clock, signal),
    providers: () => providers.map(({ name }) => name),
    async setProvider(name) {
      const { model } = chooseModel({ provider: name }, current.environment);
      if (model === undefined) {
        throw new RunFailure(
          "usage",
          `no model is known for provider ${name}; name one: /provider ${name} MODEL`,
        );
      }
      await current.conversation.setModel(model, name);
    },
    async rememberModel() {
      const { provider, model } = state();
      const { nimletHome } = current.environment;
      if (nimletHome === undefined || provider === "replay") return;
      const { setUserSetting } = await import("../../config/write.ts");
      await setUserSetting(
        userConfigPath(nimletHome),
        ["providers", provider, "last_model"],
        model,
      );
    },
    slashMeaning: (text) => current.promptContext.slashMeaning(text),
    slashNames: () => current.promptContext.slashNames(),
    runCommand: (command, onOutput, signal) =>
      runUserCommand(command, { environment: current.environment, onOutput, signal }),
    async close() {
      await current.finish();
      await recording?.close();
    },
  };
}
