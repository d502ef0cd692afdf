/** What an extension is to the rest of this room, and what it is made of. */
import type { Clock } from "../core/host.ts";
import type { ConnectionEvents, RequestBody } from "./connection.ts";
import type { FoundExtension } from "./discover.ts";
import type { Launcher } from "./launch.ts";
import type { RequestOptions } from "./open_requests.ts";
import type { Registration, Response, ShutdownReason, ToExtension } from "./protocol.ts";

type ToolContextLine = Extract<ToExtension, { type: "tool" }>["context"];
type ExtensionState = "running" | "failed" | "disabled";

export interface ExtensionOptions {
  readonly found: FoundExtension;
  readonly launch: Launcher;
  readonly clock: Clock;
  /** The first line of each process. */
  initialize(): ToExtension;
  callContext(toolId: string | undefined): ToolContextLine;
  readonly events: Omit<ConnectionEvents, "warn">;
  /** Called with each answer that came in time, also one that says that it failed. */
  answered(response: Response, to: RequestBody): void;
  /** For a person: each time something new is wrong. */
  warn(sentence: string): void;
  /** A process has registered; `isFirst` for the first one. Resolves when what it offers can be used. */
  onRegistered(registration: Registration, isFirst: boolean): Promise<void>;
}

export interface Extension {
  readonly found: FoundExtension;
  /** What a call of one of its tools belongs to. */
  callContext(toolId: string | undefined): ToolContextLine;
  readonly state: ExtensionState;
  /** A process of it runs. */
  readonly isRunning: boolean;
  /** What is wrong with it. */
  readonly error: string | undefined;
  /** Of the newest process that has registered. */
  readonly registration: Registration | undefined;
  /** How long that one took from its start. */
  readonly registeredMs: number | undefined;
  /** Starts the process, without a word to it. */
  start(): void;
  /** Says the first line; starts it where that was not done. */
  begin(): void;
  /** Resolves when it has registered, failed, or had its ten seconds. Rejects with the signal's reason. */
  ready(signal: AbortSignal): Promise<void>;
  /** Starts a process where none runs. Rejects with an `ExtensionFailure`, or the reason of the signal. */
  request(body: RequestBody, options: Omit<RequestOptions, "timeoutMs">): Promise<Response>;
  /** Says what nobody answers, where a process runs. */
  tell(line: ToExtension): void;
  /** Ends it; a later `begin` starts it anew. */
  close(reason: ShutdownReason): Promise<void>;
}
