import assert from "node:assert/strict";
import { exportMarkdown } from "../../src/session/export_markdown.ts";
import { calls, header, result, says, user } from "./session_folder.ts";

Deno.test("Markdown holds prompts and answers as they are, and calls that nothing in them can close", () => {
  const text = exportMarkdown([
    header("/w"),
    { kind: "name", name: "two\nlines" },
    user("# do *it*"),
    calls("a", "b"),
    result("a", "```\nfence\n````\n"),
    { kind: "compaction", summary: "what was said", kept: 1, tokens_before: 9 },
    says("**done**"),
  ]);
  assert.equal(
    text,
    [
      "# two lines",
      "- Session: `20260101-000000000-aaaaaaaa`\n- Folder: `/w`\n" +
      "- Begun: 2026-01-01T00:00:00.000Z\n- Name: two lines",
      "## Prompt",
      "# do *it*",
      "## Answer of m",
      "### bash `a`",
      "```\ncommand: a\n```",
      "Result:",
      "`````\n```\nfence\n````\n`````",
      "### bash `b`",
      "```\ncommand: b\n```",
      "No result was recorded.",
      "## Summary of what came before",
      "what was said",
      "## Answer of m",
      "**done**",
    ].join("\n\n") + "\n",
  );
});

Deno.test("Markdown names images, thinking and failed calls for what they are", () => {
  const text = exportMarkdown([
    header("/w"),
    {
      kind: "user",
      content: [{ type: "text", text: "look" }, {
        type: "image",
        media_type: "image/png",
        data: "AAAA",
      }],
    },
    {
      ...says("x"),
      content: [{ type: "thinking", text: "hm\nwell" }, { type: "text", text: "x" }],
    } as ReturnType<typeof says>,
    calls("a"),
    { ...result("a", "no"), is_error: true } as ReturnType<typeof result>,
  ]);
  assert.match(text, /^look\n\n\(image, image\/png, 3 bytes\)$/m);
  assert.match(text, /^> Thinking:\n>\n> hm\n> well\n\nx$/m);
  assert.match(text, /^Failed:\n\n```\nno\n```$/m);
});
