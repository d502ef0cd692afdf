import assert from "node:assert/strict";
import { dirname, join } from "node:path";
import type { Json } from "../../src/core/json.ts";
import { manifestSchema } from "../../src/external/manifest.ts";
import { callTool, toolContext, withWorkspace } from "../support/tool_context.ts";
import { discover, named } from "./tool_folders.ts";

const text = await Deno.readTextFile(new URL("../../docs/external-tools.md", import.meta.url));

Deno.test("every example of the docs works as it is written", () =>
  withWorkspace(async (workspace) => {
    const files = [...text.matchAll(/^`(\.nimlet\/tools\/[^`]+)`:\n\n```\w+\n([^]*?)^```$/gm)];
    assert.equal(files.length, 6);
    for (const [, name, content] of files) {
      const path = join(workspace, name!);
      await Deno.mkdir(dirname(path), { recursive: true });
      await Deno.writeTextFile(path, content!);
      if (!name!.endsWith(".json")) await Deno.chmod(path, 0o755);
    }
    // what a project says of its own scripts must not break the tools that lie in it
    await Deno.writeTextFile(join(workspace, "package.json"), '{"type":"module"}');
    const found = await discover(workspace);
    assert.deepEqual(found.warnings, []);
    const context = toolContext(workspace);
    await Deno.symlink(Deno.execPath(), join(workspace, "deno"));
    const PATH = `${workspace}:${context.childEnv.PATH ?? ""}`;
    const childEnv = { ...context.childEnv, PATH, DENO_NO_UPDATE_CHECK: "1" };
    const calls = [...text.matchAll(/^\$ nimlet --approve --call-tool (\w+) '(.*)'\n(.*)$/gm)];
    assert.equal(calls.length, 3);
    for (const [, name, input, output] of calls) {
      const tool = named(found, name!);
      const result = await callTool(tool, JSON.parse(input!) as Json, { ...context, childEnv });
      // how many files there are depends on the folder
      const shown = name === "count_files" ? output!.replace(/\d+/, "7") : output;
      assert.deepEqual(result, { text: shown, isError: false });
    }
  }));

Deno.test("every key of the manifest is explained", () => {
  for (const key of Object.keys(manifestSchema.properties)) {
    assert(text.includes(`\`${key}\``), key);
  }
});
