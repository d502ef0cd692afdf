/** The tests of which signals count as ignored at the start. */
import assert from "node:assert/strict";
import { fileURLToPath } from "node:url";
import { linux, testWhere } from "../support/test_where.ts";

const program = fileURLToPath(new URL("./ignored_signals_program.ts", import.meta.url));

/** What both ways of asking say in a program that `trap` was run before. */
async function ignoredAfter(trap: string): Promise<[string[], string[]]> {
  const { stdout, stderr, success } = await new Deno.Command("sh", {
    args: ["-c", `${trap}; exec "$@"`, "sh", Deno.execPath(), "run", "-A", "--no-lock", program],
  }).output();
  assert.ok(success, new TextDecoder().decode(stderr));
  return JSON.parse(new TextDecoder().decode(stdout));
}

testWhere(
  linux,
  "signals ignored at the start are known, by the system and by the library",
  async () => {
    const traps: [string, string[]][] = [
      [":", []],
      ["trap '' HUP", ["SIGHUP"]],
      ["trap '' INT TERM XFSZ QUIT", ["SIGINT", "SIGTERM", "SIGXFSZ"]],
      ["trap 'echo caught' INT", []],
    ];
    for (const [trap, expected] of traps) {
      assert.deepEqual(await ignoredAfter(trap), [expected, expected], trap);
    }
  },
);
