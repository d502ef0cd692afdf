import assert from "node:assert/strict";
import { fileURLToPath } from "node:url";
import { withWorkspace } from "../support/tool_context.ts";
import { writeTree } from "./tree.ts";

const mostBytes = 300 * 1024 ** 2;
/** As the program itself runs. */
const v8Flags =
  "--v8-flags=--enable-experimental-regexp-engine-on-excessive-backtracks,--liftoff-only";
const files = Object.fromEntries(
  Array.from(
    { length: 300 },
    (_, index) => [`f${index}.txt`, `foo bar zoo ${index}\n`.repeat(200)],
  ),
);

for (
  const [what, patterns] of [
    ["the same pattern of PCRE2's", ["\\Xo"]],
    ["patterns of all kinds", ["\\Xo", "foo", "(\\w+)\\s+\\1", "(a+)+$", "zoo (?=1)", "(?>o)o"]],
  ] as const
) {
  Deno.test(`many searches stay within the memory of an ordinary run: ${what}`, async () => {
    await withWorkspace(async (workspace) => {
      await writeTree(workspace, files);
      const script = fileURLToPath(new URL("./many_searches.ts", import.meta.url));
      const { success, stdout, stderr } = await new Deno.Command(Deno.execPath(), {
        args: ["run", "-A", "--no-check", v8Flags, script, workspace, ...patterns],
        stdin: "null",
      }).output();
      assert.ok(success, new TextDecoder().decode(stderr));
      const peakBytes = Number(new TextDecoder().decode(stdout));
      assert.ok(peakBytes > 0 && peakBytes < mostBytes, `${Math.round(peakBytes / 2 ** 20)} MiB`);
    });
  });
}
