/** Owns what the console holds: one assembly at a time, and the change to another. */
import { userConfigPath } from "../config/home.ts";
import type { ConversationState } from "../core/conversation.ts";
import type { Desk, DeskStats, SessionLine } from "../core/desk.ts";
import { messageOf, RunFailure } from "../core/failure.ts";
import { toolUsesOf } from "../core/message.ts";
import { thinkingLevels } from "../core/model.ts";
import { providers } from "../providers/catalog.ts";
import { assemble, type AssembleOptions, type Assembly } from "./assemble.ts";
import { runOwnCommand } from "./own_command.ts";
import { chooseSession, type ChosenSession, sessionFolder } from "./open_session.ts";
import { openRecording } from "./recording.ts";
import { chooseModel } from "./select_model.ts";
import { copySession, exportSession } from "./session_copies.ts";
import { testModel } from "./test_model.ts";
import type { Wanted } from "./wanted.ts";

export type DeskOptions = Pick<
  AssembleOptions,
  "wanted" | "host" | "sink" | "person" | "signal" | "commands"
>;

/** Throws `RunFailure` for whatever keeps the first conversation from starting. */
export async function openDesk(options: DeskOptions): Promise<Desk> {
  const { host, sink } = options;
  const recording = options.wanted.record === undefined
    ? undefined
    : openRecording(options.wanted.record, host);
  const shared = { ...options, ...(recording === undefined ? {} : { recording }) };
  let current = await assemble(shared);
  /** Wishes about sessions are for the start alone. */
  const { session: _session, resume: _resume, ...rest } = options.wanted;
  const wanted: Wanted & { approve?: boolean } = { ...rest, resume: false };

  const apiKeyProvider = current.model().provider;

  const state = () => current.conversation.state();
  const tell = (level: "info" | "warning" | "error", message: string) => {
    sink({ type: "diagnostic", level, message }, { session_id: state().sessionId }).catch(() => {});
  };

  /** What was chosen since the start goes on. */
  const wantedNow = ({ provider, model, mode, approvesEverything }: ConversationState) => ({
    ...wanted,
    apiKeyProvider,
    provider,
    model,
    plan: mode === "plan",
    yolo: approvesEverything,
  });

  async function changeTo(next: Partial<AssembleOptions>): Promise<void> {
    const before = current;
    current = await assemble({ ...shared, wanted: wantedNow(state()), ...next });
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
    const asked = { ...wantedNow(state()), plan: (mode ?? state().mode) === "plan" };
    try {
      await changeTo({
        environment: sameEnvironment(thinking),
        session,
        ...(other
          ? { wanted: { ...asked, provider, model } }
          : { wanted: asked, model: current.model() }),
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
      wanted: { ...wantedNow(state()), ...(thinking === undefined ? {} : { thinking }) },
    });
  }

  const place = () => {
    const { workspace, nimletHome } = current.environment;
    return { workspace, nimletHome, home: host.env.home };
  };

  async function sessions(): Promise<SessionLine[]> {
    const dir = sessionFolder(current.environment);
    if (dir === undefined) return [];
    const { listSessions } = await import("../session/list_sessions.ts");
    return listSessions(dir, { workspace: current.environment.workspace });
  }

  return {
    conversation: () => current.conversation,
    sessionFile: () => current.session.path,
    open: () => current.open(),
    async begin() {
      await goOn(await chooseSession(wanted, current.environment, tell));
    },
    async resume(ref) {
      const { sessionId } = state();
      const found = ref ?? (await sessions()).find(({ id }) => id !== sessionId)?.id;
      if (found === undefined) {
        throw new RunFailure("session", "there is no other session of this folder yet");
      }
      if (found === sessionId) throw new RunFailure("session", "that is the session in hand");
      await goOn(await chooseSession({ ...wanted, session: found }, current.environment, tell));
    },
    async fork() {
      await goOn(await copySession(current.session, current.environment, tell));
    },
    export: (file) => exportSession(current.session, current.environment, file),
    sessions,
    async stats(): Promise<DeskStats> {
      const { estimateTokens } = await import("../session/token_estimate.ts");
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
      const { judgeTrust } = await import("../permissions/trust.ts");
      const { parts } = await judgeTrust(place());
      return { trusted: current.environment.trust.trusted, parts };
    },
    async setTrust(trusted) {
      const { setTrust } = await import("../permissions/trust.ts");
      try {
        await setTrust(place(), trusted);
      } catch (error) {
        throw new RunFailure("config", messageOf(error), { cause: error });
      }
      // the answer that is kept is the last word, also on --approve and --no-approve
      delete wanted.approve;
      await setUpAnew();
    },
    reload: setUpAnew,
    async doctor() {
      const { doctor } = await import("./doctor.ts");
      return doctor(wantedNow(state()), current.environment);
    },
    testModel: (signal) => testModel(current.model(), host.clock, signal),
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
      const { setUserSetting } = await import("../config/write.ts");
      await setUserSetting(
        userConfigPath(nimletHome),
        ["providers", provider, "last_model"],
        model,
      );
    },
    slashMeaning: (text) => current.knowledge.slashMeaning(text),
    slashNames: () => current.knowledge.slashNames(),
    runCommand: (command, onOutput, signal) =>
      runOwnCommand(command, { environment: current.environment, onOutput, signal }),
    async close() {
      await current.finish();
      await recording?.close();
    },
  };
}
