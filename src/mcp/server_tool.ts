/** A tool of a server as the model is offered it, and what the failures of its calls are called. */
import { RunFailure, ToolFailure } from "../core/failure.ts";
import { isJsonObject, type JsonObject } from "../core/json.ts";
import type { McpServerSettings } from "../core/mcp_server.ts";
import type { Tool, ToolContext, ToolOrigin, ToolOutput } from "../core/tool.ts";
import type { BoundedCheck } from "../schemas/bounded_check.ts";
import { toolInput } from "../schemas/tool_input.ts";
import { readCallResult, type ResultRules } from "./call_result.ts";
import { withoutTags } from "../core/clean_text.ts";
import { McpFailure, ToolChanged } from "./failure.ts";
import { matchesAny } from "./patterns.ts";
import { calmProgress } from "./progress.ts";
import type { McpServer } from "./server.ts";
import { quotedErrors, StartFailure } from "./start_failure.ts";
import type { ServerTool } from "./tool_list.ts";

/** What tells pictures from other bytes; loaded for the first result. */
export type ImageTypes = () => Promise<ResultRules["imageType"]>;

export type McpOrigin = ToolOrigin & { readonly kind: "mcp" };

/** `name` is what the model calls it. */
export function serverTool(
  server: McpServer,
  tool: ServerTool,
  name: string,
  checked: BoundedCheck,
  imageTypes: ImageTypes,
): Tool<JsonObject> {
  const { settings } = server;
  const onlyReads = matchesAny(settings.planTools, tool.name);
  return {
    name,
    description: tool.description === ""
      ? `${tool.name} of the MCP server ${settings.name}`
      : tool.description,
    // a server's own hints choose nothing: one that lies would choose what plan mode offers
    capabilities: onlyReads ? ["read"] : ["write", "shell", "network"],
    input: toolInput(tool.inputSchema, checked),
    parallel: false,
    origin: originOf(settings, tool),
    grantKey: () => `tool:${name}@${tool.digest}`,
    run: (input, context) => callTool(server, tool, input, context, imageTypes),
  };
}

function originOf({ name, scope, file }: McpServerSettings, tool: ServerTool): McpOrigin {
  return { kind: "mcp", server: name, scope, file, tool: tool.name, hints: tool.hints };
}

async function callTool(
  server: McpServer,
  tool: ServerTool,
  input: JsonObject,
  context: ToolContext,
  imageTypes: ImageTypes,
): Promise<ToolOutput> {
  const { clock } = context.host;
  const startMs = clock.monotonic();
  let answer: unknown;
  try {
    answer = await server.call(tool, input, {
      signal: context.signal,
      onProgress: calmProgress(context.progress, clock.monotonic),
    });
  } catch (error) {
    throw failureOf(error, server, tool, (clock.monotonic() - startMs) / 1000);
  }
  if (!isJsonObject(answer)) {
    throw failed(`${server.settings.name} answered with what is no result.`);
  }
  const result = readCallResult(answer, {
    maxTextBytes: context.limits.maxOutputBytes,
    imageType: await imageTypes(),
  });
  const { name } = server.settings;
  if (result.wantsInput) {
    throw failed(`${name} asks for further input, which nimlet cannot give.`);
  }
  if (result.isError) throw new ToolFailure("tool_failed", result.text);
  return { text: result.text, ...result.images.length === 0 ? {} : { images: result.images } };
}

const maxMessageChars = 4000;

function failureOf(error: unknown, server: McpServer, tool: ServerTool, seconds: number): unknown {
  const { name, callTimeoutSeconds } = server.settings;
  if (error instanceof StartFailure) return failed(error.message);
  if (error instanceof ToolChanged) {
    return error.change === "gone"
      ? new ToolFailure(
        "unknown_tool",
        `unknown_tool: ${name} offers no tool ${JSON.stringify(tool.name)} any more`,
      )
      : new ToolFailure(
        "tool_changed",
        `tool_changed: ${name} describes ${tool.name} in another way than it was offered; the call was not ` +
          "made. The next request has the new definition.",
      );
  }
  // a setting that leads nowhere
  if (error instanceof RunFailure) return failed(error.message);
  if (!(error instanceof McpFailure)) return error;
  const message = withoutTags(error.message).toWellFormed().slice(0, maxMessageChars);
  switch (error.kind) {
    case "answer":
      return failed(`${name}: ${message}${error.code === 0 ? "" : ` (code ${error.code})`}.`);
    case "cancelled":
      return new ToolFailure("interrupted", `INTERRUPTED (${name} was told to stop).`);
    case "time-out": {
      const waited = Math.max(callTimeoutSeconds, Math.round(seconds));
      return new ToolFailure(
        "timeout",
        `TIMEOUT after ${waited} s: ${name} did not answer and was told to stop.`,
      );
    }
    case "gone":
      return failed(
        `${name} ${message} during the call; whether it took effect is not known.` +
          quotedErrors(server.words.errors),
      );
    case "refused":
    case "session gone":
    case "too large":
    case "protocol":
      return failed(`${name} ${message}.`);
  }
}

function failed(sentence: string): ToolFailure {
  return new ToolFailure("tool_failed", `tool_failed: ${sentence}`);
}
