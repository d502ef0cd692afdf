import assert from "node:assert/strict";
import { join } from "node:path";
import { call, say } from "../support/cassette.ts";
import { consoleTest, quit } from "./console_support.ts";
import { furnish } from "./told.ts";

const secret = "s3cret-of-k";
const written = `{
  // kept by hand
  "providers": {
    "local": { "api_key": "{env:K}", /* a reference */ },
  },
}
`;

const projectWritten = '{ "providers": { "mistral": { "api_key": "{env:K}" } } }\n';

consoleTest("what is chosen and granted is kept, and no reference becomes its secret", {
  args: ["--approve"],
  env: { K: secret },
  steps: [call("bash", { command: "echo granted" }), say("over")],
  async prepare({ workspace, home }) {
    await furnish(home, { ".nimlet/config.json": written });
    await furnish(workspace, { ".nimlet/config.json": projectWritten });
  },
}, async (terminal, { workspace, home }) => {
  await terminal.ready();
  await terminal.type("go");
  await terminal.press("Enter");
  await terminal.waitFor(/\[n\] deny ?$/);
  await terminal.press("p");
  await terminal.waitFor("over");
  await terminal.ready();
  await terminal.submit("/plan");
  await terminal.submit("/act");
  assert.match(await terminal.submit("/provider local qwen"), /\nModel: qwen \(local\)\n/);
  assert.ok(!(await terminal.submit("/doctor")).includes(secret));
  await quit(terminal);
  const config = await Deno.readTextFile(join(home, ".nimlet/config.json"));
  assert.match(config, /\/\/ kept by hand/);
  assert.match(config, /"api_key": "\{env:K\}"/);
  assert.match(config, /\/\* a reference \*\//);
  assert.match(config, /"last_model": "qwen"/);
  const project = join(workspace, ".nimlet");
  assert.equal(await Deno.readTextFile(join(project, "config.json")), projectWritten);
  const grants = JSON.parse(await Deno.readTextFile(join(project, "permissions.json")));
  assert.deepEqual(grants, { allow: ["bash:echo granted"] });
  for (const folder of [project, join(home, ".nimlet"), join(home, ".nimlet/sessions")]) {
    for await (const { name, isFile } of Deno.readDir(folder)) {
      if (!isFile) continue;
      const text = await Deno.readTextFile(join(folder, name));
      assert.ok(!text.includes(secret), `${folder}/${name}`);
    }
  }
});
