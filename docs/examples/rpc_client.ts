/**
 * A small client of nimlet's RPC mode, for Deno, Bun, and Node from version 22.18.
 *
 *     deno run -A rpc_client.ts "What is in this folder?" [nimlet flags ...]
 *
 * `NIMLET` names the program where it is not on PATH.
 */
import { spawn } from "node:child_process";
import process from "node:process";

type Fields = Record<string, unknown>;

interface Client {
  /** Sends a command and gives its response, with its `result`; throws where it is `ok: false`. */
  ask(type: string, fields?: Fields): Promise<Fields>;
  /** Every record that is no response, in order, until the program ends. */
  events(): AsyncGenerator<Fields>;
}

export function startNimlet(flags: string[] = []): Client {
  const child = spawn(process.env.NIMLET ?? "nimlet", ["--mode", "rpc", ...flags], {
    stdio: ["pipe", "pipe", "inherit"],
  });
  const waiting = new Map<string, (response: Fields) => void>();
  const queue: Fields[] = [];
  let wake = () => {}, ended = false, rest = "", count = 0;

  child.stdout.setEncoding("utf8");
  child.stdout.on("data", (piece: string) => {
    // Lines end in a line feed and in nothing else.
    const lines = (rest + piece).split("\n");
    rest = lines.pop()!;
    for (const line of lines) take(JSON.parse(line));
  });
  child.on("close", () => {
    ended = true;
    for (const answer of waiting.values()) answer({ ok: false, error: "nimlet has ended" });
    wake();
  });

  function take(record: Fields) {
    if (record.type === "response") {
      waiting.get(String(record.id))?.(record);
      waiting.delete(String(record.id));
    } else {
      queue.push(record);
      wake();
    }
  }

  return {
    async ask(type, fields = {}) {
      const id = String(++count);
      const answered = new Promise<Fields>((resolve) => waiting.set(id, resolve));
      child.stdin.write(`${JSON.stringify({ ...fields, id, type })}\n`);
      const response = await answered;
      if (response.ok !== true) throw new Error(String(response.error));
      return response;
    },
    async *events() {
      while (true) {
        while (queue.length > 0) yield queue.shift()!;
        if (ended) return;
        await new Promise<void>((resolve) => wake = resolve);
      }
    },
  };
}

/** Works on one prompt, answers questions with a no, and prints what happens. */
async function main([message = "", ...flags]: string[]): Promise<void> {
  const nimlet = startNimlet(flags);
  await nimlet.ask("prompt", { message, permissions: "ask" });
  for await (const event of nimlet.events()) {
    if (event.type === "tool_call") console.error(`${event.tool_name}`, event.input);
    if (event.type === "approval_required") {
      console.error(`denied: ${event.subject}`);
      await nimlet.ask("approve", { request_id: event.request_id, answer: "deny" });
    }
    if (event.type === "error") console.error(`failed: ${event.message}`);
    if (event.type === "message" && event.final) console.log(event.content);
    if (event.type === "run_end") {
      const stats = (await nimlet.ask("get_stats")).result as Fields;
      console.error(`${stats.messages} messages, ${stats.tool_calls} tool calls`);
      await nimlet.ask("shutdown");
    }
  }
}

await main(process.argv.slice(2)).catch((error) => {
  console.error(error.message);
  process.exitCode = 1;
});
