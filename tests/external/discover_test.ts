import assert from "node:assert/strict";
import { join } from "node:path";
import type { Json } from "../../src/core/json.ts";
import { withWorkspace } from "../support/tool_context.ts";
import { addTool, discover, named, valid } from "./tool_folders.ts";

Deno.test("no root and empty roots give no tools and no words", () =>
  withWorkspace(async (workspace) => {
    assert.deepEqual(await discover(workspace), { tools: [], warnings: [], skipped: [] });
    await Deno.mkdir(join(workspace, ".nimlet/tools/no-manifest"), { recursive: true });
    await Deno.writeTextFile(join(workspace, ".nimlet/tools/README.md"), "notes");
    assert.deepEqual(await discover(workspace), { tools: [], warnings: [], skipped: [] });
  }));

Deno.test("a tool has what its manifest says, runs alone, and asks under its name", () =>
  withWorkspace(async (workspace) => {
    const root = join(workspace, ".nimlet/tools");
    const folder = await addTool(root, "sample", { ...valid, capabilities: ["read", "user"] });
    const tool = named(await discover(workspace), "sample");
    assert.equal(tool.description, "A sample.");
    assert.deepEqual(tool.capabilities, ["read", "user"]);
    assert.equal(tool.parallel, false);
    assert.equal(tool.grantKey?.({}, { workspace: "/w" }), "tool:sample");
    assert.deepEqual(tool.origin, {
      kind: "external",
      scope: "project",
      manifest: join(folder, "tool.json"),
      shadows: [],
    });
  }));

Deno.test("nothing is started while the folders are read", () =>
  withWorkspace(async (workspace) => {
    const root = join(workspace, ".nimlet/tools");
    await addTool(root, "sample", valid, `#!/bin/sh\ntouch '${workspace}/started'\n`);
    await discover(workspace);
    await assert.rejects(Deno.lstat(join(workspace, "started")), Deno.errors.NotFound);
  }));

Deno.test("a later root replaces a tool of the same name in any case, and says so once", () =>
  withWorkspace(async (workspace) => {
    const [global, agent, project] = ["home", ".agent/tools", ".nimlet/tools"].map((path) =>
      join(workspace, path)
    ) as [string, string, string];
    await addTool(global, "one", { ...valid, name: "Sample", description: "global" });
    await addTool(global, "two", { ...valid, name: "only_global" });
    await addTool(agent, "one", { ...valid, name: "SAMPLE", description: "agent" });
    await addTool(project, "one", { ...valid, name: "sample", description: "project" });
    const found = await discover(workspace, [
      { path: global, scope: "global" },
      { path: agent, scope: "project" },
      { path: project, scope: "project" },
    ]);
    assert.deepEqual(found.tools.map((tool) => tool.name).sort(), ["only_global", "sample"]);
    const tool = named(found, "sample");
    assert.equal(tool.description, "project");
    assert.deepEqual(tool.origin.kind === "external" && tool.origin.shadows, [
      join(global, "one/tool.json"),
      join(agent, "one/tool.json"),
    ]);
    assert.equal(found.warnings.length, 2);
    assert.match(found.warnings[1]!, /\.nimlet\/tools\/one\/tool\.json: replaces the tool SAMPLE/);
  }));

Deno.test("of two folders of one root the later in code unit order wins, with one notice", () =>
  withWorkspace(async (workspace) => {
    const root = join(workspace, ".nimlet/tools");
    for (const folder of ["b", "a", "B", "a-1"]) {
      await addTool(root, folder, { ...valid, description: folder });
    }
    const found = await discover(workspace);
    assert.deepEqual(found.tools.map((tool) => tool.description), ["b"]);
    assert.deepEqual(
      found.warnings.map((warning) => warning.replaceAll(root, "")),
      [
        "/a/tool.json: replaces the tool sample of /B/tool.json",
        "/a-1/tool.json: replaces the tool sample of /a/tool.json",
        "/b/tool.json: replaces the tool sample of /a-1/tool.json",
      ],
    );
  }));

Deno.test("an invalid tool of a later root does not replace a working one", () =>
  withWorkspace(async (workspace) => {
    const global = join(workspace, "home");
    await addTool(global, "one", valid);
    await addTool(join(workspace, ".nimlet/tools"), "one", { ...valid, command: [] });
    const found = await discover(workspace, [
      { path: global, scope: "global" },
      { path: join(workspace, ".nimlet/tools"), scope: "project" },
    ]);
    assert.equal(found.tools.length, 1);
    assert.equal(found.skipped.length, 1);
  }));

Deno.test("names that differ in more than case live side by side", () =>
  withWorkspace(async (workspace) => {
    const root = join(workspace, ".nimlet/tools");
    for (const name of ["search-a", "search_a"]) await addTool(root, name, { ...valid, name });
    const found = await discover(workspace);
    assert.deepEqual(found.tools.map((tool) => tool.name), ["search-a", "search_a"]);
    assert.deepEqual(found.warnings, []);
  }));

