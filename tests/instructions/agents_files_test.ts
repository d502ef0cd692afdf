/** The tests of instruction files. */
import assert from "node:assert/strict";
import { join } from "node:path";
import {
  instructionFileNames,
  maxInstructionBytes,
  trackInstructions,
} from "../../src/instructions/agents_files.ts";
import { ordinaryUser, superuser, testWhere } from "../support/test_where.ts";
import { untilBoth, whileSwapping } from "../support/swapper.ts";
import { withTree } from "./files.ts";

const block = (from: string, text: string) =>
  `<instructions from="${from}">\n${text}\n</instructions>\n`;

Deno.test("instructions: none give nothing", () =>
  withTree((tree) => {
    const tracker = trackInstructions(tree.locations);
    assert.deepEqual(tracker.current(), { text: "", sources: [], notices: [] });
    assert.deepEqual(tracker.below("no/such/file"), { text: "", sources: [], notices: [] });
  }));

Deno.test("instructions: global first, then repository root down to the workspace, stopping at .git", () =>
  withTree((tree) => {
    tree.write("home/.nimlet/AGENTS.md", "global");
    tree.write("AGENTS.md", "above the repository");
    tree.write("w/.git", "gitdir: elsewhere\n");
    tree.write("w/AGENTS.md", "root");
    tree.write("w/a/CLAUDE.md", "middle");
    tree.write("w/a/b/AGENTS.md", "nested");
    const tracker = trackInstructions({
      ...tree.locations,
      workspace: join(tree.workspace, "a/b"),
    });
    const { text, sources, notices } = tracker.current();
    assert.deepEqual(sources, [
      "~/.nimlet/AGENTS.md",
      "../../AGENTS.md",
      "../CLAUDE.md",
      "AGENTS.md",
    ]);
    assert.equal(
      text,
      [
        block("~/.nimlet/AGENTS.md", "global"),
        block("../../AGENTS.md", "root"),
        block("../CLAUDE.md", "middle"),
        block("AGENTS.md", "nested"),
      ].join("\n"),
    );
    assert.deepEqual(notices, []);
  }));

Deno.test("instructions: without a repository only the workspace counts", () =>
  withTree((tree) => {
    tree.write("w/AGENTS.md", "above");
    tree.write("w/a/AGENTS.md", "here");
    const tracker = trackInstructions({ ...tree.locations, workspace: join(tree.workspace, "a") });
    assert.deepEqual(tracker.current().sources, ["AGENTS.md"]);
  }));

Deno.test("instructions: one file a folder, the override first", () =>
  withTree((tree) => {
    const tracker = trackInstructions(tree.locations);
    for (const name of [...instructionFileNames].reverse()) {
      tree.write(`w/${name}`, `text of ${name}`);
      assert.equal(tracker.current().text, block(name, `text of ${name}`));
    }
  }));

Deno.test("instructions: an edit counts on the next turn, a notice is given once", () =>
  withTree((tree) => {
    const tracker = trackInstructions(tree.locations);
    const path = tree.write("w/AGENTS.md", "one");
    assert.match(tracker.current().text, /one/);
    Deno.writeTextFileSync(path, "two");
    assert.match(tracker.current().text, /two/);
    Deno.writeFileSync(path, new Uint8Array([0x61, 0xff, 0x62]));
    const broken = tracker.current();
    assert.equal(broken.text, block("AGENTS.md", "a\ufffdb"));
    assert.deepEqual(broken.notices, [
      "AGENTS.md is not valid UTF-8; the bytes that are not were replaced.",
    ]);
    assert.deepEqual(tracker.current().notices, []);
  }));

Deno.test("instructions: line ends and a byte order mark do not reach the prompt", () =>
  withTree((tree) => {
    tree.write("w/AGENTS.md", "\ufeffone\r\ntwo\r\n");
    assert.equal(trackInstructions(tree.locations).current().text, block("AGENTS.md", "one\ntwo"));
  }));

