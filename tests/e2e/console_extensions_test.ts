/** Extensions in the console: their commands, what they say, and /extensions. */
import assert from "node:assert/strict";
import { say } from "../support/cassette.ts";
import { writeExtension } from "../support/extensions.ts";
import { consoleTest, quit } from "./console_support.ts";

consoleTest("what an extension tells while a line is asked for leaves the line as it is", {
  steps: [say("ok")],
  prepare: async (place) => {
    await writeExtension({
      register: { events: ["session_start"] },
      on: `if (m.event === "session_start") {
        const tell = (message) => say({ type: "update", notification: { level: "warning", message } });
        setTimeout(() => tell("first"), 500);
        setTimeout(() => tell("second"), 2500);
        return answer(m);
      }`,
    }, place);
  },
}, async (terminal) => {
  await terminal.waitFor(/^warning: x: first\n> *$/m);
  await terminal.type("half a li");
  const screen = await terminal.waitFor(/^> half a li\nwarning: x: second\n> half a li$/m);
  assert.doesNotMatch(screen, /> warning/);
  await terminal.type("ne");
  await terminal.press("Enter");
  await terminal.waitFor(/> half a line\nok/);
  await quit(terminal);
});

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

consoleTest("what an extension says of itself is shown once a turn, where it is another", {
  steps: [say("one"), say("two"), say("three")],
  prepare: async (place) => {
    await writeExtension({
      register: { events: ["turn_end"], commands: [{ name: "help" }] },
      first: "let turns = 0;",
      on: `if (m.event === "turn_end") {
        turns++;
        for (let i = 0; i < 20; i++) say({ type: "update", status: { key: "build", text: "step " + i } });
        return answer(m, { status: { key: "build", text: turns < 3 ? "green" : "red" } });
      }`,
    }, place);
  },
}, async (terminal, { home }) => {
  await terminal.ready();
  const first = await terminal.submit("go");
  assert.match(first, /x: build: green/);
  assert.doesNotMatch(first, /step \d/);
  assert.doesNotMatch(await terminal.submit("go"), /build:/);
  assert.match(await terminal.submit("go"), /x: build: red/);
  const test = await terminal.submit("/doctor test");
  assert.match(test, /extension x: registered in \d+ ms, 0 tools, \/help, turn_end/);
  assert.match(test, /extension x: .*deno run/);
  await terminal.submit("/trust off");
  await terminal.submit("/reload");
  await quit(terminal);
  const heard = await Deno.readTextFile(`${home}/.nimlet/extensions/x/heard`);
  const reasons = [...heard.matchAll(/"type":"shutdown","reason":"(\w+)"/g)].map(([, why]) => why);
  assert.deepEqual(reasons, ["trust", "reload", "end"]);
});

consoleTest(
  "a message of an extension begins a turn, keeps what is being typed, and is no command",
  {
    steps: [say("the model's answer"), say("another answer")],
    prepare: async (place) => {
      await writeExtension({
        register: { commands: [{ name: "later" }, { name: "help" }] },
        on: `if (m.type === "command") {
        setTimeout(() => say({ type: "update", user_message: { content: "!touch ran", deliver_as: "now" } }), 1500);
        return answer(m, { message: "in a moment" });
      }`,
      }, place);
    },
  },
  async (terminal, { workspace }) => {
    await terminal.ready();
    const told = await terminal.submit("/later");
    assert.match(told, /in a moment/);
    await terminal.type("half a li");
    const screen = await terminal.waitFor(/the model's answer[^]*> half a li/);
    assert.match(screen, /> extension:x !touch ran/);
    assert.match(screen, /\/help of the extension x is not used: it is a command of the console/);
    await terminal.type("ne");
    await terminal.press("Enter");
    await terminal.waitFor(/> half a line\n[^]*another answer/);
    await assert.rejects(Deno.stat(`${workspace}/ran`));
    await quit(terminal);
  },
);
