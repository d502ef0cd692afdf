/** What a front end may do with sessions: begin, resume, copy and look at them. */
import type { JsonObject } from "./json.ts";
import type { Usage } from "./usage.ts";

export interface SessionLine {
  readonly id: string;
  readonly name?: string;
  /** The start of its first prompt. */
  readonly prompt?: string;
  readonly updatedMs: number;
  /** Absolute real path of the folder that it belongs to. */
  readonly workspace: string;
  /** In ISO 8601; empty where the file does not say. */
  readonly created: string;
  readonly bytes: number;
  /** Of its file. */
  readonly path: string;
}

/** A session as programs are shown it. */
export function sessionEntry(
  { updatedMs, id, name, prompt, workspace, created, bytes, path }: SessionLine,
): JsonObject {
  return {
    id,
    ...name === undefined ? {} : { name },
    ...prompt === undefined ? {} : { prompt },
    workspace,
    created,
    updated: new Date(updatedMs).toISOString(),
    bytes,
    path,
  };
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
  begin(name?: string): Promise<void>;
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
