import assert from "node:assert/strict";
import { say } from "../support/cassette.ts";
import { consoleTest, quit } from "./console_support.ts";

const words = Array.from({ length: 40 }, (_, index) => `word${index}`).join(" ");
const code = `\`\`\`\nlet x = "${"code ".repeat(30)}";\n\`\`\``;
const table = `| ${"cell | ".repeat(20)}`.trimEnd();
const answer = `- ${words}\n\n${code}\n\n${table}\n\n**bold** end`;

// the screen is 100 columns wide; what the terminal itself breaks is joined again

consoleTest("an answer's words are broken at blanks, code and tables are not", {
  steps: [say(answer)],
}, async (terminal) => {
  await terminal.ready();
  const shown = await terminal.submit("go");
  assert.match(shown, /\n- word0 word1 .*\n {2}word\d+ .*\n {2}word\d+ .* word39\n/);
  assert.ok(shown.includes(`\n${code}\n`), shown);
  assert.ok(shown.includes(`\n${table}\n`), shown);
  assert.ok(shown.includes("\n**bold** end\n"), shown);
  await quit(terminal);
});

for (const env of [{ NO_COLOR: "1" }, { TERM: "dumb" }]) {
  consoleTest(`an answer stays as it is with ${JSON.stringify(env)}`, {
    steps: [say(answer)],
    env,
  }, async (terminal) => {
    await terminal.ready();
    assert.ok((await terminal.submit("go")).includes(`\n${answer}\n`));
    await quit(terminal);
  });
}
