import assert from "node:assert/strict";
import { join } from "node:path";
import { createSessionManager } from "../../src/app/session/session_manager.ts";
import { RunFailure } from "../../src/core/failure.ts";
import { call, finish, type Script, text } from "../support/scripted_model.ts";
import { withConversation } from "./harness.ts";

const say = (words: string): Script[number] => [text(words), finish()];
const refused = (message: RegExp) => (error: unknown) =>
  error instanceof RunFailure && error.code === "session" && message.test(error.message);

Deno.test("sessions begin, are listed, copied and resumed", () =>
  withConversation({ scripts: [[say("one"), say("two"), say("three")]] }, async (place) => {
    const { conversation, prompt } = place;
    const sessions = createSessionManager(conversation, false);
    await assert.rejects(sessions.resume(undefined), refused(/no other session/));
    await assert.rejects(sessions.fork(), refused(/nothing is kept of this session yet/));
    await prompt("first");
    await conversation.rename("mine");
    const first = conversation.state().sessionId;
    assert.equal(sessions.file(), join(place.home, `.nimlet/sessions/${first}.jsonl`));

    await sessions.begin();
    const second = conversation.state().sessionId;
    assert.notEqual(second, first);
    assert.equal(conversation.current().history.messages.length, 0);
    await prompt("second");
    assert.deepEqual((await sessions.list()).map(({ id }) => id).sort(), [first, second].sort());

    await sessions.resume(undefined);
    assert.equal(conversation.state().sessionId, first);
    assert.equal(conversation.state().name, "mine");
    await assert.rejects(sessions.resume(first), refused(/that is the current session/));
    await assert.rejects(sessions.resume("nothing-like-it"), refused(/nothing-like-it/));
    assert.equal(conversation.state().sessionId, first);

    await sessions.fork();
    const copy = conversation.state().sessionId;
    assert.ok(copy !== first && copy !== second);
    await prompt("third");
    const asked = place.models[0]!.requests[2]!.messages;
    assert.equal(asked.length, 3, "the copy goes on from there");
    await sessions.resume(first.slice(0, -2));
    assert.equal(
      conversation.current().history.messages.length,
      2,
      "the first one stayed as it was",
    );
  }));

Deno.test("the figures are those of the current session", () =>
  withConversation({
    scripts: [[[call("1", "read", '{"path":"no"}'), finish("tool_calls")], say("no")]],
  }, async ({ conversation, prompt }) => {
    const sessions = createSessionManager(conversation, false);
    await prompt("read it");
    const { messages, toolCalls, usage, contextTokens, contextWindow } = await sessions.stats();
    assert.deepEqual([messages, toolCalls, contextWindow], [4, 1, 0]);
    assert.deepEqual(usage, { input_tokens: 2, output_tokens: 4 });
    assert.ok(contextTokens > 0);
    await sessions.begin();
    assert.deepEqual(await sessions.stats(), {
      messages: 0,
      toolCalls: 0,
      usage: {},
      contextTokens: 0,
      contextWindow: 0,
    });
  }));

Deno.test("an export never replaces a file", () =>
  withConversation({ scripts: [[say("one")]] }, async ({ conversation, prompt, workspace }) => {
    const sessions = createSessionManager(conversation, false);
    await prompt("first");
    const path = await sessions.export("page.html");
    assert.equal(path, join(workspace, "page.html"));
    assert.match(await Deno.readTextFile(path), /first/);
    await assert.rejects(sessions.export("page.html"), /page\.html is there already/);
  }));

Deno.test("with --no-session no session is kept, also the next one", () =>
  withConversation({ scripts: [[say("one"), say("two")]], runOptions: { noSession: true } }, async (
    { conversation, prompt, home },
  ) => {
    const sessions = createSessionManager(conversation, true);
    await prompt("first");
    await sessions.begin();
    await prompt("second");
    assert.equal(sessions.file(), undefined);
    await assert.rejects(sessions.fork(), refused(/nothing is kept/));
    await assert.rejects(Deno.stat(join(home, ".nimlet/sessions")), Deno.errors.NotFound);
  }));
