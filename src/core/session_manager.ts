/** What a front end may do with sessions: begin, resume, copy and look at them. */
import type { Usage } from "./usage.ts";

export interface SessionLine {
  readonly id: string;
  readonly name?: string;
  /** The start of its first prompt. */
  readonly prompt?: string;
  readonly updatedMs: number;
}

export interface SessionStats {
  readonly messages: number;
  readonly toolCalls: number;
  /** Of the whole session, as far as it was reported. */
  readonly usage: Usage;
  /** Estimated tokens of the messages in force. */
  readonly contextTokens: number;
  /** Tokens that the model can take; 0 where unknown. */
  readonly contextWindow: number;
}

/** The current session is that of the conversation. Every method may throw `RunFailure`. */
export interface SessionManager {
  /** Where the current session is kept; undefined where it is not. */
  file(): string | undefined;
  /** Goes on with a new session. */
  begin(): Promise<void>;
  /** Goes on with the session that `ref` names, or this folder's latest other one. */
  resume(ref: string | undefined): Promise<void>;
  /** Goes on with a copy of the current session. */
  fork(): Promise<void>;
  /** Writes the current session to a .html, .md or .jsonl file; gives its path. */
  export(file: string | undefined): Promise<string>;
  /** This folder's sessions, last used first. */
  list(): Promise<readonly SessionLine[]>;
  stats(): Promise<SessionStats>;
}
