import assert from "node:assert/strict";
import { isOverflow } from "../../src/providers/overflow.ts";

Deno.test("a conversation that is too long is told from an image that is too large", () => {
  for (
    const words of [
      "prompt is too long: 210000 tokens > 200000 maximum",
      "This model's maximum context length is 128000 tokens",
      "input length and max_tokens exceed context limit",
    ]
  ) assert.ok(isOverflow(400, words), words);
  for (
    const words of [
      "messages.0.content.1.image.source.base64: image exceeds 5 MB maximum: 6000000 bytes > 5242880 bytes",
      "The images are too large for this model",
      "Invalid image: larger than the maximum of 20 MB",
    ]
  ) assert.ok(!isOverflow(400, words), words);
});
