/** The tests of prompt templates and of prompts that start with a slash. */
import assert from "node:assert/strict";
import { join } from "node:path";
import { expandPrompt, type Expansions } from "../../src/instructions/expand_prompt.ts";
import { findTemplates } from "../../src/instructions/prompts.ts";
import { discoverSkills } from "../../src/instructions/skills.ts";
import { fillTemplate, maxFilledLength } from "../../src/instructions/template_arguments.ts";
import { skillText, type Tree, withTree } from "./files.ts";

async function known(tree: Tree, builtIns: string[] = []): Promise<Expansions> {
  const locations = { ...tree.locations, trusted: true };
  const { skills } = await discoverSkills(locations);
  return { skills, ...findTemplates(locations), builtIns, workspace: tree.workspace };
}

Deno.test("templates: later roots win, untrusted projects do not count, losers are said", () =>
  withTree((tree) => {
    assert.deepEqual(findTemplates({ ...tree.locations, trusted: true }), {
      templates: [],
      notices: [],
    });
    const roots = ["home/.agents", "home/.nimlet", "w/.agent", "w/.agents", "w/.nimlet"];
    for (const root of roots) tree.write(`${root}/prompts/review.md`, root);
    tree.write("w/.nimlet/prompts/only.md", "Only here");
    tree.write("w/.nimlet/prompts/notes.txt", "No template");
    const trusted = findTemplates({ ...tree.locations, trusted: true });
    assert.deepEqual(trusted.templates.map(({ name, shown }) => [name, shown]), [
      ["only", ".nimlet/prompts/only.md"],
      ["review", ".nimlet/prompts/review.md"],
    ]);
    assert.deepEqual(trusted.notices, [
      "prompt review: .nimlet/prompts/review.md is used in place of ~/.agents/prompts/review.md, " +
      "~/.nimlet/prompts/review.md, .agent/prompts/review.md, .agents/prompts/review.md.",
    ]);
    const untrusted = findTemplates({ ...tree.locations, trusted: false });
    assert.deepEqual(untrusted.templates.map((one) => one.shown), ["~/.nimlet/prompts/review.md"]);
  }));

Deno.test("templates: what cannot be one is said, links to files are followed", () =>
  withTree(async (tree) => {
    tree.link(tree.write("o/shared.md", "Shared text"), "home/.nimlet/prompts/shared.md");
    tree.link("/dev/zero", "home/.nimlet/prompts/zero.md");
    tree.link("loop.md", "home/.nimlet/prompts/loop.md");
    tree.link("gone", "home/.nimlet/prompts/gone.md");
    tree.write("home/.nimlet/prompts/two words.md", "x");
    Deno.mkdirSync(join(tree.home, ".nimlet/prompts/folder.md"));
    await tree.pipe("home/.nimlet/prompts/pipe.md");
    const found = findTemplates({ ...tree.locations, trusted: true });
    assert.deepEqual(found.templates.map((one) => one.name), ["shared"]);
    assert.equal(found.notices.length, 6);
    for (const name of ["zero", "loop", "gone", "two words", "folder", "pipe"]) {
      assert.ok(found.notices.some((notice) => notice.includes(`/${name}.md`)), name);
    }
  }));

Deno.test("templates: the description comes from the front matter, else from the first line", () =>
  withTree(async (tree) => {
    const texts: Record<string, [text: string, description: string, body: string]> = {
      front: ["---\ndescription: Look: closely\n---\nReview $1\n", "Look: closely", "Review $1"],
      folded: ["---\ndescription: >\n  a\n  b\n---\r\nBody", "a b", "Body"],
      title: ["\ufeff# Review\r\n\r\nDo it.\r\n", "Review", "# Review\n\nDo it."],
      rule: ["---\nText behind a rule\n", "---", "---\nText behind a rule"],
      empty: ["", "", ""],
    };
    for (const [name, [text]] of Object.entries(texts)) {
      tree.write(`home/.nimlet/prompts/${name}.md`, text);
    }
    for (const template of findTemplates({ ...tree.locations, trusted: false }).templates) {
      const [, description, body] = texts[template.name]!;
      assert.deepEqual(await template.load(), { kind: "template", description, body, notices: [] });
    }
  }));

Deno.test("arguments: each place is filled once and never looked through again", () => {
  const filled = (body: string, args: string) => fillTemplate(body, args).text;
  assert.equal(filled("Review $ARGUMENTS now", "src  lib"), "Review src  lib now");
  assert.equal(filled("Review $@", "a $1 $& $$"), "Review a $1 $& $$");
  assert.equal(filled("$2 then $1, $3.", `one "two three" 'x'`), "two three then one, x.");
  assert.equal(filled("$1|$2|", "only"), "only||");
  assert.equal(filled("$10 $0 $ARGUMENTSX $$", "a"), "$10 $0 $ARGUMENTSX $$\n\na");
  assert.equal(filled("It's $1", "don't"), "It's don't");
  assert.equal(filled("No place", "a b"), "No place\n\na b");
  assert.equal(filled("No place", ""), "No place");
});

