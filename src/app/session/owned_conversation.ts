/** The conversation as the managers hold it: with its parts, which can be replaced. */
import type { History } from "../../agent/run_context.ts";
import type { ChangeLog } from "../../changes/change_log.ts";
import type { Conversation } from "../../core/conversation.ts";
import type { SessionEnd } from "../../core/moments.ts";
import type { ChatModel } from "../../core/model.ts";
import type { OpenedSession, Session } from "../../session/session.ts";
import type { RunGrants } from "../grants.ts";
import type { ConversationEnvironment } from "./conversation_environment.ts";
import type { EventStream } from "./event_stream.ts";

/** What the conversation is made of now. */
export interface CurrentParts {
  readonly session: Session;
  readonly history: History;
  readonly environment: ConversationEnvironment;
  readonly model: ChatModel;
  readonly grants: RunGrants;
  /** Empty where changes are not kept. */
  readonly changes: ChangeLog;
}

export interface OwnedConversation extends Conversation {
  current(): CurrentParts;
  /** Says what nobody waits for. */
  readonly notify: EventStream["notify"];
  /**
   * Goes on with another environment or session, and announces it. Mode, queue, model and thinking
   * stay, except where the session says otherwise; grants end with their session, and the session
   * that was replaced is closed. Throws `RunFailure` where a prompt is being worked on or the model
   * cannot be used; then all is as it was, and the new session is closed.
   */
  replace(next: {
    readonly environment?: ConversationEnvironment;
    readonly session?: OpenedSession;
    /** How the session begins, for those that take part. */
    readonly begins?: "clear" | "resume" | "fork";
    /** Why the environment is another one; absent: it was read again. */
    readonly why?: "trust";
  }): Promise<void>;
  /** Tells hooks and extensions that the session ends; at most once a session. */
  endSession(reason: SessionEnd["reason"], program?: AbortSignal): Promise<void>;
}