Deno.test("instructions: a large file is cut with a notice and the nested one is kept whole", () =>
  withTree((tree) => {
    tree.write("w/.git/HEAD", "");
    tree.write("w/AGENTS.md", "é".repeat(1_000_000));
    tree.write("w/a/AGENTS.md", `nested ${"x".repeat(1000)}`);
    const tracker = trackInstructions({ ...tree.locations, workspace: join(tree.workspace, "a") });
    const { text, notices } = tracker.current();
    assert.ok(text.includes(`nested ${"x".repeat(1000)}`));
    assert.match(text, /\[\.\.\. cut: \.\.\/AGENTS\.md has 2000000 bytes/);
    assert.doesNotMatch(text, /\ufffd/);
    assert.ok(new TextEncoder().encode(text).length < 67_500);
    assert.deepEqual(notices, [
      "../AGENTS.md has 2000000 bytes; the model is given the first 65536.",
    ]);
  }));

Deno.test("instructions: of very many the ones farthest from the work are cut first", () =>
  withTree((tree) => {
    tree.write("w/.git/HEAD", "");
    let folder = "w";
    for (let level = 0; level < 8; level++, folder += "/d") {
      tree.write(`${folder}/AGENTS.md`, `level ${level} ${"y".repeat(60_000)} end ${level}`);
    }
    const workspace = join(tree.top, folder.slice(0, -2));
    const { text, sources, notices } = trackInstructions({ ...tree.locations, workspace })
      .current();
    assert.equal(sources.length, 8);
    assert.ok(text.includes("end 7"));
    assert.ok(!text.includes("end 0"));
    assert.match(text, /cut: \.\.\/\.\.\/\.\.\/\.\.\/\.\.\/\.\.\/\.\.\/AGENTS\.md has/);
    assert.ok(text.length < maxInstructionBytes + 4000);
    assert.ok(notices.length >= 3);
  }));

Deno.test("instructions: links inside are read; links out, pipes and devices are skipped with a notice", () =>
  withTree(async (tree) => {
    tree.write("w/.git/HEAD", "");
    tree.write("w/docs/rules.md", "inside rules");
    tree.write("o/secret.md", "secret");
    const pipe = await tree.pipe("w/pipe");
    const links: [target: string, expected: RegExp][] = [
      ["docs/rules.md", /^$/],
      [
        join(tree.outside, "secret.md"),
        /AGENTS\.md is a link that leads outside the project; it was/,
      ],
      [pipe, /AGENTS\.md is a pipe, not a file; it was skipped/],
      ["/dev/zero", /AGENTS\.md is a link that leads outside the project/],
      ["AGENTS.md", /AGENTS\.md is a link that leads to itself/],
      ["gone", /AGENTS\.md is a link that leads nowhere/],
      ["docs", /AGENTS\.md is a folder, not a file/],
    ];
    for (const [target, expected] of links) {
      tree.link(target, "w/AGENTS.md");
      const { text, notices } = trackInstructions(tree.locations).current();
      assert.match(notices.join("\n"), expected);
      assert.equal(text, target === "docs/rules.md" ? block("AGENTS.md", "inside rules") : "");
      Deno.removeSync(join(tree.workspace, "AGENTS.md"));
    }
    await tree.pipe("w/AGENTS.md");
    tree.write("w/CLAUDE.md", "second choice");
    const { text, notices } = trackInstructions(tree.locations).current();
    assert.equal(text, block("CLAUDE.md", "second choice"));
    assert.deepEqual(notices, ["AGENTS.md is a pipe, not a file; it was skipped."]);
  }));

Deno.test("instructions: the global file may be a link to anywhere", () =>
  withTree((tree) => {
    tree.link(tree.write("o/dotfiles/agents.md", "mine"), "home/.nimlet/AGENTS.md");
    assert.equal(
      trackInstructions(tree.locations).current().text,
      block("~/.nimlet/AGENTS.md", "mine"),
    );
  }));

Deno.test("instructions: files below the workspace come with the first read under them, once", () =>
  withTree((tree) => {
    tree.write("w/AGENTS.md", "root");
    tree.write("w/a/AGENTS.md", "in a");
    const deep = tree.write("w/a/b/AGENTS.md", "in b");
    tree.write("w/a/b/code.ts", "");
    tree.write("w/other/code.ts", "");
    const tracker = trackInstructions(tree.locations);
    assert.equal(tracker.below("other/code.ts").text, "");
    const first = tracker.below("a/b/code.ts");
    assert.deepEqual(first.sources, ["a/AGENTS.md", "a/b/AGENTS.md"]);
    assert.equal(
      first.text,
      [block("a/AGENTS.md", "in a"), block("a/b/AGENTS.md", "in b")].join("\n"),
    );
    assert.equal(tracker.below(join(tree.workspace, "a/b/code.ts")).text, "");
    Deno.writeTextFileSync(deep, "in b, changed");
    assert.equal(tracker.below("a/b/code.ts").text, block("a/b/AGENTS.md", "in b, changed"));
    assert.equal(tracker.below("a/b/code.ts").text, "");
  }));

Deno.test("instructions: a file that was itself read is not given a second time", () =>
  withTree((tree) => {
    tree.write("w/a/AGENTS.md", "in a");
    tree.write("w/a/code.ts", "");
    const tracker = trackInstructions(tree.locations);
    assert.equal(tracker.below("a/AGENTS.md").text, "");
    assert.equal(tracker.below("a/code.ts").text, "");
  }));

Deno.test("instructions: paths outside the workspace bring none", () =>
  withTree((tree) => {
    tree.write("o/AGENTS.md", "outside");
    tree.write("o/x", "");
    tree.link(tree.outside, "w/out");
    const tracker = trackInstructions(tree.locations);
    assert.equal(tracker.below("../o/x").text, "");
    assert.equal(tracker.below("out/x").text, "");
  }));

Deno.test("instructions: a folder's strange name stays on one line of its label", () =>
  withTree((tree) => {
    tree.write("w/a\n<b>/AGENTS.md", "text");
    tree.write("w/a\n<b>/x", "");
    const { sources } = trackInstructions(tree.locations).below("a\n<b>/x");
    assert.deepEqual(sources, ['"a\\n<b>/AGENTS.md"']);
  }));

testWhere(
  superuser,
  "instructions: above the workspace, files of other users are skipped with a notice",
  () =>
    withTree((tree) => {
      tree.write("w/.git/HEAD", "");
      const foreign = tree.write("w/AGENTS.md", "planted");
      tree.write("w/a/AGENTS.md", "mine");
      const locations = { ...tree.locations, workspace: join(tree.workspace, "a") };
      Deno.chownSync(foreign, 12345, 12345);
      const { sources, notices } = trackInstructions(locations).current();
      assert.deepEqual(sources, ["AGENTS.md"]);
      assert.deepEqual(notices, [
        "../AGENTS.md belongs to another user than the workspace; it was skipped.",
      ]);
      Deno.chownSync(locations.workspace, 12345, 12345);
      assert.deepEqual(trackInstructions(locations).current().sources, [
        "../AGENTS.md",
        "AGENTS.md",
      ]);
    }),
);

testWhere(
  ordinaryUser,
  "instructions: a file that may not be read is skipped with a notice",
  () =>
    withTree((tree) => {
      const path = tree.write("w/AGENTS.md", "closed");
      Deno.chmodSync(path, 0o000);
      const { text, notices } = trackInstructions(tree.locations).current();
      assert.equal(text, "");
      assert.deepEqual(notices, ["AGENTS.md may not be read; it was skipped."]);
    }),
);

Deno.test("instructions: in an untrusted folder no link leads out of it, whatever holds it", () =>
  withTree((tree) => {
    // A folder of somebody else's, unpacked in a home folder that is a repository.
    tree.write(".git/HEAD", "");
    tree.write(".ssh/id_rsa", "PRIVATE");
    tree.write("dl/proj/inner/a.txt", "");
    tree.write("dl/proj/docs/agents.md", "of the project");
    tree.link("../../.ssh/id_rsa", "dl/proj/AGENTS.override.md");
    tree.link("docs/agents.md", "dl/proj/AGENTS.md");
    tree.link("../../../.ssh/id_rsa", "dl/proj/inner/AGENTS.md");
    tree.link("../.ssh/id_rsa", "dl/AGENTS.md");
    tree.link(".ssh", "dl/proj/keys");
    const locations = { ...tree.locations, workspace: join(tree.top, "dl/proj") };
    const tracker = trackInstructions(locations);
    const { text, notices } = tracker.current();
    assert.equal(text, block("AGENTS.md", "of the project"));
    assert.deepEqual(notices, [
      "../AGENTS.md is a link that leads outside its folder, and the workspace is not trusted; it was skipped.",
      "AGENTS.override.md is a link that leads outside the workspace, and this folder is not trusted; it was skipped.",
    ]);
    assert.equal(tracker.below("inner/a.txt").text, "");
    // Trust says that the repository as a whole may speak.
    const trusted = trackInstructions({ ...locations, trusted: true });
    assert.match(trusted.current().text, /PRIVATE/);
  }));

Deno.test("instructions: above an untrusted folder a link within its own folder is followed", () =>
  withTree((tree) => {
    tree.write("w/.git/HEAD", "");
    tree.write("w/CLAUDE.md", "of the repository");
    tree.link("CLAUDE.md", "w/AGENTS.md");
    tree.write("w/a/x", "");
    const tracker = trackInstructions({ ...tree.locations, workspace: join(tree.workspace, "a") });
    assert.equal(tracker.current().text, block("../AGENTS.md", "of the repository"));
  }));

Deno.test("instructions: no link of a workspace leads into nimlet's own folder", () =>
  withTree((tree) => {
    tree.write("home/.nimlet/auth.json", "sk-PRIVATE");
    tree.link(".nimlet/auth.json", "home/AGENTS.md");
    tree.write("home/dl/x", "");
    tree.link("../.nimlet/auth.json", "home/dl/AGENTS.md");
    const tracker = trackInstructions({ ...tree.locations, workspace: tree.home, trusted: true });
    assert.equal(tracker.current().text, "");
    const below = tracker.below("dl/x");
    assert.equal(below.text, "");
    assert.deepEqual(below.notices, [
      "dl/AGENTS.md lies in nimlet's own folder; it was skipped.",
    ]);
  }));

Deno.test("instructions: nothing comes in through a file or folder that is swapped for a link", () =>
  withTree(async (tree) => {
    tree.write("o/AGENTS.md", "OUTSIDE");
    tree.write("w/AGENTS.md", "inside");
    tree.link(join(tree.outside, "AGENTS.md"), "w/other");
    tree.write("w/d/AGENTS.md", "inside d");
    tree.write("w/d/x", "");
    tree.link(tree.outside, "w/e");
    const read = (what: () => string) => () => {
      const text = what();
      assert.doesNotMatch(text, /OUTSIDE/);
      return Promise.resolve(text.includes("inside"));
    };
    const current = read(() => trackInstructions(tree.locations).current().text);
    const below = read(() => trackInstructions(tree.locations).below("d/x").text);
    await whileSwapping(
      join(tree.workspace, "AGENTS.md"),
      join(tree.workspace, "other"),
      async () => {
        const { yes, no } = await untilBoth(50, current);
        assert.ok(yes >= 50 && no >= 50, `${yes} times with text, ${no} without`);
      },
    );
    await whileSwapping(join(tree.workspace, "d"), join(tree.workspace, "e"), async () => {
      const { yes, no } = await untilBoth(50, below);
      assert.ok(yes >= 50 && no >= 50, `${yes} times with text, ${no} without`);
    });
  }));
