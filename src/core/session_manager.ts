/** What the console needs beyond one conversation: the session in hand, and what stands around it. */
import type { Conversation } from "./conversation.ts";
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
  /** Of the whole session, as far as it was told. */
  readonly usage: Usage;
  /** Estimated tokens of the messages in force. */
  readonly contextTokens: number;
  /** Tokens that the model can take; 0 where unknown. */
  readonly contextWindow: number;
}

export interface PermissionLists {
  readonly session: readonly string[];
  /** Undefined where the project is not trusted. */
  readonly project: readonly string[] | undefined;
}

export interface TrustState {
  readonly trusted: boolean;
  /** What the folder holds of its own, relative to it. */
  readonly parts: readonly string[];
}

export interface CommandOutput {
  readonly text: string;
  readonly isError: boolean;
}

/** What a line that starts with a slash is, apart from the console's own commands. */
export type SlashMeaning = "prompt" | "unknown";

export interface SlashName {
  readonly name: string;
  readonly help: string;
}

/** Holds one conversation at a time. Every method may throw `RunFailure` for people. */
export interface SessionManager {
  /** The one in hand; another one after `begin`, `resume`, `reload` and `setTrust`. */
  conversation(): Conversation;
  /** Where the session in hand is kept; undefined where it is not. */
  sessionFile(): string | undefined;
  /** Announces the conversation in hand and what was noticed while it was set up. */
  open(): Promise<void>;
  /** A new session with the same model and mode. */
  begin(): Promise<void>;
  /** Goes on with the session that `ref` names, or this folder's latest other one; gives its id. */
  resume(ref: string | undefined): Promise<void>;
  /** Goes on with a copy of the session in hand. */
  fork(): Promise<void>;
  /** Writes the session in hand as one HTML file; gives its path. */
  export(file: string | undefined): Promise<string>;
  /** This folder's sessions, last used first. */
  sessions(): Promise<readonly SessionLine[]>;
  stats(): Promise<SessionStats>;
  permissions(): PermissionLists;
  /** Forgets every remembered permission; gives how many. */
  clearPermissions(): Promise<number>;
  trust(): Promise<TrustState>;
  /** Remembers the answer for this folder, and sets everything up anew. */
  setTrust(trusted: boolean): Promise<void>;
  /** Reads settings, tools, skills and templates again; the session goes on. May ask about trust. */
  reload(signal?: AbortSignal): Promise<void>;
  /** Provider, model, endpoint, files, where the key is from. */
  doctor(): Promise<readonly string[]>;
  /** Asks the model for one word; gives a line that says how it went. */
  probeModel(signal: AbortSignal): Promise<string>;
  providers(): readonly string[];
  /** Changes the provider, to the model that it was last used with or its default. */
  setProvider(name: string): Promise<void>;
  /** Keeps the model as the provider's last one for later runs. */
  rememberModel(): Promise<void>;
  slashMeaning(text: string): Promise<SlashMeaning>;
  /** Names of templates and `skill:<name>`s, without the slash, with a line on each. */
  slashNames(): Promise<readonly SlashName[]>;
  /** Runs a person's own command in the workspace, unasked. */
  runCommand(
    command: string,
    onOutput: (delta: string) => void,
    signal: AbortSignal,
  ): Promise<CommandOutput>;
  /** Writes what is still to be written. */
  close(): Promise<void>;
}
