import assert from "node:assert/strict";
import { join } from "node:path";
import type { AgentEvent } from "../../src/core/event.ts";
import { RunFailure } from "../../src/core/failure.ts";
import { call, finish, type Script, text } from "../support/scripted_model.ts";
import { type Place, withConversation } from "./harness.ts";

const say = (words: string): Script[number] => [text(words), finish()];
const touch = (id: string): Script[number] => [
  call(id, "bash", '{"command":"echo hello"}'),
  finish("tool_calls"),
];
const typesOf = ({ events }: Place) => events.map(({ type }) => type);
const ofType = <T extends AgentEvent["type"]>({ events }: Place, type: T) =>
  events.filter((event): event is Place["events"][number] & { type: T } => event.type === type);

async function addTool(home: string, name: string): Promise<void> {
  const folder = join(home, ".nimlet/tools", name);
  await Deno.mkdir(folder, { recursive: true });
  const manifest = {
    name,
    description: "Says hello.",
    command: ["run.sh"],
    input_schema: { type: "object" },
    capabilities: ["read"],
  };
  await Deno.writeTextFile(join(folder, "tool.json"), JSON.stringify(manifest));
  await Deno.writeTextFile(join(folder, "run.sh"), "#!/bin/sh\necho '\"hi\"'\n", { mode: 0o755 });
}

Deno.test("another session: what was set stays, what was said goes", () =>
  withConversation({ scripts: [[say("one"), say("two")]] }, async (place) => {
    const { conversation, prompt, session, models } = place;
    await conversation.open();
    await prompt("first");
    await conversation.setMode("plan");
    await conversation.setThinking("high");
    conversation.setApprovesEverything(true);
    conversation.setQueueMode("steer", "all");
    await conversation.enqueue({ kind: "follow_up", content: "later" });
    const before = conversation.state();
    const next = await session();
    await conversation.replace({ session: next });
    assert.deepEqual(conversation.state(), {
      ...before,
      sessionId: next.session.id,
      usage: {},
    });
    assert.equal(models.length, 1, "the model is not made again");
    const starts = ofType(place, "session_start");
    assert.deepEqual(starts.map(({ ids }) => ids.session_id), [before.sessionId, next.session.id]);
    await conversation.clearQueue();
    await prompt("second");
    assert.deepEqual(models[0]!.requests.map(({ messages }) => messages.length), [1, 1]);
    assert.equal(models[0]!.requests[1]!.thinking, "high");
    const again = await session(before.sessionId);
    assert.equal(again.history.messages.length, 2, "the session that was left can be opened");
    again.session.close();
  }));

Deno.test("permissions for the session outlast a reload, and end with the session", () =>
  withConversation({
    scripts: [[touch("1"), say("a")], [touch("2"), say("b"), touch("3"), say("c")]],
    runOptions: { ask: "deny" },
  }, async ({ conversation, prompt, questions, load, session }) => {
    await prompt("go");
    assert.equal(questions.length, 1);
    await conversation.replace({ environment: await load() });
    await prompt("go");
    assert.equal(questions.length, 1, "a reload keeps them");
    await conversation.replace({ session: await session() });
    await prompt("go");
    assert.equal(questions.length, 2, "another session has none");
  }));

Deno.test("another environment: the same session, with what was read again", () =>
  withConversation({ scripts: [[say("one")], [say("two")]] }, async (place) => {
    const { conversation, prompt, home, load, models, events } = place;
    await conversation.open();
    await prompt("first");
    await conversation.rename("mine");
    const before = conversation.state();
    await addTool(home, "hello");
    await Deno.mkdir(join(home, ".nimlet/tools/broken"));
    await Deno.writeTextFile(join(home, ".nimlet/tools/broken/tool.json"), "{");
    events.length = 0;
    await conversation.replace({ environment: await load() });
    assert.deepEqual(conversation.state(), before);
    assert.deepEqual(typesOf(place), ["diagnostic"], "the session does not start again");
    assert.match(ofType(place, "diagnostic")[0]!.message, /broken/);
    await prompt("second");
    assert.equal(models.length, 2, "the model may have other settings");
    const { messages, tools } = models[1]!.requests[0]!;
    assert.equal(messages.length, 3);
    assert.ok(tools.some(({ name }) => name === "hello"));
  }));

Deno.test("a reload does not start a cassette again", () =>
  withConversation({
    scripts: [[say("one"), say("two")]],
    runOptions: { provider: "replay", model: "file" },
  }, async ({ conversation, prompt, load, models }) => {
    await prompt("first");
    await conversation.replace({ environment: await load() });
    assert.equal((await prompt("second")).text, "two");
    assert.equal(models.length, 1);
  }));

Deno.test("a session that is resumed brings the model, mode and thinking that were chosen in it", () =>
  withConversation({ scripts: [[say("one")], [], [say("two")]] }, async (place) => {
    const { conversation, prompt, session } = place;
    await prompt("first");
    await conversation.setModel("big", "other");
    await conversation.setMode("plan");
    await conversation.setThinking(undefined);
    const { sessionId } = conversation.state();
    await conversation.replace({ session: await session() });
    await conversation.setModel("small", "script");
    await conversation.setMode("act");
    await conversation.setThinking("low");
    await conversation.replace({ session: await session(sessionId) });
    const { provider, model, mode, thinking } = conversation.state();
    assert.deepEqual([provider, model, mode, thinking], ["other", "big", "plan", undefined]);
  }));

