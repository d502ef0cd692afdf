/** A loop on a scripted model, with events, records and tools in plain arrays. */
import { run, type RunEnd } from "../../src/agent/run.ts";
import type { History, RunContext } from "../../src/agent/run_context.ts";
import type { AgentEvent } from "../../src/core/event.ts";
import type { JsonObject } from "../../src/core/json.ts";
import type { Message } from "../../src/core/message.ts";
import type { ModelRequest } from "../../src/core/model.ts";
import { allowAll } from "../support/permission.ts";
import type { SessionRecord } from "../../src/core/record.ts";
import type { AnyTool, Tool, ToolContext } from "../../src/core/tool.ts";
import { realHost } from "../../src/host/real_host.ts";
import { type Script, scriptedModel } from "../support/scripted_model.ts";

export interface Harness {
  readonly events: AgentEvent[];
  readonly records: SessionRecord[];
  readonly requests: ModelRequest[];
  readonly history: History;
  run(prompt: string, signal?: AbortSignal): Promise<RunEnd>;
}

export interface Changes extends Partial<Omit<RunContext, "tools" | "history">> {
  readonly tools?: readonly AnyTool[] | RunContext["tools"];
}

export function harness(script: Script, changes: Changes = {}): Harness {
  const events: AgentEvent[] = [], records: SessionRecord[] = [];
  const model = scriptedModel(script);
  const history: History = { messages: [] };
  const { tools = [], ...others } = changes;
  const context: RunContext = Object.freeze<RunContext>({
    host: {
      ...realHost(),
      clock: { now: Date.now, monotonic: () => performance.now(), delay: () => Promise.resolve() },
    },
    model,
    request: () => Promise.resolve({ system: "s", maxOutputTokens: 100 }),
    tools: typeof tools === "function" ? tools : () => tools,
    history,
    mode: () => "act",
    emit: (event) => Promise.resolve(void events.push(event)),
    journal: { append: (record) => Promise.resolve(void records.push(record)) },
    permission: allowAll,
    workspace: "/",
    childEnv: {},
    limits: { idleMs: 60_000, maxOutputBytes: 1000, maxRepeats: 10 },
    ...others,
  });
  return {
    events,
    records,
    requests: model.requests,
    history,
    run(prompt, signal = new AbortController().signal) {
      const message: Message = { role: "user", content: [{ type: "text", text: prompt }] };
      history.messages.push(message);
      return run(context, signal);
    },
  };
}

/** A tool that takes any object. */
export function tool(
  name: string,
  body: (input: JsonObject, context: ToolContext) => Promise<string> | string,
  more: Partial<Tool<JsonObject>> = {},
): AnyTool {
  return {
    name,
    description: name,
    capabilities: ["read"],
    parallel: false,
    origin: { kind: "built-in" },
    input: {
      jsonSchema: { type: "object", properties: {} },
      parse: (raw) => Promise.resolve({ input: raw as JsonObject }),
    },
    run: async (input, context) => ({ text: await body(input, context) }),
    ...more,
  };
}
