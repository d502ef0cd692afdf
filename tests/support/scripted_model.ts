/** A model that plays a script, one step a request. */
import {
  type ChatModel,
  ModelError,
  type ModelEvent,
  type ModelRequest,
} from "../../src/core/model.ts";

/** One step of the script: events, or a failure thrown after the events before it. */
export type Script = (ModelEvent | ModelError | ((signal: AbortSignal) => Promise<void>))[][];

export interface ScriptedModel extends ChatModel {
  /** What was asked so far. */
  readonly requests: ModelRequest[];
}

export function scriptedModel(script: Script, model = "m", provider = "script"): ScriptedModel {
  const requests: ModelRequest[] = [];
  return {
    provider,
    model,
    contextWindow: 0,
    hasPrices: true,
    requests,
    async *stream(request, signal) {
      const step = script[requests.length];
      requests.push({ ...request, messages: [...request.messages] });
      if (!step) throw new ModelError("request", "the script is over", { retryable: false });
      for (const item of step) {
        if (item instanceof ModelError) throw item;
        else if (typeof item === "function") await item(signal);
        else yield [item];
      }
    },
  };
}

export const text = (delta: string, block = "0"): ModelEvent => ({ type: "text", block, delta });
export const call = (id: string, name: string, inputText = "{}"): ModelEvent => ({
  type: "tool_call",
  id,
  name,
  inputText,
});
export const finish = (
  reason: (ModelEvent & { type: "finish" })["reason"] = "stop",
): ModelEvent => ({ type: "finish", reason, usage: { input_tokens: 1, output_tokens: 2 } });
