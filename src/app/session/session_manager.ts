/** The sessions of a conversation: another one, a copy, lists and figures. */
import { RunFailure } from "../../core/failure.ts";
import { toolUsesOf } from "../../core/message.ts";
import type { SessionLine, SessionManager } from "../../core/session_manager.ts";
import { chooseSession, sessionFolder } from "./open_session.ts";
import type { OwnedConversation } from "./owned_conversation.ts";
import { copySession, exportSession } from "./session_copies.ts";

/** `noSession`: new sessions are not kept. */
export function createSessionManager(
  conversation: OwnedConversation,
  noSession: boolean,
): SessionManager {
  const { current, notify, replace } = conversation;

  async function goOn(wanted: { readonly session?: string; readonly name?: string }) {
    const asked = { noSession, resume: false, ...wanted };
    await replace({
      session: await chooseSession(asked, current().environment, notify),
      begins: wanted.session === undefined ? "clear" : "resume",
    });
  }

  async function list(): Promise<SessionLine[]> {
    const { environment } = current();
    const dir = sessionFolder(environment);
    if (dir === undefined) return [];
    const { listSessions } = await import("../../session/list_sessions.ts");
    return listSessions(dir, { workspace: environment.workspace });
  }

  return {
    file: () => current().session.path,
    begin: (name) => goOn(name === undefined ? {} : { name }),
    async resume(ref) {
      const { session: { id: own, path: ownPath }, environment } = current();
      const dir = sessionFolder(environment);
      if (noSession || dir === undefined) {
        throw new RunFailure(
          "session",
          "no sessions are kept in this run: there is none to continue",
        );
      }
      const found = ref ?? (await list()).find(({ id }) => id !== own)?.id;
      if (found === undefined) {
        throw new RunFailure("session", "there is no other session of this folder yet");
      }
      // a start of its id, or its name: opening it would find it in use
      const { findSession } = await import("../../session/find_session.ts");
      const { workspace } = environment;
      if (found === own || findSession(found, { dir, workspace }) === ownPath) {
        throw new RunFailure("session", "that is the current session");
      }
      await goOn({ session: found });
    },
    async fork() {
      const { session, environment } = current();
      await replace({
        session: await copySession(session, environment, notify),
        begins: "fork",
      });
    },
    export: (file) => exportSession(current().session, current().environment, file),
    list,
    async stats() {
      const { estimateTokens } = await import("../../session/token_estimate.ts");
      const { history: { messages } } = current();
      const calls = messages.flatMap((message) =>
        message.role === "assistant" ? toolUsesOf(message) : []
      );
      return {
        messages: messages.length,
        toolCalls: calls.length,
        usage: conversation.state().usage,
        contextTokens: estimateTokens(messages),
        contextWindow: conversation.state().contextWindow,
      };
    },
  };
}
