/** The tests of `@path` in prompts. */
import assert from "node:assert/strict";
import { join } from "node:path";
import { attachMentions, maxMentionImages, maxMentions } from "../../src/instructions/mentions.ts";
import { examineImage } from "../../src/tools/read_image.ts";
import { untilBoth, whileSwapping } from "../support/swapper.ts";
import { type Tree, withTree } from "./files.ts";

const png = Uint8Array.from(
  atob(
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==",
  ),
  (character) => character.charCodeAt(0),
);

async function attach(tree: Tree, text: string) {
  const { parts, notices } = await attachMentions(text, tree.locations, examineImage);
  const texts = parts.map((part) => part.type === "text" ? part.text : `[${part.mediaType}]`);
  return { texts, notices: [...notices] };
}

Deno.test("mentions: a file is attached with its text, each once", () =>
  withTree(async (tree) => {
    tree.write("w/src/a.ts", "one\r\ntwo\r\n");
    tree.write("w/b c.txt", "blank in the name");
    const { texts, notices } = await attach(tree, 'Compare @src/a.ts, @./src/a.ts and @"b c.txt".');
    assert.deepEqual(texts, [
      '\n\n<file path="src/a.ts">\none\ntwo\n</file>',
      '\n\n<file path="b c.txt">\nblank in the name\n</file>',
    ]);
    assert.deepEqual(notices, []);
  }));

Deno.test("mentions: punctuation around a path does not belong to it, unless it does", () =>
  withTree(async (tree) => {
    tree.write("w/a.md", "A");
    tree.write("w/odd?).md", "odd");
    tree.write("w/end.", "dot");
    for (
      const text of [
        "(@a.md)",
        "see @a.md.",
        "@a.md?!",
        '"@a.md"',
        "`@a.md`",
        "@a.md:",
        "[@a.md]",
        "@a.md…",
      ]
    ) {
      const { texts, notices } = await attach(tree, text);
      assert.deepEqual(texts, ['\n\n<file path="a.md">\nA\n</file>'], text);
      assert.deepEqual(notices, []);
    }
    assert.match((await attach(tree, "@odd?).md")).texts[0]!, /odd\n/);
    assert.match((await attach(tree, "@end.")).texts[0]!, /dot\n/);
  }));

Deno.test("mentions: words that name nothing are left alone", () =>
  withTree(async (tree) => {
    tree.write("w/example.org", "not meant");
    const words = "ada@example.org <ada@example.org> @scope/pkg @types/node @ @@ x@. @.. @?! " +
      "@nobody @~/none";
    const { texts, notices } = await attach(tree, words);
    assert.deepEqual(texts, []);
    assert.deepEqual(notices, []);
  }));

Deno.test("mentions: a folder is listed, bounded", () =>
  withTree(async (tree) => {
    tree.write("w/src/b.ts", "");
    tree.write("w/src/a/x.ts", "");
    for (let index = 0; index < 250; index++) tree.write(`w/many/${index}`, "");
    assert.deepEqual((await attach(tree, "@src/")).texts, [
      '\n\n<folder path="src">\na/\nb.ts\n</folder>',
    ]);
    const [many] = (await attach(tree, "@many")).texts;
    assert.match(many!, /\n\[\.\.\. 50 more entries omitted \.\.\.\]\n<\/folder>$/);
    assert.match((await attach(tree, "@.")).texts[0]!, /<folder path="\.">\nmany\/\nsrc\/\n/);
  }));

Deno.test("mentions: an image is attached as one, by content; a broken one is said", () =>
  withTree(async (tree) => {
    tree.write("w/shot.dat", png);
    tree.write("w/half.png", png.subarray(0, 40));
    const { parts } = await attachMentions("@shot.dat", tree.locations, examineImage);
    assert.deepEqual(parts[1], {
      type: "image",
      mediaType: "image/png",
      data: btoa(String.fromCharCode(...png)),
    });
    const half = await attach(tree, "@half.png");
    assert.deepEqual(half.texts, []);
    assert.match(half.notices[0]!, /@half\.png was not attached: it is no whole image/);
  }));

Deno.test("mentions: what lies outside is refused with a notice", () =>
  withTree(async (tree) => {
    tree.write("o/secret", "secret");
    tree.write("home/notes", "private");
    tree.link(tree.outside, "w/out");
    tree.link("loop", "w/loop");
    tree.link("gone", "w/dangling");
    const text = `@../o/secret @out/secret @${tree.outside}/secret @~/notes @loop @dangling`;
    const { texts, notices } = await attach(tree, text);
    assert.deepEqual(texts, []);
    assert.deepEqual(notices, [
      "@../o/secret was not attached: path is outside the workspace: ../o/secret",
      "@out/secret was not attached: path is outside the workspace: out/secret",
      `@${tree.outside}/secret was not attached: path is outside the workspace: ${tree.outside}/secret`,
      "@~/notes was not attached: path is outside the workspace: ~/notes",
      "@loop is a link that leads to itself.",
      "@dangling is a link that leads nowhere.",
    ]);
  }));

Deno.test("mentions: links and absolute paths that stay inside are attached", () =>
  withTree(async (tree) => {
    const path = tree.write("w/src/a.ts", "a");
    tree.link("src", "w/link");
    const { texts, notices } = await attach(tree, `@link/a.ts and @${path}`);
    assert.deepEqual(texts, ['\n\n<file path="src/a.ts">\na\n</file>']);
    assert.deepEqual(notices, []);
  }));

