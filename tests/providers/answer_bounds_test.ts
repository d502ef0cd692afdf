import assert from "node:assert/strict";
import { delta, failureTo, pieces } from "./ask.ts";

const mebibyte = "x".repeat(1024 * 1024);

Deno.test("an answer of more than 64 MiB fails at once, with what to do", async () => {
  const events = Array.from({ length: 65 }, () => delta({ content: mebibyte }));
  const error = await failureTo("chat", [...events, delta({}, "stop")]);
  assert.equal(error.kind, "protocol");
  assert.equal(error.details.retryable, false);
  assert.match(error.message, /is larger than 64 MiB; ask for less\.$/);
});

Deno.test("arguments of more than 16 MiB fail at once, in pieces and in one", async () => {
  const piece = pieces({ index: 0, id: "a", function: { name: "read", arguments: mebibyte } });
  const many = Array.from({ length: 17 }, () => piece);
  for (
    const events of [many, [
      pieces({
        index: 0,
        id: "a",
        function: { name: "read", arguments: { path: mebibyte.repeat(17) } },
      }),
    ]]
  ) {
    const error = await failureTo("chat", [...events, delta({}, "tool_calls")]);
    assert.match(error.message, /asks for a tool with more than 16 MiB of arguments; ask for less/);
    assert.equal(error.details.retryable, false);
  }
});
