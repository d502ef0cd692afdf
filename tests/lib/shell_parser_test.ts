import assert from "node:assert/strict";
import { loadShellParser, type ShellNode } from "../../src/lib/shell_parser.ts";
import { shellParserUrls } from "../../src/lib/shell_parser_assets.ts";

const urls = await shellParserUrls();
const parse = await loadShellParser({
  parser: await Deno.readFile(urls.parser),
  grammar: await Deno.readFile(urls.grammar),
});

function find(node: ShellNode, type: string): ShellNode[] {
  return [...node.type === type ? [node] : [], ...node.children.flatMap((one) => find(one, type))];
}

Deno.test("the tree tells commands, and indices into the text, behind characters of any width", () => {
  const text = "echo 漢😀 && rm x";
  const tree = parse(text);
  assert(tree !== undefined && !tree.hasErrors);
  const names = find(tree.root, "command_name").map((node) => text.slice(node.start, node.end));
  assert.deepEqual(names, ["echo", "rm"]);
});

Deno.test("what does not fit the grammar is told", () => {
  assert.equal(parse("echo $(")?.hasErrors, true);
  assert.equal(parse("fi fi fi (")?.hasErrors, true);
  assert.equal(parse("")?.hasErrors, false);
});

Deno.test("the parser can be used again and again", () => {
  for (let round = 0; round < 200; round++) {
    const commands = Array.from({ length: round }, () => "echo a").join("; ");
    assert.equal(find(parse(commands)!.root, "command").length, round);
  }
});
