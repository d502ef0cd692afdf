/** A client of RPC mode for the tests: commands out, records in, each checked. */
import { type RunningProgram, startWithInput } from "./program.ts";
import { checkedRecords, type Record } from "./records.ts";

export interface RpcClient {
  readonly program: RunningProgram;
  /** Every record that was looked at so far. */
  readonly seen: Record[];
  /** Sends a line as it is. */
  send(line: string | Uint8Array): Promise<void>;
  /** Sends a command, and gives its response. */
  ask(type: string, fields?: { [key: string]: unknown }): Promise<Record>;
  /** The next record of that type for which `test` holds. */
  next(type: string, test?: (record: Record) => boolean): Promise<Record>;
}

export function startRpc(
  args: string[],
  cwd: string,
  env: { [key: string]: string } = {},
): RpcClient {
  const program = startWithInput([...args, "--mode", "rpc"], { cwd, env });
  const seen: Record[] = [];
  let count = 0;
  const send = (line: string | Uint8Array) => program.write(line);
  async function next(type: string, test: (record: Record) => boolean = () => true) {
    for (;;) {
      const line = await program.waitFor(() => true);
      const [record] = checkedRecords(`${line}\n`);
      seen.push(record!);
      if (record!.type === type && test(record!)) return record!;
    }
  }
  return {
    program,
    seen,
    send,
    next,
    async ask(type, fields = {}) {
      const id = `c${++count}`;
      await send(`${JSON.stringify({ id, type, ...fields })}\n`);
      return await next("response", (record) => record.id === id);
    },
  };
}
