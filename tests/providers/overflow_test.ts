import assert from "node:assert/strict";
import { isOverflow, overflowWordings } from "../../src/providers/http/overflow.ts";

/** As the servers say it. */
const told = [
  "This model's maximum context length is 8192 tokens. However, your messages resulted in 9001.",
  "This endpoint's maximum context length is 65536 tokens. However, you requested about 70000.",
  "'max_tokens' or 'max_completion_tokens' is too large: 4096. This model's maximum context " +
  "length is 4096 tokens and your request has 3000 input tokens (4096 > 4096 - 3000).",
  "Your input exceeds the context window of this model. Please adjust your input and try again.",
  "prompt is too long: 210000 tokens > 200000 maximum",
  "input length and `max_tokens` exceed context limit: 190000 + 21333 > 200000",
  "Request size exceeds model context window",
  "The input token count (1200000) exceeds the maximum number of tokens allowed (1048576).",
  "Unable to submit request because the input token count is 40000 but model only supports up to 32768.",
  "Input is too long for requested model.",
  "the request exceeds the available context size, try increasing it",
  "request (9000 tokens) exceeds the available context size (4096 tokens), try increasing it",
  "the request exceeds the context size",
  "The decoder prompt (length 5000) is longer than the maximum model length of 4096.",
  "You passed 5000 input tokens and requested 1 output tokens. However, the model's context length is only 4096 tokens.",
  "The input (5000 tokens) is longer than the model's context length (4096 tokens).",
  "Requested token count exceeds the model's maximum context length of 4096 tokens.",
  "Input validation error: `inputs` tokens + `max_new_tokens` must be <= 2048. Given: 1244 `inputs` tokens",
  "Input validation error: `inputs` must have less than 1024 tokens. Given: 1872",
  "Invalid request: Your request exceeded model token limit: 8192",
  "prompt too long; exceeded max context length by 123 tokens",
  "the input length exceeds the context length",
  "Trying to keep the first 5000 tokens. However, the model is loaded with context length of only 4096 tokens, which is not enough.",
  "The number of tokens to keep from the initial prompt is greater than the context length.",
  "Reached context length of 4096 tokens with this model",
  "Please reduce the length of the messages or completion.",
  "The prompt is too long: 140000, model maximum context length: 131071",
  "Prompt contains 40000 tokens and 0 draft tokens, too large for model with 32768 maximum context length",
  "This model's maximum prompt length is 131072 but the request contains 537812 tokens.",
  "too many tokens: total number of tokens in the prompt cannot exceed 4081",
  "prompt token count of 140000 exceeds the limit of 128000",
  "Range of input length should be [1, 30720]",
  "invalid params, context window exceeds limit (2013)",
  "Prompt exceeds max length",
];

Deno.test("a conversation that is too long is known by what each server says", () => {
  for (const words of told) {
    assert.ok(isOverflow(400, words, []), words);
    assert.ok(!isOverflow(429, words, []), words);
  }
  for (const [server, wording] of overflowWordings) {
    assert.ok(told.some((words) => wording.test(words)), `${server}: ${wording} is never said`);
  }
  assert.ok(isOverflow(400, "Request rejected", ["max_tokens_exceeded"]));
  assert.ok(isOverflow(413, "", []));
});

Deno.test("one refused parameter, an image or a server's memory is no overflow", () => {
  for (
    const words of [
      "messages.0.content.1.image.source.base64: image exceeds 5 MB maximum: 6000000 bytes > 5242880 bytes",
      "The images are too large for this model",
      "Invalid image: larger than the maximum of 20 MB",
      "The maximum tokens you requested exceeds the model limit of 5120. Try again with a lower value.",
      "The number of tools (140) exceeds the maximum allowed (128).",
      "temperature: value 2.5 exceeds the maximum of 1.0",
      "thinking.budget_tokens exceeds maximum of 32000",
      "max_tokens: 100000 > 64000, which is the maximum allowed number of output tokens",
      "CUDA out of memory. Tried to allocate 2.00 GiB",
      "context deadline exceeded",
      "tool_choice: too many tokens were named",
    ]
  ) {
    assert.ok(!isOverflow(400, words, []), words);
    assert.ok(!isOverflow(500, words, []), words);
  }
  assert.ok(!isOverflow(413, "image exceeds 5 MB", []));
});
