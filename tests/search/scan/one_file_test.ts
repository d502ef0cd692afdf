/** Files that a search reads as a whole, whatever kind of file they are. */
import assert from "node:assert/strict";
import { lookInside } from "../../../src/host/files/look_inside.ts";
import { createGrepFiles } from "../../../src/search/scan/grep_files.ts";
import { staysOpen } from "../../support/stays_open.ts";
import { linux, posix, testWhere } from "../../support/test_where.ts";
import { withWorkspace } from "../../support/tool_context.ts";
import { runCommand } from "../tree.ts";

testWhere(
  linux,
  "a file that the kernel makes up is searched to its end, though it comes in pieces",
  async () => {
    const workspace = Deno.realPathSync("/proc/self");
    const bounds = {
      workspace,
      confirm: (paths: readonly string[]) => lookInside({ workspace }, paths),
    };
    const found = await createGrepFiles()({
      ...{ bounds, pattern: "^VmFlags:", path: "smaps" },
      ...{ caseInsensitive: false, glob: undefined, maxMatches: 1 },
    }, new AbortController().signal);
    const mappings = (await Deno.readTextFile(`${workspace}/smaps`)).match(/^VmFlags:/gm) ?? [];
    // memory is mapped and given back meanwhile
    assert.ok(found.omitted > mappings.length / 2, `${found.omitted} of ${mappings.length}`);
  },
  staysOpen,
);

testWhere(
  posix,
  "a pipe that has taken the place of one of the first files is not waited for",
  () =>
    withWorkspace(async (workspace) => {
      await runCommand("mkfifo", [`${workspace}/pipe`]);
      const reader = new URL("./reads_pipe.ts", import.meta.url).href;
      const { stdout, signal } = await new Deno.Command(Deno.execPath(), {
        args: ["run", "-A", "--no-check", reader, `${workspace}/pipe`],
        signal: AbortSignal.timeout(20_000),
      }).output();
      assert.equal(signal, null, "it waits for somebody who writes");
      assert.equal(new TextDecoder().decode(stdout), "0\n");
    }),
);
