/** The request of a call, with its limits of time. */
import type { JsonObject } from "../core/json.ts";
import { parameterHeaders } from "./header_parameters.ts";
import type { RequestOptions, Session } from "./session.ts";
import type { ServerTool } from "./tool_list.ts";

export type CallOptions =
  & Required<Pick<RequestOptions, "onProgress">>
  & { readonly signal: AbortSignal };

/** A call may go on for so many times its limit as long as there is progress. */
const longestCalls = 30, longestCallMs = 86_400_000;

/** `silenceMs` is how long nothing may come. Rejects with `McpFailure`. */
export async function askTool(
  session: Session,
  tool: ServerTool,
  input: JsonObject,
  silenceMs: number,
  options: CallOptions,
): Promise<unknown> {
  return await session.ask("tools/call", { name: tool.name, arguments: input }, {
    ...options,
    silenceMs,
    longestMs: Math.min(silenceMs * longestCalls, longestCallMs),
    headers: tool.headers.length === 0 ? undefined : parameterHeaders(tool.headers, input),
  });
}
