import assert from "node:assert/strict";
import { join } from "node:path";
import { say } from "../support/cassette.ts";
import { startFakeProvider, textAnswer } from "../support/fake_provider.ts";
import { withScratch } from "../support/program.ts";
import { testWhere } from "../support/test_where.ts";
import { consoleTest, quit } from "./console_support.ts";
import { tmux, type TmuxTerminal, withTerminal } from "./tmux_terminal.ts";

const files = ["src/deep/needle_file.ts", "src/other.ts", "README.md", "two words.txt", ".hidden"];

async function prepare({ workspace }: { workspace: string }): Promise<void> {
  for (const file of files) {
    const path = join(workspace, file);
    await Deno.mkdir(path.slice(0, path.lastIndexOf("/")), { recursive: true });
    await Deno.writeTextFile(path, `text of ${file}\n`);
  }
}

/** Types `text` and Tab, waits for what the line becomes, and clears it. */
async function tab(terminal: TmuxTerminal, text: string, becomes: RegExp): Promise<void> {
  await terminal.type(text);
  await terminal.press("Tab");
  await terminal.waitFor(becomes);
  await terminal.press("C-c");
  await terminal.ready();
}

consoleTest("Tab completes files after @, and paths after !", {
  steps: [[{ type: "expect", last_message: "text of two words.txt" }, ...say("I see it.")]],
  prepare,
}, async (terminal) => {
  await terminal.ready();
  await tab(terminal, "look at @REA", /> look at @README\.md ?$/);
  await tab(terminal, "@sr", /> @src\/$/);
  await tab(terminal, "@src/", /> @src\/\n {2}@src\/deep\/ {2,}@src\/other\.ts\n> @src\/$/);
  // a part of a name is found anywhere
  await tab(terminal, "see @needle", /> see @src\/deep\/needle_file\.ts ?$/);
  await tab(terminal, "@.hi", /> @\.hidden ?$/);
  await tab(terminal, "!cat src/oth", /> !cat src\/other\.ts ?$/);
  await terminal.type("read @two");
  await terminal.press("Tab");
  await terminal.waitFor(/> read @"two words\.txt" ?$/);
  await terminal.press("Enter");
  await terminal.waitFor("I see it.");
  await quit(terminal);
});

consoleTest("Tab completes sessions, and shows their names", {
  steps: [say("one"), say("two")],
}, async (terminal) => {
  await terminal.ready();
  await terminal.submit("the first prompt");
  await terminal.submit("/name mending the parser");
  await terminal.submit("/new");
  await terminal.submit("another prompt");
  await terminal.submit("/new");
  await terminal.type("/resume ");
  await terminal.press("Tab");
  await terminal.waitFor(/another prompt\n {2}\S+ {2,}mending the parser\n> \/resume ?$/);
  await terminal.press("C-c");
  await terminal.ready();
  await terminal.type("/resume parser");
  await terminal.press("Tab");
  await terminal.waitFor(/> \/resume [\w-]{12,}$/);
  await terminal.press("Enter");
  await terminal.waitFor(/Resumed: .* mending the parser, 2 messages/);
  await terminal.ready();
  // a name may hold blanks
  await terminal.submit("/new");
  assert.match(await terminal.submit("/resume mending the parser"), /Resumed: .* mending the/);
  await quit(terminal);
});

testWhere(
  tmux,
  "console: Tab completes the models that the server offers",
  () =>
    withScratch(async ({ workspace, home }) => {
      const data = ["zebra-1", "alpaca-2", "alpaca-10"].map((id) => ({ id }));
      const provider = startFakeProvider([
        (request) =>
          request.method === "GET" ? { body: JSON.stringify({ data }) } : textAnswer("chat", "hi"),
      ], { repeatLast: true });
      try {
        await withTerminal(
          ["--endpoint", provider.url, "--model", "m"],
          { cwd: workspace, home },
          async (terminal) => {
            await terminal.ready();
            await tab(terminal, "/model ze", /> \/model zebra-1$/);
            await terminal.type("/model al");
            await terminal.press("Tab");
            await terminal.waitFor(/> \/model alpaca-$/);
            await terminal.press("Tab");
            await terminal.waitFor(/\n {2}alpaca-10 {2,}alpaca-2\n> \/model alpaca-$/);
            await terminal.press("C-c");
            await terminal.ready();
            await quit(terminal);
          },
        );
      } finally {
        await provider.close();
      }
    }),
);