Deno.test("built-in tools keep their names in every case", () =>
  withWorkspace(async (workspace) => {
    const root = join(workspace, ".nimlet/tools");
    for (const name of ["bash", "Read", "ASK_USER"]) await addTool(root, name, { ...valid, name });
    const found = await discover(workspace);
    assert.deepEqual(found.tools, []);
    assert.equal(found.skipped.length, 3);
    for (const warning of found.warnings) {
      assert.match(warning, /tool\.json: name: ".*" is the name of a built-in tool; skipped$/);
    }
  }));

Deno.test("each invalid manifest is one warning with its path and key, and the others load", () =>
  withWorkspace(async (workspace) => {
    const root = join(workspace, ".nimlet/tools");
    await addTool(root, "good", valid);
    await addTool(root, "broken", "{");
    await addTool(root, "wrong", { ...valid, timeout_seconds: "soon", command: [] });
    await addTool(root, "spaced", { ...valid, name: "two words" });
    await addTool(root, "reference", {
      ...valid,
      input_schema: { properties: { a: { $ref: "#/$defs/none" } } },
    });
    const found = await discover(workspace);
    assert.deepEqual(found.tools.map((tool) => tool.name), ["sample"]);
    assert.equal(found.warnings.length, 4);
    const of = (folder: string) => found.warnings.find((one) => one.includes(`/${folder}/`)) ?? "";
    assert.match(of("broken"), /broken\/tool\.json: line 1, column 2: .*; skipped$/);
    assert.match(
      of("wrong"),
      /command: expected a non-empty array; timeout_seconds: expected integer, found string/,
    );
    assert.match(of("spaced"), /name: expected text that matches/);
    assert.match(of("reference"), /input_schema: \$ref: "#\/\$defs\/none" leads nowhere/);
    assert.deepEqual(
      found.skipped.map((one) => one.manifest.split("/").at(-2)),
      ["broken", "reference", "spaced", "wrong"],
    );
  }));

Deno.test("a manifest that is a pipe, a folder, too large or not UTF-8 is skipped without waiting", () =>
  withWorkspace(async (workspace) => {
    const root = join(workspace, ".nimlet/tools");
    for (const folder of ["pipe", "folder", "large", "latin", "device", "nowhere", "loop"]) {
      await Deno.mkdir(join(root, folder), { recursive: true });
    }
    const manifest = (folder: string) => join(root, folder, "tool.json");
    await new Deno.Command("mkfifo", { args: [manifest("pipe")] }).output();
    await Deno.mkdir(manifest("folder"));
    await Deno.writeTextFile(manifest("large"), " ".repeat(1024 * 1024 + 1));
    await Deno.writeFile(manifest("latin"), new Uint8Array([0x7b, 0xe9, 0x7d]));
    await Deno.symlink("/dev/zero", manifest("device"));
    await Deno.symlink("none", manifest("nowhere"));
    await Deno.symlink("tool.json", manifest("loop"));
    const found = await discover(workspace, [{ path: root, scope: "global" }]);
    assert.deepEqual(found.tools, []);
    assert.deepEqual(
      found.skipped.map((one) => `${one.manifest.split("/").at(-2)} ${one.reason}`),
      [
        "device is a device, not a file",
        "folder is a folder, not a file",
        "large is larger than 1048576 bytes",
        "latin is not UTF-8 text",
        "loop is a link that leads to itself",
        "nowhere is a link that leads nowhere",
        "pipe is a pipe, not a file",
      ],
    );
  }));

Deno.test("what a project's links lead out of the workspace is refused, what stays inside is not", () =>
  withWorkspace(async (outer) => {
    const workspace = join(outer, "workspace"), outside = join(outer, "outside");
    const root = join(workspace, ".nimlet/tools");
    await addTool(outside, "away", { ...valid, name: "away" });
    await addTool(workspace, "kept", { ...valid, name: "kept" });
    await Deno.mkdir(root, { recursive: true });
    await Deno.symlink(join(outside, "away"), join(root, "folder-out"));
    await Deno.symlink(join(workspace, "kept"), join(root, "folder-in"));
    await Deno.mkdir(join(root, "manifest-out"));
    await Deno.symlink(join(outside, "away/tool.json"), join(root, "manifest-out/tool.json"));
    for (const [name, target] of [["exe-out", outside], ["exe-in", workspace]] as const) {
      await addTool(root, name, { ...valid, name: name, command: ["linked"] });
      await Deno.writeTextFile(join(target, "program"), "#!/bin/sh\ncat\n", { mode: 0o755 });
      await Deno.symlink(join(target, "program"), join(root, name, "linked"));
    }
    const found = await discover(workspace);
    assert.deepEqual(found.tools.map((tool) => tool.name), ["exe-in", "kept"]);
    assert.deepEqual(
      found.skipped.map((one) => `${one.manifest.split("/").at(-2)} ${one.reason}`),
      [
        "exe-out command[0]: leads outside the workspace through a link",
        "folder-out leads outside the workspace through a link",
        "manifest-out leads outside the workspace through a link",
      ],
    );
  }));