Deno.test("where the model of another session cannot be used all stays as it was", () =>
  withConversation({ scripts: [[say("one"), say("two")]] }, async (place) => {
    const { conversation, prompt, session, events } = place;
    await prompt("first");
    const other = await session();
    await other.session.append({ kind: "selection", provider: "script", model: "missing" });
    other.session.close();
    const before = conversation.state();
    events.length = 0;
    const opened = await session(other.session.id);
    await assert.rejects(conversation.replace({ session: opened }), RunFailure);
    assert.deepEqual(conversation.state(), before);
    assert.deepEqual(events, []);
    (await session(other.session.id)).session.close();
    assert.equal((await prompt("second")).text, "two");
  }));

Deno.test("nothing is replaced while a prompt is worked on", () =>
  withConversation({}, async (place) => {
    const { conversation, load, session } = place;
    const started = Promise.withResolvers<void>();
    const stop = new AbortController();
    place.models[0]!.stream = async function* (_request, signal) {
      started.resolve();
      await new Promise((_, reject) => signal.addEventListener("abort", reject));
      yield [finish()];
    };
    const running = conversation.prompt("wait", stop.signal);
    await started.promise;
    const busy = /a prompt is being worked on/;
    await assert.rejects(conversation.replace({ environment: await load() }), busy);
    const opened = await session();
    await assert.rejects(conversation.replace({ session: opened }), busy);
    stop.abort();
    assert.equal((await running).status, "interrupted");
  }));

Deno.test("the setting for thinking counts until a level is chosen, and a choice outlasts a reload", () =>
  withConversation({
    prepare: async ({ home }) => {
      await Deno.mkdir(join(home, ".nimlet"));
      await writeThinking(home, "low");
    },
  }, async ({ conversation, load, home }) => {
    const reload = async () => await conversation.replace({ environment: await load() });
    assert.equal(conversation.state().thinking, "low");
    await writeThinking(home, "medium");
    await reload();
    assert.equal(conversation.state().thinking, "medium");
    await conversation.setThinking(undefined);
    await reload();
    assert.equal(conversation.state().thinking, undefined);
    await conversation.setThinking("high");
    await reload();
    assert.equal(conversation.state().thinking, "high");
  }));

function writeThinking(home: string, level: string): Promise<void> {
  const path = join(home, ".nimlet/config.json");
  return Deno.writeTextFile(path, JSON.stringify({ agent: { thinking: level } }));
}

Deno.test("records carry the ids of session, run and turn", () =>
  withConversation({ scripts: [[[text("a"), finish()], say("b")]] }, async (place) => {
    const { conversation, prompt } = place;
    await conversation.open();
    await conversation.enqueue({ kind: "follow_up", content: "more" });
    await prompt("first");
    const turns = ofType(place, "message").filter(({ role }) => role === "user")
      .map(({ ids }) => ids);
    assert.equal(turns.length, 2);
    assert.equal(turns[0]!.run_id, turns[1]!.run_id);
    assert.notEqual(turns[0]!.turn_id, turns[1]!.turn_id);
    const { session_id } = turns[0]!;
    assert.deepEqual(ofType(place, "session_start")[0]!.ids, { session_id });
    assert.deepEqual(ofType(place, "run_end")[0]!.ids, turns[1]);
    await conversation.close({ status: "done", exitStatus: 0 });
    assert.deepEqual(ofType(place, "session_end")[0]!.ids, { session_id });
  }));

Deno.test("the state says that a run is over before its last record does", () =>
  withConversation({ scripts: [[say("one")]] }, async ({ conversation, prompt, events }) => {
    const busy: boolean[] = [];
    const { push } = events;
    events.push = (...more) => {
      if (more[0]!.type === "run_end") busy.push(conversation.state().busy);
      return push.apply(events, more);
    };
    await prompt("first");
    assert.deepEqual(busy, [false]);
  }));

Deno.test("an answer that does not fit the output schema is asked for again", () => {
  const outputSchema = {
    schema: { type: "integer" },
    read: (answer: string) =>
      Promise.resolve(
        /^\d+$/.test(answer) ? { json: answer } : { problems: ["expected a number"] },
      ),
  };
  const scripts = [[say("five"), say("5")]];
  return withConversation({ scripts, outputSchema }, async (place) => {
    const outcome = await place.prompt("how many?");
    assert.deepEqual([outcome.status, outcome.text], ["done", "5"]);
    const [first, second] = place.models[0]!.requests;
    assert.deepEqual(first!.outputSchema, { type: "integer" });
    assert.match(first!.system, /A program reads your final message/);
    assert.match(JSON.stringify(second!.messages.at(-1)), /expected a number/);
    assert.match(ofType(place, "diagnostic")[0]!.message, /does not fit --output-schema/);
  });
});
