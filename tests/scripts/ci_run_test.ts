/** The script that every change must pass, with a stand-in for the commands that it starts. */
import assert from "node:assert/strict";
import { fileURLToPath } from "node:url";
import { posix, testWhere } from "../support/test_where.ts";
import { withWorkspace } from "../support/tool_context.ts";

const script = fileURLToPath(new URL("../../.ci/run", import.meta.url));

/** Plays `npx deno`: ten tests from source and three on the binary, of which some are ignored. */
const standIn = `#!/bin/sh
case "$*" in
  *ok.ts*) exit "$CHECKS" ;;
  *--e2e*) [ -z "$BROKEN" ] || { printf 'FAILED:\\n  d => ./d_test.ts:1:6\\n    error: no\\n\\n2 passed, 1 failed\\n'; exit 1; }
    printf 'NOT TESTED:\\n  c [ignored: it needs tmux]\\n\\n3 passed, 0 failed, 1 skipped\\n' ;;
  *"task test"*) printf 'NOT TESTED:\\n  a b [ignored: it needs fish]\\n\\n10 passed, 0 failed, 1 skipped\\n' ;;
  *compile*) exit "$COMPILE" ;;
esac
`;

async function ciRun(env: Record<string, string>) {
  return await withWorkspace(async (folder) => {
    await Deno.writeTextFile(`${folder}/npx`, standIn, { mode: 0o755 });
    const { code, stdout } = await new Deno.Command("bash", {
      args: [script],
      clearEnv: true,
      env: {
        PATH: `${folder}:${Deno.env.get("PATH") ?? ""}`,
        DENORT_BIN: "none",
        CHECKS: "0",
        COMPILE: "0",
        BROKEN: "",
        ...env,
      },
    }).output();
    const lines = new TextDecoder().decode(stdout).trimEnd().split("\n");
    const from = lines.indexOf("!! LEFT OUT, so this run says nothing about it:");
    return { code, counts: lines.at(-1), leftOut: lines.slice(from + 1, -1) };
  });
}

const fromSource = "-- tests from source: a b [ignored: it needs fish]";

testWhere(
  posix,
  ".ci/run adds the counts up, and lists ignored tests with their reasons",
  async () => {
    assert.deepEqual(await ciRun({}), {
      code: 0,
      counts: "14 passed, 0 failed",
      leftOut: [fromSource, "-- end-to-end tests on the binary: c [ignored: it needs tmux]"],
    });
    assert.deepEqual((await ciRun({ CHECKS: "1" })).counts, "13 passed, 1 failed");
  },
);

testWhere(posix, ".ci/run names at its end what failed", async () => {
  const { code, counts, leftOut } = await ciRun({ CHECKS: "1", BROKEN: "1" });
  assert.deepEqual([code, counts], [1, "12 passed, 2 failed"]);
  assert.deepEqual(leftOut.slice(1), [
    "",
    "!! FAILED:",
    "checks: see above",
    "end-to-end tests on the binary:",
    "  d => ./d_test.ts:1:6",
    "    error: no",
  ]);
});

testWhere(
  posix,
  ".ci/run fails where the binary was not tested, unless that was asked for",
  async () => {
    const failed = await ciRun({ COMPILE: "1" });
    assert.deepEqual([failed.code, failed.counts], [1, "11 passed, 1 failed"]);
    assert.match(failed.leftOut[1]!, /^-- the binary and its tests, as it could not be compiled/);
    assert.deepEqual(await ciRun({ COMPILE: "1", NIMLET_CI_WITHOUT_BINARY: "1" }), {
      code: 0,
      counts: "11 passed, 0 failed",
      leftOut: [fromSource, "-- the binary and its tests, as NIMLET_CI_WITHOUT_BINARY=1 asks"],
    });
  },
);
