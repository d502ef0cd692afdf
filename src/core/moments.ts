/**
 * The moments of a run in which people's own programs, hooks and extensions, take part: what each is
 * given, and what it can answer.
 */
import type { JsonObject } from "./json.ts";
import type { Answer, Moment, Noted } from "./moment.ts";
import type { PermissionQuestion } from "./permission.ts";
import type { FileBounds } from "./file_bounds.ts";
import type {
  CompactionAnswer,
  DoneCompaction,
  PendingCompaction,
  PendingRequest,
  RequestAnswer,
} from "./request_moments.ts";
import type { AnyTool, ToolContext, ToolOutput } from "./tool.ts";
import type { Usage } from "./usage.ts";

/**
 * One hook or extension. A method that is missing, and one that gives undefined, has nothing to say:
 * it does not match. No method rejects, but with the reason of the signal: what a failure means is
 * known to the participant, and is in its answer.
 */
export interface Participant {
  /** For sentences: `hook fmt`, `the guard paths`. */
  readonly name: string;
  /** `personal`: from the person's own files; a project's may not allow anything. */
  readonly scope: "personal" | "project";
  /** Asked last, on the final arguments; its silence means no. */
  readonly isGuard: boolean;
  /** True where no live output of the call may be shown before its result was looked at. */
  withholdsOutput?(call: PendingCall): boolean;
  /** Before the permission question. */
  beforeCall?(call: PendingCall, signal: AbortSignal): Answer<CallAnswer>;
  /** A call ran; not for one that was denied or could not run. */
  afterCall?(call: FinishedCall, signal: AbortSignal): Answer<ResultAnswer>;
  /** A question is put to a person; never waited for. */
  onQuestion?(question: PutQuestion): void;
  /** Text that has come meanwhile and enters with the next message of a person; each once. */
  takeContexts?(): readonly string[];
  /** A person or a client has sent a prompt. */
  onPrompt?(prompt: SentPrompt, signal: AbortSignal): Answer<PromptAnswer>;
  /** The model would end well and nothing waits. */
  atEnd?(end: GoodEnd, signal: AbortSignal): Answer<EndAnswer>;
  /** The run failed or reached a limit. */
  afterFailure?(failure: FailedEnd, signal: AbortSignal): Answer<Noted>;
  /** The person or a signal ended the run. */
  afterInterrupt?(end: FailedEnd, signal: AbortSignal): Answer<Noted>;
  /** A message begins to be worked on. */
  onTurn?(turn: BegunTurn, signal: AbortSignal): Answer<Noted>;
  onSessionStart?(start: SessionStart, signal: AbortSignal): Answer<SessionAnswer>;
  onSessionEnd?(end: SessionEnd, signal: AbortSignal): Answer<Noted>;
  /** A request is about to be made. */
  beforeRequest?(request: PendingRequest, signal: AbortSignal): Answer<RequestAnswer>;
  beforeCompaction?(compaction: PendingCompaction, signal: AbortSignal): Answer<CompactionAnswer>;
  afterCompaction?(compaction: DoneCompaction, signal: AbortSignal): Answer<Noted>;
}

export interface PendingCall extends Moment {
  readonly id: string;
  readonly tool: AnyTool;
  /** As the tool gets them: parsed, and with what participants before have changed. */
  readonly arguments: JsonObject;
  /** Number of the model request within the run. */
  readonly step: number;
}

export interface CallAnswer extends Noted {
  /** Why the call is denied, with the participant's name: `hook fmt: no`. */
  readonly deny?: string;
  /** Why a person is to be asked, whatever was granted; with the name. */
  readonly ask?: string;
  /** Answers a question that would be put. */
  readonly allow?: boolean;
  /** The whole new arguments. */
  readonly arguments?: JsonObject;
  /** Text for the model after the result. */
  readonly context?: string;
  /** Why the run ends after this call. */
  readonly stop?: string;
}

export interface FinishedCall extends PendingCall {
  /** The result so far. */
  readonly output: string;
  readonly images: number;
  readonly isError: boolean;
  /** Of a command that ended by itself. */
  readonly exitStatus?: number;
  /** The person or a limit ended it. */
  readonly wasInterrupted: boolean;
  readonly durationMs: number;
}

export interface ResultAnswer extends Noted {
  /** Takes the result's place; images stay. */
  readonly output?: string;
  readonly isError?: boolean;
  /** Text for the model after the result. */
  readonly context?: string;
  /** Stands in place of a result that the model must not see. */
  readonly withhold?: string;
  readonly stop?: string;
}

export interface PutQuestion extends Moment {
  readonly question: PermissionQuestion;
}

export interface SentPrompt extends Moment {
  /** As typed, with piped text before it. */
  readonly text: string;
  /** As the model gets it: with templates and skills in place. */
  readonly message: string;
  /** Files that it attaches. */
  readonly mentions: readonly string[];
  readonly source: PromptSource;
}

/** What shows a conversation: print mode is also the console form of one prompt. */
export type Front = "console" | "print" | "json" | "rpc";
export type PromptSource = "typed" | "flag" | "rpc";

export interface PromptAnswer extends Noted {
  /** Why the prompt is not sent. */
  readonly block?: string;
  /** Text for the model after the message. */
  readonly context?: string;
}

export interface BegunTurn extends Moment {
  readonly prompt: string;
  /** Where it comes from: a prompt's source, or who wrote it. */
  readonly source: string;
}

export interface GoodEnd extends Moment {
  readonly text: string;
  /** Of the run so far. */
  readonly usage?: Usage;
  readonly steps?: number;
  /** How often participants have sent the model on within this prompt. */
  readonly continued: number;
}

export interface EndAnswer extends Noted {
  /** The message that sends the model on. */
  readonly goOn?: string;
  /** True where the run is to end here, whoever wants to go on. */
  readonly stop?: boolean;
}

export interface FailedEnd extends Moment {
  readonly status: "failed" | "limit" | "interrupted";
  readonly code: string;
  readonly message: string;
  readonly text: string;
  readonly usage?: Usage;
  readonly steps?: number;
  readonly continued?: number;
}

export interface SessionStart extends Moment {
  readonly source: "startup" | "resume" | "clear" | "fork" | "compact";
}

export interface SessionAnswer extends Noted {
  /** Text for the model with the first message. */
  readonly context?: string;
  /** A guard that did not answer: why nothing may begin. */
  readonly refuse?: string;
}

export interface SessionEnd extends Moment {
  readonly reason: "clear" | "resume" | "prompt_input_exit" | "other";
}

/**
 * Looks at what a call has changed, before participants see its result. What it gives looks again after
 * the last of them, and says in the result what they, by their names, have changed; undefined where
 * nothing can be.
 */
export type WatchChange = (call: {
  readonly tool: AnyTool;
  readonly input: unknown;
  readonly bounds: FileBounds;
  readonly fileChanged: ToolContext["fileChanged"];
}) => Promise<LookAgain | undefined>;

export type LookAgain = <Result extends ToolOutput & { readonly isError: boolean }>(
  result: Result,
  names: readonly string[],
) => Promise<Result>;