Deno.test("mentions: pipes, devices and binary files are said and never waited for", () =>
  withTree(async (tree) => {
    await tree.pipe("w/pipe");
    tree.write("w/blob", new Uint8Array([1, 0, 2]));
    const { texts, notices } = await attach(tree, "@pipe @blob");
    assert.deepEqual(texts, []);
    assert.deepEqual(notices, [
      "@pipe was not attached: it is a pipe, not a file.",
      "@blob was not attached: it is neither text nor an image.",
    ]);
  }));

Deno.test("mentions: a range of lines is attached alone", () =>
  withTree(async (tree) => {
    tree.write("w/a.txt", "one\ntwo\nthree\nfour\n");
    tree.write("w/b:2", "its name has a colon");
    assert.deepEqual((await attach(tree, "see @a.txt:2-3, and")).texts, [
      '\n\n<file path="a.txt" lines="2-3">\ntwo\nthree\n</file>',
    ]);
    assert.deepEqual((await attach(tree, "@a.txt:4")).texts, [
      '\n\n<file path="a.txt" lines="4-4">\nfour\n</file>',
    ]);
    assert.match((await attach(tree, "@b:2")).texts[0]!, /its name has a colon/);
    assert.match((await attach(tree, "@a.txt:9")).notices[0]!, /there is no line 9/);
  }));

Deno.test("mentions: large and many files are cut with a notice", () =>
  withTree(async (tree) => {
    tree.write("w/large.txt", "é line\n".repeat(50_000));
    const { texts, notices } = await attach(tree, "@large.txt");
    assert.ok(texts[0]!.length < 100_300);
    assert.match(
      texts[0]!,
      /\[\.\.\. cut: the file has 400000 bytes; continue with read from start_line 12501/,
    );
    assert.doesNotMatch(texts[0]!, /\ufffd/);
    assert.deepEqual(notices, ["@large.txt has 400000 bytes; only a part of it is attached."]);
    const names = Array.from({ length: maxMentions + 5 }, (_, index) => `f${index}`);
    for (const name of names) tree.write(`w/${name}`, name);
    const many = await attach(tree, names.map((name) => `@${name}`).join(" "));
    assert.equal(many.texts.length, maxMentions);
    assert.equal(many.notices.length, 1);
    for (let index = 0; index < 6; index++) tree.write(`w/i${index}`, png);
    const images = await attach(tree, "@i0 @i1 @i2 @i3 @i4 @i5");
    assert.equal(images.texts.filter((text) => text === "[image/png]").length, maxMentionImages);
    assert.match(images.notices[0]!, /@i5 was not attached: 5 images at most/);
    for (let index = 0; index < 4; index++) tree.write(`w/big${index}`, "x".repeat(99_000));
    const big = await attach(tree, "@big0 @big1 @big2 @big3");
    assert.ok(big.texts.join("").length < 301_000);
    assert.equal(big.notices.length, 1);
  }));

Deno.test("mentions: pasted text full of signs is looked through quickly", () =>
  withTree(async (tree) => {
    tree.write("w/a.md", "A");
    const signs = `@a.md ${"@".repeat(100_000)} @${"!".repeat(200_000)} `;
    const words = Array.from({ length: 50_000 }, (_, index) => `@word${index}`).join(" ");
    const { texts } = await attach(tree, signs + words);
    assert.equal(texts.length, 1);
  }));

Deno.test("mentions: an odd name stays on one line", () =>
  withTree(async (tree) => {
    tree.write("w/a\u202eb", "x");
    const { texts } = await attach(tree, "@a\u202eb");
    assert.match(texts[0]!, /<file path="a\\u202eb">/);
  }));

Deno.test("mentions: nimlet's own folder is not attached, whatever leads to it", () =>
  withTree(async (tree) => {
    tree.write("home/.nimlet/auth.json", "sk-PRIVATE");
    tree.link(".nimlet/auth.json", "home/key");
    tree.link(".nimlet", "home/folder");
    const atHome = { ...tree, locations: { ...tree.locations, workspace: tree.home } };
    for (const path of [".nimlet/auth.json", "~/.nimlet/auth.json", "key", "folder", ".nimlet/"]) {
      const { texts, notices } = await attach(atHome, `look at @${path}`);
      assert.deepEqual(texts, []);
      assert.match(notices[0]!, /was not attached: it lies in nimlet's own folder\.$/);
    }
  }));

Deno.test("mentions: nothing is attached of what is swapped for a link to outside", () =>
  withTree(async (tree) => {
    tree.write("o/a.txt", "OUTSIDE");
    tree.write("o/OUTSIDE-NAME", "");
    tree.write("w/d/a.txt", "inside");
    tree.link(tree.outside, "w/e");
    const { workspace } = tree;
    await whileSwapping(join(workspace, "d"), join(workspace, "e"), async () => {
      const { yes, no } = await untilBoth(400, async () => {
        const { texts } = await attach(tree, "@d/a.txt @d");
        assert.doesNotMatch(texts.join(), /OUTSIDE/);
        return texts.length === 2;
      });
      assert.ok(yes >= 400 && no >= 400, `${yes} times attached, ${no} not`);
    });
  }));
