/** What MCP servers add to a request: the wait for their tools, and their instructions. */
import type { Mode } from "../../core/capability.ts";
import type { Person } from "../../core/person.ts";
import { delay } from "../../lib/delay.ts";
import type { McpTools } from "../mcp_tools.ts";
import type { EventStream } from "./event_stream.ts";

/** A wait that is longer says for whom, where somebody sits before it. */
const quietMs = 1000;

/** Resolves when the tools that `mode` offers are known; what a person should know is announced. */
export async function mcpReady(
  mcp: McpTools | undefined,
  mode: Mode,
  events: EventStream,
  person: Person | undefined,
  signal: AbortSignal,
): Promise<void> {
  if (mcp === undefined) return;
  const { toolset } = mcp;
  const over = new AbortController();
  if (person !== undefined) {
    delay(quietMs, over.signal).then(() => {
      const names = toolset.waitingFor(mode).join(", ");
      if (names !== "") events.notify("info", `mcp: waiting for ${names} …`);
    }).catch(() => {});
  }
  try {
    await toolset.ready(mode, signal);
  } finally {
    over.abort();
    await events.warn(toolset.takeNotices());
  }
}

/** For the end of the system prompt; "" for none. */
export function instructionsOf(mcp: McpTools | undefined): string {
  return mcp?.toolset.instructions() ?? "";
}