Deno.test("arguments: a template full of locations cannot grow without end", () => {
  const { text, complete } = fillTemplate("$@ ".repeat(30_000), "x".repeat(1000));
  assert.equal(complete, false);
  assert.ok(text.length <= maxFilledLength + 90_000);
});

Deno.test("prompts: /name args is the template, with its arguments", () =>
  withTree(async (tree) => {
    tree.write("w/.nimlet/prompts/review.md", "---\ndescription: d\n---\nReview $1 well.\n");
    const expansions = await known(tree);
    for (const text of ["/review src", "/review   src \n", "/review\nsrc"]) {
      assert.deepEqual(await expandPrompt(text, expansions), {
        kind: "expanded",
        text: "Review src well.",
        from: "/review",
        notices: [],
      });
    }
  }));

Deno.test("prompts: built-in commands win over templates", () =>
  withTree(async (tree) => {
    tree.write("w/.nimlet/prompts/plan.md", "My plan");
    const expansions = await known(tree, ["plan", "help"]);
    assert.deepEqual(await expandPrompt("/plan now please", expansions), {
      kind: "built_in",
      name: "plan",
      args: "now please",
    });
  }));

Deno.test("prompts: /skill:name carries the skill's body and the request", () =>
  withTree(async (tree) => {
    tree.write("w/.nimlet/skills/review/SKILL.md", skillText("review", "R", "Look closely.\n"));
    const expansions = await known(tree);
    const expanded = await expandPrompt("/skill:review the parser, please", expansions);
    assert.deepEqual(expanded, {
      kind: "expanded",
      text: "Follow the skill review (folder .nimlet/skills/review):\n\n" +
        '<skill name="review">\nLook closely.\n</skill>\n\nthe parser, please',
      from: "/skill:review",
      notices: [],
    });
    const bare = await expandPrompt("/skill:review", expansions);
    assert.ok(bare.kind === "expanded" && bare.text.endsWith("</skill>"));
    const unknown = await expandPrompt("/skill:revew x", expansions);
    assert.ok(unknown.kind === "unknown");
    assert.equal(unknown.notice, "There is no skill revew. Did you mean /skill:review?");
    assert.equal(unknown.text, "/skill:revew x");
  }));

Deno.test("prompts: an unknown name is said and the text stays", () =>
  withTree(async (tree) => {
    tree.write("w/.nimlet/prompts/review.md", "x");
    tree.write("w/.nimlet/skills/tidy/SKILL.md", skillText("tidy", "T"));
    const expansions = await known(tree, ["help"]);
    const notices: Record<string, string> = {
      "/nope": "There is no command or prompt template /nope.",
      "/reviw src": "There is no command or prompt template /reviw. Did you mean /review?",
      "/hlp": "There is no command or prompt template /hlp. Did you mean /help?",
      "/tidy": "There is no command or prompt template /tidy. Did you mean /skill:tidy?",
    };
    for (const [text, notice] of Object.entries(notices)) {
      const name = text.slice(1).split(" ")[0]!;
      assert.deepEqual(await expandPrompt(text, expansions), {
        kind: "unknown",
        text,
        name,
        notice,
      });
    }
  }));

Deno.test("prompts: text that merely starts with a slash is left alone", () =>
  withTree(async (tree) => {
    tree.write("w/src/x", "");
    const expansions = await known(tree, ["help"]);
    const texts = [
      "/etc is a folder",
      "/usr/bin/env prints",
      "/src holds the code",
      "/nope/at/all",
      "/nope/ is a folder",
      "/* a comment */",
      "// a comment",
      "/ alone",
      "/",
      "/^a+$/ is a pattern",
      "/etc, /usr and /var",
      "plain /review text",
      " /review behind a blank",
      "",
    ];
    for (const text of texts) {
      assert.deepEqual(await expandPrompt(text, expansions), { kind: "plain", text }, text);
    }
  }));

Deno.test("prompts: a template that is gone or no text is said", () =>
  withTree(async (tree) => {
    const path = tree.write("w/.nimlet/prompts/review.md", "x");
    tree.write("w/.nimlet/prompts/bytes.md", new Uint8Array([1, 0, 2]));
    const expansions = await known(tree);
    Deno.removeSync(path);
    const gone = await expandPrompt("/review src", expansions);
    assert.ok(gone.kind === "unknown");
    assert.equal(
      gone.notice,
      "The prompt template /review cannot be read: .nimlet/prompts/review.md is gone.",
    );
    const bytes = await expandPrompt("/bytes", expansions);
    assert.ok(bytes.kind === "unknown");
    assert.match(bytes.notice, /bytes\.md is not text\.$/);
  }));
