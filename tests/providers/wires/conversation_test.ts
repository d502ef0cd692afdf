import assert from "node:assert/strict";
import type { JsonObject } from "../../../src/core/json.ts";
import type { Message } from "../../../src/core/message.ts";
import type { Profile } from "../../../src/providers/catalog.ts";
import { builtInFacts } from "../../../src/providers/models/built_in.ts";
import { wire as anthropic } from "../../../src/providers/wires/anthropic/wire.ts";
import { wire as chat } from "../../../src/providers/wires/chat/wire.ts";
import {
  conversationJson,
  type ConversationMemo,
  conversationMemo,
} from "../../../src/providers/wires/conversation.ts";
import { wire as google } from "../../../src/providers/wires/google/wire.ts";
import { wire as responses } from "../../../src/providers/wires/responses/wire.ts";
import type { Target, Wire } from "../../../src/providers/wires/wire.ts";

const wires: readonly (readonly [Profile, Wire, string])[] = [
  ["chat", chat, "qwen3-coder"],
  ["openrouter", chat, "anthropic/claude-sonnet-4.5"],
  ["mistral", chat, "devstral-medium"],
  ["responses", responses, "gpt-5.1"],
  ["anthropic", anthropic, "claude-sonnet-4-5"],
  ["google", google, "gemini-2.5-pro"],
];

function targetOf(profile: Profile, model: string): Target {
  const facts = builtInFacts(model);
  return { provider: profile, model, profile, facts, images: true, alternate: true };
}

const user = (text: string): Message => ({ role: "user", content: [{ type: "text", text }] });

const answer = (provider: string, model: string, text: string, ...ids: string[]): Message => ({
  role: "assistant",
  provider,
  model,
  finish: "stop",
  content: [
    { type: "text", text },
    ...ids.map((id) => ({ type: "tool_use" as const, id, name: "read", input: { path: id } })),
  ],
});

const result = (toolId: string, text: string): Message => ({
  role: "tool_result",
  toolId,
  toolName: "read",
  content: [{ type: "text", text }, { type: "image", mediaType: "image/png", data: "AA==" }],
  isError: false,
});

/** What a conversation brings from one request to the next; ids come again, as servers have them. */
const batches = (provider: string, model: string): Message[][] => [
  [user("Begin, ä 日本 😀 \ud800.")],
  [answer(provider, model, "Looking.", "a", "b"), result("a", "one"), result("b", "two")],
  [user("Go on.")],
  [answer(provider, model, "", "a"), result("a", "three\u2028\\ud800")],
  [answer("elsewhere", "other", "", "c"), result("c", "")],
  [answer(provider, model, "   ")],
  [user(""), user("Once more.")],
  [answer(provider, model, "Done.")],
  [user("And this?")],
];

for (const [profile, wire, model] of wires) {
  const target = targetOf(profile, model);
  const items = (messages: readonly Message[], memo: ConversationMemo) => {
    const { settled, rest } = conversationJson(wire, messages, target, memo);
    const texts = [new TextDecoder().decode(settled), rest].filter((text) => text !== "");
    return JSON.parse(`[${texts.join(",")}]`) as JsonObject[];
  };

  Deno.test(`${profile}: a conversation that grows is sent as one that is sent at once`, () => {
    const grown = conversationMemo(target), messages: Message[] = [];
    for (const batch of batches(profile, model)) {
      messages.push(...batch);
      assert.deepEqual(items(messages, grown), items(messages, conversationMemo(target)));
    }
  });

  Deno.test(`${profile}: a shortened conversation, and another one, begin anew`, () => {
    const memo = conversationMemo(target);
    const messages = batches(profile, model).flat();
    const whole = items(messages, memo);
    for (
      const other of [[user("Summary."), ...messages.slice(6)], [user("Summarise.")], messages]
    ) {
      assert.deepEqual(items(other, memo), items(other, conversationMemo(target)));
    }
    assert.deepEqual(items(messages, memo), whole);
  });

  Deno.test(`${profile}: of a long conversation only the end is converted`, () => {
    let converted = 0;
    const counting: Wire = {
      ...wire,
      convert: (group, converter) => (converted += group.length, wire.convert(group, converter)),
    };
    const memo = conversationMemo(target), messages = [user("Begin.")];
    for (let step = 0; step < 100; step++) {
      conversationJson(counting, messages, target, memo);
      messages.push(answer(profile, model, "", `${step}`), result(`${step}`, "text"));
    }
    assert.equal(converted, messages.length - 2);
  });
}
