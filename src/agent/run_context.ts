/** What one run works with: an object that stays as it is for as long as the run lasts. */
import type { Mode } from "../core/capability.ts";
import type { Emit } from "../core/event.ts";
import type { Message, UserMessage } from "../core/message.ts";
import type { ChatModel, ModelRequest } from "../core/model.ts";
import type { Moment } from "../core/moment.ts";
import type { DoneCompaction, OwnCompaction, PendingCompaction } from "../core/request_moments.ts";
import type { Participant, WatchChange } from "../core/moments.ts";
import type { PermissionGate } from "../core/permission.ts";
import type { Journal } from "../core/record.ts";
import type { AnyTool, ToolContext, ToolOutput } from "../core/tool.ts";
import type { RepetitionWatch } from "./repetition.ts";
import type { Spending } from "./spending.ts";

/** The conversation so far; the loop appends to it, compaction replaces its contents. */
export interface History {
  messages: Message[];
}

export interface Compactor {
  /** Shortens the history where it is over budget. Throws `ModelError` where the summary fails. */
  ifNeeded(context: RunContext, signal: AbortSignal): Promise<void>;
  /**
   * Shortens after the model said that it does not fit, and asks again; undefined where nothing can
   * be gained. What `askAgain` throws is thrown, and then the history is as it was.
   */
  afterOverflow<Answer>(
    context: RunContext,
    signal: AbortSignal,
    askAgain: () => Promise<Answer>,
  ): Promise<Answer | undefined>;
}

/** What a call needs: where tools work, and what decides whether they may. */
export interface CallContext
  extends Omit<ToolContext, "signal" | "progress" | "permittedKey" | "callId"> {
  /** Asked for each time: a person may change it while the run goes on. */
  mode(): Mode;
  readonly permission: PermissionGate;
  /** Looks at a result before it is kept, and may add to its text. */
  afterTool?(tool: AnyTool, input: unknown, output: ToolOutput): Promise<ToolOutput>;
  /** Absent where no hooks and extensions take part. */
  readonly moments?: CallMoments;
  /** Number of the model request that the call is of; absent outside of a run. */
  readonly step?: number;
}

/** Who takes part in calls. */
export interface CallMoments {
  /** Hooks and extensions in their order; guards among them may stand anywhere. */
  participants(): readonly Participant[];
  /** What a call belongs to. */
  now(): Moment;
  readonly watchChange?: WatchChange;
}

/** What participants make of a summary that is due. */
export interface CompactionAdvice {
  /** Why nothing is to be summarised. */
  readonly refuse?: string;
  readonly instruction?: string;
  readonly own?: OwnCompaction & { readonly by: string };
}

/** One request as participants want it. */
export interface RequestView {
  readonly system: readonly string[];
  readonly messages: readonly Message[];
}

/** Who is told of summaries. */
export interface CompactionMoments {
  before(
    compaction: Omit<PendingCompaction, keyof Moment>,
    signal: AbortSignal,
  ): Promise<CompactionAdvice>;
  after(done: Omit<DoneCompaction, keyof Moment>, signal: AbortSignal): Promise<void>;
}

export interface RunContext extends CallContext {
  readonly model: ChatModel;
  readonly history: History;
  readonly journal: Journal;
  readonly emit: Emit;
  /** Told how many characters of a call have come while the model writes it. */
  readonly callArrives?: (chars: number) => void;
  readonly compactor?: Compactor;
  /** Told what each request took; a run puts its own here, which has a limit. */
  readonly spending?: Pick<Spending, "begin" | "add">;
  /** Absent where no hooks and extensions take part. */
  readonly compaction?: CompactionMoments;
  /** What participants make of a request; absent where none takes part. */
  viewRequest?(
    step: number,
    messages: readonly Message[],
    signal: AbortSignal,
  ): Promise<RequestView>;
  readonly limits: CallContext["limits"] & {
    readonly maxSteps?: number;
    /** Dollars after which no request begins. */
    readonly maxCost?: number;
    /** How often the same call may have the same result in a row; 0 for no limit. */
    readonly maxRepeats: number;
    /** Silence of a stream that counts as broken. */
    readonly idleMs: number;
  };
  /**
   * Awaited before `tools` is asked: those that come from elsewhere may have to be asked for. Throws what
   * ends the run.
   */
  toolsReady?(signal: AbortSignal): Promise<void>;
  /** The tools there are, whatever the mode; asked for once a request, as tools may come and go. */
  tools(): readonly AnyTool[];
  /** Everything of a request with `tools` but the conversation and the tools. */
  request(tools: readonly AnyTool[]): Promise<Omit<ModelRequest, "messages" | "tools">>;
  /** Input that came in meanwhile and enters now; after a batch of results or at the end. */
  takeQueued?(moment: "after_results" | "at_end"): Promise<UserMessage[]>;
}

/** One request and the calls of its answer. */
export interface Step {
  /** Within the run, from 1. */
  readonly number: number;
  /** Those that the request was made with: the answer's calls are for them. */
  readonly tools: readonly AnyTool[];
  readonly repetition: RepetitionWatch;
  /** Set where the answer ended at a limit: how, for a call whose arguments are not whole. */
  cutOff?: string;
  /** Set where a participant ends the run after its call: why. */
  stop?: string;
}
