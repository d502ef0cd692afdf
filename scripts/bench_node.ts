/** A bare client for Node, which the start is measured against: four requests, with a command between. */
import type { Kit } from "./bench_kit.ts";

/** Without Node on PATH, running it is a `NotFound`, and the row is left out. */
export async function bareNodeClient(kit: Kit): Promise<readonly [string, ...string[]]> {
  const path = `${kit.temporary}/client.mjs`;
  await Deno.writeTextFile(path, client);
  return ["node", path, kit.server.url];
}

const client = `
import { exec } from "node:child_process";
import { Agent, request } from "node:http";
const agent = new Agent({ keepAlive: true });
const messages = [{ role: "user", content: "What does this project do?" }];
function ask() {
  const body = JSON.stringify({ model: "m", stream: true, messages });
  return new Promise((resolve, reject) => {
    const sent = request(process.argv[2] + "/chat/completions", {
      method: "POST",
      agent,
      headers: { "content-type": "application/json", "content-length": Buffer.byteLength(body) },
    }, (response) => {
      let text = "";
      response.setEncoding("utf8").on("data", (piece) => text += piece);
      response.on("end", () => resolve(text)).on("error", reject);
    });
    sent.on("error", reject).end(body);
  });
}
for (;;) {
  const events = (await ask()).split("\\n").filter((line) => line.startsWith("data: {"))
    .map((line) => JSON.parse(line.slice(6)).choices[0]?.delta ?? {});
  if (!events.some((delta) => delta.tool_calls !== undefined)) break;
  const output = await new Promise((resolve) => exec("cat notes.txt", (_, text) => resolve(text)));
  messages.push({ role: "user", content: output });
}
agent.destroy();
`;