Deno.test("a project's root that is itself a link out of the workspace is refused whole", () =>
  withWorkspace(async (outer) => {
    const workspace = join(outer, "workspace");
    await addTool(join(outer, "outside"), "sample", valid);
    await Deno.mkdir(join(workspace, ".nimlet"), { recursive: true });
    await Deno.symlink(join(outer, "outside"), join(workspace, ".nimlet/tools"));
    const found = await discover(workspace);
    assert.deepEqual(found.tools, []);
    assert.match(found.warnings.join(), /\.nimlet\/tools: leads outside the workspace/);
  }));

Deno.test("a relative executable may lead out of its folder, a project's not out of the workspace", () =>
  withWorkspace(async (workspace) => {
    const root = join(workspace, ".nimlet/tools");
    const commands = {
      absolute: "/bin/cat",
      beside: "../shared/run",
      dot: ".",
      inside: "../../../scripts/run",
      outside: "../../../../run",
      twist: "a/../../../../../run",
      up: "..",
    };
    for (const [name, command] of Object.entries(commands)) {
      await addTool(root, name, { ...valid, name, command: [command] });
    }
    const own = await discover(workspace, [{ path: root, scope: "global" }]);
    assert.deepEqual(own.tools.map((tool) => tool.name), [
      "absolute",
      "beside",
      "inside",
      "outside",
      "twist",
    ]);
    const project = await discover(workspace, [{ path: root, scope: "project" }]);
    assert.deepEqual(project.tools.map((tool) => tool.name), ["absolute", "beside", "inside"]);
    assert.deepEqual(project.skipped.map(({ reason }) => reason), [
      'command[0]: expected an executable, found ".", which is a folder',
      'command[0]: "../../../../run" leads outside the workspace',
      'command[0]: "a/../../../../../run" leads outside the workspace',
      'command[0]: expected an executable, found "..", which is a folder',
    ]);
  }));

Deno.test("one folder that two roots reach counts once", () =>
  withWorkspace(async (workspace) => {
    const root = join(workspace, ".nimlet/tools");
    await addTool(root, "sample", valid);
    const found = await discover(workspace, [
      { path: root, scope: "global" },
      { path: root, scope: "project" },
    ]);
    assert.deepEqual(found.warnings, []);
    const { origin } = named(found, "sample");
    assert.equal(origin.kind === "external" && origin.scope, "global");
  }));

Deno.test("arguments are checked in full, though the schema sent is a simpler one", () =>
  withWorkspace(async (workspace) => {
    const input_schema: Json = {
      properties: {
        when: { $ref: "#/$defs/day" },
        even: { type: "integer", multipleOf: 2 },
      },
      dependentRequired: { even: ["when"] },
      $defs: { day: { type: "string", format: "date" } },
    };
    await addTool(join(workspace, ".nimlet/tools"), "sample", { ...valid, input_schema });
    const { input } = named(await discover(workspace), "sample");
    assert.deepEqual(input.jsonSchema, {
      properties: {
        when: { type: "string", description: "(format date)" },
        even: { type: "integer", description: "(a multiple of 2)" },
      },
      type: "object",
    });
    const problems = async (value: Json) => {
      const result = await input.parse(value);
      return "problems" in result ? result.problems : [];
    };
    assert.deepEqual(await problems({ when: "2020-01-01", even: 2 }), []);
    assert.deepEqual(await problems({ when: "soon" }), ["when: expected text of the format date"]);
    assert.match((await problems({ even: 3 })).join("; "), /multiple of 2/);
    assert.match((await problems({ even: 2 })).join("; "), /"when"/);
    assert.deepEqual(await problems(null), ["arguments: expected object"]);
  }));

Deno.test("draft-07 is followed where the schema declares it", () =>
  withWorkspace(async (workspace) => {
    const draft = (declared: Json) => ({
      ...valid,
      input_schema: {
        ...declared as object,
        properties: { a: { $ref: "#/definitions/text", minLength: 5 } },
        definitions: { text: { type: "string" } },
      },
    });
    const root = join(workspace, ".nimlet/tools");
    await addTool(root, "old", {
      ...draft({ $schema: "http://json-schema.org/draft-07/schema#" }),
      name: "old",
    });
    await addTool(root, "new", { ...draft({}), name: "new" });
    const found = await discover(workspace);
    // draft-07 ignores what stands beside a reference
    assert("input" in await named(found, "old").input.parse({ a: "x" }));
    assert("problems" in await named(found, "new").input.parse({ a: "x" }));
  }));

Deno.test("a name that is for the tools of MCP servers is skipped", () =>
  withWorkspace(async (workspace) => {
    const root = join(workspace, ".nimlet/tools");
    const folder = await addTool(root, "sample", { ...valid, name: "mcp__github__create_issue" });
    const { tools, skipped } = await discover(workspace);
    assert.deepEqual(tools, []);
    assert.deepEqual(skipped, [{
      manifest: join(folder, "tool.json"),
      reason:
        'name: "mcp__github__create_issue": names with mcp__ are for the tools of MCP servers',
    }]);
  }));
