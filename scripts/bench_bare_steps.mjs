/**
 * The bare client of steps, for Node: a loop of requests and shell commands, and nothing else.
 *
 *     node bench_bare_steps.mjs <endpoint>
 */
import { exec } from "node:child_process";
import { Agent, request } from "node:http";
import process from "node:process";

const endpoint = process.argv[2];
const agent = new Agent({ keepAlive: true });
const messages = [{ role: "user", content: "Go on." }];

/** The text of the answer to the conversation so far. */
function ask() {
  const body = JSON.stringify({ model: "m", stream: true, messages });
  return new Promise((resolve, reject) => {
    const headers = {
      "content-type": "application/json",
      "content-length": Buffer.byteLength(body),
    };
    const sent = request(
      `${endpoint}/chat/completions`,
      { method: "POST", agent, headers },
      (answer) => {
        let text = "";
        answer.setEncoding("utf8").on("data", (piece) => text += piece);
        answer.on("end", () => resolve(text));
      },
    );
    sent.on("error", reject).end(body);
  });
}

/** The call of an answer, or undefined. */
function callIn(answer) {
  for (const line of answer.split("\n")) {
    if (!line.startsWith("data: {")) continue;
    const call = JSON.parse(line.slice(6)).choices[0]?.delta?.tool_calls?.[0];
    if (call !== undefined) return call;
  }
  return undefined;
}

for (;;) {
  const call = callIn(await ask());
  if (call === undefined) break;
  const { command = "cat notes.txt" } = JSON.parse(call.function.arguments);
  const output = await new Promise((resolve) => exec(command, (_, stdout) => resolve(stdout)));
  messages.push(
    { role: "assistant", content: null, tool_calls: [call] },
    { role: "tool", tool_call_id: call.id, content: output },
  );
}
agent.destroy();
