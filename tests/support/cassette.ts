/** The making of cassettes: the scripted model of the tests. */

type Part = Record<string, unknown>;

/** A step that says something and ends the turn. */
export function say(text: string): Part[] {
  return [{ type: "text-delta", id: "0", delta: text }, finish("stop")];
}

let calls = 0;

/** A step that asks for one tool. */
export function call(name: string, input: unknown): Part[] {
  return callAll([name, input]);
}

/** A step that asks for several tools at once. */
export function callAll(...wanted: [name: string, input: unknown][]): Part[] {
  const parts = wanted.map(([toolName, input]) => ({
    type: "tool-call",
    toolCallId: `call_${++calls}`,
    toolName,
    input: typeof input === "string" ? input : JSON.stringify(input),
  }));
  return [...parts, finish("tool-calls")];
}

function finish(reason: string): Part {
  return {
    type: "finish",
    finishReason: { unified: reason, raw: reason },
    usage: {
      inputTokens: { total: 10, noCache: 10, cacheRead: 0, cacheWrite: 0 },
      outputTokens: { total: 5, text: 5, reasoning: 0 },
    },
  };
}

/** Writes `steps` as a cassette to `path`, and gives the arguments that play it. */
export async function cassette(path: string, steps: Part[][]): Promise<string[]> {
  await Deno.writeTextFile(path, steps.map((step) => JSON.stringify(step) + "\n").join(""));
  return ["--provider", "replay", "--model", path];
}
