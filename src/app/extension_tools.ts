/** The tools of extensions for a list or a single call, outside of a conversation. */
import type { ConversationSide } from "../extensions/conversation_side.ts";
import type { Mode } from "../core/capability.ts";
import { RunFailure } from "../core/failure.ts";
import type { Extensions } from "./extensions.ts";
import { keepOnly, type Toolset } from "./toolset.ts";

/** Starts them: `others` and what they offer, less what `only` leaves out. */
export async function withExtensions(
  others: Toolset,
  { pool, warnings }: Extensions,
  only: readonly string[] | undefined,
  mode: Mode,
  signal: AbortSignal,
): Promise<Toolset> {
  if (pool === undefined) {
    return { ...others, warnings: [...others.warnings, ...warnings] };
  }
  const notices: string[] = [];
  pool.attach(sideWithoutSession(mode, (sentence) => notices.push(sentence)));
  try {
    await pool.ready(signal);
  } catch (error) {
    if (!(error instanceof RunFailure)) throw error;
    // a list is there to find such faults
    notices.push(error.message);
  }
  const tools = pool.tools(others.tools);
  return {
    ...others,
    tools: only === undefined ? tools : keepOnly(tools, only),
    warnings: [...others.warnings, ...warnings, ...new Set(notices)],
  };
}

export function sideWithoutSession(
  mode: Mode,
  notify: (sentence: string) => void,
): ConversationSide {
  const none = () => Promise.reject(new Error("there is no session here"));
  return {
    front: "print",
    now: () => ({
      sessionId: null,
      runId: null,
      mode,
      provider: "",
      model: "",
      messages: [],
    }),
    entries: () => [],
    keepEntry: none,
    sendMessage: none,
    answer: none,
    notify: (_, message) => notify(message),
  };
}
