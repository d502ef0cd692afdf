/** The moments of a request and of a summary: what hooks and extensions are given, and can answer. */
import type { JsonObject } from "./json.ts";
import type { Message } from "./message.ts";
import type { Moment, Noted } from "./moment.ts";

export interface PendingRequest extends Moment {
  readonly step: number;
  readonly messages: readonly Message[];
  /** An estimate of what they take. */
  tokens(): number;
  /** Of the model; 0 where it is unknown. */
  readonly limit: number;
}

export interface RequestAnswer extends Noted {
  /** Texts after the system prompt. */
  readonly system?: readonly string[];
  /** The messages of this request alone. */
  readonly messages?: readonly Message[];
}

export interface PendingCompaction extends Moment {
  readonly trigger: "manual" | "auto";
  readonly instruction: string;
  readonly tokensBefore?: number;
  /** The messages that would be summarised. */
  older?(): readonly Message[];
}

export interface CompactionAnswer extends Noted {
  /** Why nothing is summarised. */
  readonly deny?: string;
  /** What the summary is to dwell on, instead of what was asked. */
  readonly instruction?: string;
  /** The summary itself. */
  readonly compaction?: OwnCompaction;
}

export interface OwnCompaction {
  readonly summary: string;
  /** Of the messages that are sent now. */
  readonly firstKeptIndex: number;
  readonly details: JsonObject;
}

export interface DoneCompaction extends Moment {
  readonly tokensBefore?: number;
  readonly tokensAfter?: number;
  /** What the one that summarised has to say of it. */
  readonly details?: JsonObject;
  readonly trigger: "manual" | "auto";
  readonly summary: string;
}
