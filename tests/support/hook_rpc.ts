/** An RPC client beside hooks: settings, a scripted model, and questions that the client answers. */
import { join } from "node:path";
import { cassette } from "./cassette.ts";
import { type HookPlace, writeHookFiles } from "./hooks.ts";
import { withScratch } from "./program.ts";
import { only } from "./records.ts";
import { type RpcClient, startRpc } from "./rpc.ts";

export interface HookClient extends RpcClient {
  readonly place: HookPlace;
  /** Sends a prompt, answers each question of it with `answer`, and gives the outputs of its calls. */
  prompt(message: string, answer?: string): Promise<string[]>;
  /** The questions so far. */
  questions(): { readonly [field: string]: unknown }[];
}

export async function withHookClient(
  { settings, files = {}, steps, args = [], env = {} }: {
    readonly settings: string;
    readonly files?: { readonly [path: string]: string };
    readonly steps: Parameters<typeof cassette>[1];
    readonly args?: readonly string[];
    readonly env?: { readonly [name: string]: string };
  },
  use: (client: HookClient) => Promise<void>,
): Promise<void> {
  await withScratch(async ({ root, workspace, home }) => {
    await writeHookFiles(root, { "home/.nimlet/config.json": settings, ...files });
    const model = await cassette(join(root, "model.jsonl"), steps);
    const client = startRpc([...model, ...args], workspace, { HOME: home, ...env });
    let seen = 0;
    try {
      await use({
        ...client,
        place: { root, workspace, home },
        questions: () => only(client.seen, "approval_required"),
        async prompt(message, answer = "once") {
          await client.ask("prompt", { message, permissions: "ask" });
          for (;;) {
            const record = await nextOf(client, ["approval_required", "run_end"]);
            if (record.type === "run_end") break;
            await client.ask("approve", { request_id: record.request_id, answer });
          }
          const outputs = only(client.seen, "tool_result").slice(seen);
          seen += outputs.length;
          return outputs.map(({ output }) => String(output));
        },
      });
    } finally {
      // one that has ended is asked in vain
      await client.send(`{"id":"end","type":"shutdown"}\n`).catch(() => {});
      client.program.closeInput().catch(() => {});
      await client.program.ended;
    }
  });
}

/** The next record of one of the types, also one that came while a response was waited for. */
async function nextOf(client: RpcClient, types: readonly string[]) {
  const looked = looks.get(client) ?? 0;
  for (let at = looked; at < client.seen.length; at++) {
    const record = client.seen[at]!;
    if (!types.includes(record.type)) continue;
    looks.set(client, at + 1);
    return record;
  }
  for (;;) {
    const line = await client.program.waitFor(() => true);
    const record = JSON.parse(line);
    client.seen.push(record);
    if (!types.includes(record.type)) continue;
    looks.set(client, client.seen.length);
    return record;
  }
}

const looks = new WeakMap<RpcClient, number>();
