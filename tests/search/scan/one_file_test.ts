/** Files that a search reads as a whole, whatever kind of file they are. */
import assert from "node:assert/strict";
import { lookInside } from "../../../src/host/files/look_inside.ts";
import { createGrepFiles } from "../../../src/search/scan/grep_files.ts";
import { staysOpen } from "../../support/stays_open.ts";
import { linux, testWhere } from "../../support/test_where.ts";

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
