/** The making of cassettes: the scripted model of the tests. */

type Part = Record<string, unknown>;

/** A step that says something and ends the turn. */
export function say(text: string): Part[] {
  return [{ type: "text", delta: text }, finish("stop")];
}

let calls = 0;

/** A step that asks for one tool. */
export function call(name: string, input: unknown): Part[] {
  return callAll([name, input]);
}

/** A step that asks for several tools at once. */
export function callAll(...wanted: [name: string, input: unknown][]): Part[] {
  const events = wanted.map(([name, input]) => ({
    type: "tool_call",
    id: `call_${++calls}`,
    name,
    input: typeof input === "string" ? input : JSON.stringify(input),
  }));
  return [...events, finish("tool_calls")];
}

function finish(reason: string): Part {
  return { type: "finish", reason, usage: { input_tokens: 10, output_tokens: 5 } };
}

/** Writes `steps` as a cassette to `path`, and gives the arguments that play it. */
export async function cassette(path: string, steps: Part[][]): Promise<string[]> {
  await Deno.writeTextFile(path, steps.map((step) => JSON.stringify(step) + "\n").join(""));
  return ["--provider", "replay", "--model", path];
}
