/** The bounds of what every request pays for: the system prompt and the tools. */
import assert from "node:assert/strict";
import { startFakeProvider, textAnswer } from "../support/fake_provider.ts";
import { runProgram, withScratch } from "../support/program.ts";

const maxTokens = 1500;
const maxBodyBytes = 8192;

/** By the common rule: four bytes a token, wire form and all. */
function byBytes(text: string): number {
  return new TextEncoder().encode(text).length / 4;
}

/** By pieces as tokenizers cut them: words, numbers of three digits, runs of signs; long ones cost more. */
function byPieces(text: string): number {
  const pieces = text.match(/ ?\p{L}+|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+|\s+/gu) ?? [];
  return pieces.reduce(
    (sum, piece) => sum + Math.ceil(piece.length / (/\p{L}/u.test(piece) ? 12 : 4)),
    0,
  );
}

Deno.test("system prompt and nine tools stay within their tokens, the first request within 8 KB", async () => {
  const provider = startFakeProvider([textAnswer("chat", "hi")]);
  try {
    await withScratch(async ({ workspace, home }) => {
      await Deno.mkdir(`${home}/.nimlet`);
      const endpoint = { providers: { "openai-compatible": { endpoint: provider.url } } };
      await Deno.writeTextFile(`${home}/.nimlet/config.json`, JSON.stringify(endpoint));
      const flags = ["--provider", "openai-compatible", "--model", "m1", "-p", "hi"];
      const result = await runProgram(flags, { cwd: workspace });
      assert.equal(result.code, 0, result.stderr);
      const [request] = provider.requests;
      const { tools, messages } = request!.body as {
        tools: unknown[];
        messages: { role: string; content: string }[];
      };
      assert.equal(tools.length, 9);
      assert.equal(messages[0]!.role, "system");
      // the path of the workspace is not the prompt's to answer for
      const paid = JSON.stringify(tools) + messages[0]!.content.replace(workspace, "/w");
      const bytes = byBytes(paid), pieces = byPieces(paid);
      assert.ok(bytes <= maxTokens, `${bytes} tokens by bytes`);
      assert.ok(pieces <= maxTokens, `${pieces} tokens by pieces`);
      assert.ok(byBytes(request!.text) * 4 <= maxBodyBytes, `${request!.text.length} characters`);
    });
  } finally {
    await provider.close();
  }
});
