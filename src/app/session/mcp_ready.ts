/** What MCP servers add to a request: the wait for their tools, and their instructions. */
import type { Mode } from "../../core/capability.ts";
import type { Person } from "../../core/person.ts";
import { delay } from "../../lib/delay.ts";
import type { McpTools } from "../mcp_tools.ts";
import type { EventStream } from "./event_stream.ts";

/** A wait that is longer says for whom, where somebody sits before it. */
const quietMs = 1000;

/**
 * Resolves when the tools that `mode` offers are known, or the person does not wait any longer; what they should
 * know is announced.
 */
export async function mcpReady(
  mcp: McpTools | undefined,
  mode: Mode,
  events: EventStream,
  person: Person | undefined,
  signal: AbortSignal,
): Promise<void> {
  if (mcp === undefined) return;
  const { toolset } = mcp;
  if (person === undefined) {
    return await toolset.ready(mode, signal).finally(() => events.warn(toolset.takeNotices()));
  }
  const over = new AbortController(), enough = new AbortController();
  let release = () => {};
  delay(quietMs, over.signal).then(() => {
    const waiting = toolset.waitingFor(mode);
    if (waiting.length === 0) return;
    const canGoOn = person.whileWaiting !== undefined && !waiting.some((one) => one.isRequired);
    if (canGoOn) release = person.whileWaiting(() => enough.abort());
    const names = waiting.map(({ name }) => name).join(", ");
    const hint = canGoOn ? " (Ctrl-C goes on without)" : "";
    events.notify("info", `mcp: waiting for ${names} …${hint}`);
  }).catch(() => {});
  try {
    await toolset.ready(mode, AbortSignal.any([signal, enough.signal]));
  } catch (error) {
    if (signal.aborted || !enough.signal.aborted) throw error;
    toolset.passOver(mode);
  } finally {
    over.abort();
    release();
    await events.warn(toolset.takeNotices());
  }
}

/** For the end of the system prompt; "" for none. */
export function instructionsOf(mcp: McpTools | undefined): string {
  return mcp?.toolset.instructions() ?? "";
}
