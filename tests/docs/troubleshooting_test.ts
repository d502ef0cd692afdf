/** The check that the messages of the troubleshooting page are those that the program prints. */
import assert from "node:assert/strict";
import { root } from "./shown_commands.ts";
import { shownMessages } from "./shown_messages.ts";

/** All texts of the program; pieces that are joined by `+` stand together, as when they are printed. */
const source = sources(`${root}src`).map((path) => Deno.readTextFileSync(path)).join("\n")
  .replace(/["'`]\s*\+\s*["'`]/g, "");

Deno.test("docs: every message of the troubleshooting page is in the program", () => {
  const messages = shownMessages();
  assert.ok(messages.length >= 40, `${messages.length} messages`);
  for (const message of messages) {
    // what to do is added after "; "
    const pieces = message.split(/…|; | in …/).map((piece) =>
      piece.replace(/^[\s:,)]+|[\s:(]+$/g, "")
    )
      .filter((piece) => /\w/.test(piece));
    assert.ok(pieces.length > 0, `${message}: nothing to look for`);
    for (const piece of pieces) {
      assert.ok(source.includes(piece), `${message}: ${JSON.stringify(piece)} is nowhere`);
    }
  }
  assert.equal(new Set(messages).size, messages.length);
});

Deno.test("docs: every message of the troubleshooting page has a cause and a cure below it", () => {
  const text = Deno.readTextFileSync(`${root}docs/troubleshooting.md`);
  for (const section of text.split(/^#{2,} /m).filter((part) => part.startsWith("`"))) {
    const [title, ...lines] = section.split("\n");
    assert.ok(lines.join(" ").trim().length > 30, `${title}`);
  }
});

function sources(folder: string): string[] {
  return [...Deno.readDirSync(folder)].flatMap(({ name, isDirectory }) =>
    isDirectory ? sources(`${folder}/${name}`) : [`${folder}/${name}`]
  );
}
