/** Extensions in the console: their commands, what they say, and /extensions. */
import assert from "node:assert/strict";
import { say } from "../support/cassette.ts";
import { writeExtension } from "../support/extensions.ts";
import { consoleTest, quit } from "./console_support.ts";

consoleTest("an extension's command runs, is completed, and listed with what it says of itself", {
  steps: [say("the model's answer")],
  prepare: async (place) => {
    await writeExtension({
      register: {
        commands: [{ name: "greet", description: "says hello" }, { name: "ask" }],
        events: ["turn_end"],
      },
      on: `if (m.type === "command" && m.name === "greet") {
        return answer(m, { message: "hello " + m.arguments, status: { key: "mood", text: "good" }, notification: { level: "info", message: "told" } });
      }
      if (m.type === "command") return answer(m, { prompt: "a prompt of its own" });`,
    }, place);
  },
}, async (terminal) => {
  await terminal.ready();
  const greeted = await terminal.submit("/greet you");
  assert.match(greeted, /^hello you$/m);
  assert.match(greeted, /note: x: told/);
  await terminal.type("/gre");
  await terminal.press("Tab");
  await terminal.waitFor(/> \/greet $|> \/greet$/);
  await terminal.press("C-c");
  await terminal.ready();
  assert.match(await terminal.submit("/help"), /\/greet +says hello/);
  const list = await terminal.submit("/extensions");
  assert.match(list, /x {2}running {2}0 tools, \/greet, \/ask, turn_end/);
  assert.match(list, /mood: good/);
  assert.match(await terminal.submit("/ask"), /the model's answer/);
  assert.match(await terminal.submit("/grete"), /did you mean \/greet\?/);
  await quit(terminal);
});

consoleTest("a guard that is not there refuses prompts until /reload finds it", {
  steps: [say("sent")],
  prepare: async (place) => {
    await writeExtension({
      name: "g",
      manifest: { guards: true, command: ["./later.sh"] },
    }, place);
  },
}, async (terminal, place) => {
  await terminal.ready();
  assert.match(await terminal.submit("go"), /the guard g .*cannot be started/);
  await writeExtension({
    name: "g",
    manifest: { guards: true },
    register: { events: ["tool_call"] },
  }, place);
  await terminal.submit("/reload");
  assert.match(await terminal.submit("go"), /^sent$/m);
  await quit(terminal);
});
