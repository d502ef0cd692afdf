/**
 * A program that writes to a session and says on stdout what it has recorded.
 * Arguments: folder, workspace, what to open (`new` or an id), records to write, bytes of each.
 */
import { createSession, openSession } from "../../src/session/session.ts";
import { calls, folderIn, result } from "./session_folder.ts";

const [dir, workspace, ref, count, bytes] = Deno.args as [string, string, string, string, string];
const say = (line: string) => Deno.stdout.writeSync(new TextEncoder().encode(line + "\n"));
const options = {
  ...folderIn(dir, workspace),
  notice: (_: string, text: string) => say(`! ${text}`),
};

try {
  const session = ref === "new"
    ? createSession(options)
    : (await openSession(ref, options)).session;
  say(`open ${session.id}`);
  for (let i = 0; i < Number(count); i++) {
    const id = `${Deno.pid}-${i}`;
    await session.append(calls(id));
    await session.append(result(id, "é".repeat(Number(bytes) / 2)));
    say(`done ${id}`);
  }
  await session.settle();
  session.close();
  say("end");
} catch (error) {
  say(`failed ${error instanceof Error ? error.message : error}`);
}
Deno.exit();
