import assert from "node:assert/strict";
import { globTool } from "../../src/tools/glob.ts";
import { grepTool } from "../../src/tools/grep.ts";
import { readTool } from "../../src/tools/read.ts";
import { callTool, toolContext, withWorkspace } from "../support/tool_context.ts";
import { markRepository, runCommand, writeTree } from "../search/tree.ts";
import type { Json } from "../../src/core/json.ts";
import { ordinaryUser, testWhere } from "../support/test_where.ts";
import { staysOpen } from "../support/stays_open.ts";

type Files = Record<string, string | Uint8Array>;

async function grep(workspace: string, input: { [key: string]: Json }) {
  return await callTool(grepTool, input, toolContext(workspace));
}

/** Searches a workspace made of `files`; gives the text of the result. */
async function grepIn(files: Files, input: { [key: string]: Json }): Promise<string> {
  return await withWorkspace(async (workspace) => {
    await writeTree(workspace, files);
    const { text, isError } = await grep(workspace, input);
    assert.equal(isError, false, text);
    return text;
  });
}

Deno.test("matches are path:line:text lines, in the order of the paths", async () => {
  const text = await grepIn(
    { "b.txt": "one\nTODO two\n", "a/x.txt": "FIXME\n", "a.txt": "no\nno\nTODO" },
    { pattern: "TODO|FIXME" },
  );
  assert.equal(text, "a.txt:3:TODO\na/x.txt:1:FIXME\nb.txt:2:TODO two");
});

Deno.test("a search without hits says so, and is no error", async () => {
  assert.equal(await grepIn({ "a.txt": "x\n" }, { pattern: "y" }), "No matches");
});

for (
  const [pattern, offset] of [["(", 1], ["[z-a]", 3], ["(?<n", 4], ["*a", 0]] as const
) {
  Deno.test(`a pattern that does not compile is an error with its place: ${pattern}`, async () => {
    await withWorkspace(async (workspace) => {
      await writeTree(workspace, { "a.txt": "(" });
      const result = await grep(workspace, { pattern });
      assert.equal(result.isError, true);
      assert.equal(result.code, "pattern");
      assert.match(
        result.text,
        new RegExp(`^pattern: .*\\(at offset ${offset}, PCRE2 [\\d.]+\\)$`),
      );
    });
  });
}

Deno.test("a line that cannot be decided is named, and other files' matches are returned", async () => {
  const text = await grepIn(
    { "evil.txt": `${"a".repeat(40)}!\n`, "ok.txt": "aaa\n" },
    { pattern: "(a+)+$" },
  );
  assert.match(text, /^ok\.txt:1:aaa$/m);
  assert.match(text, /^\[match limit reached in evil\.txt:1; matches there may be missing\]$/m);
});

Deno.test("a pattern that backtracks without end on a long line ends all the same", async () => {
  const text = await grepIn({ "a.txt": `${"a".repeat(6000)}\n` }, { pattern: "^(a|aa|aaa)*b$" });
  assert.match(text, /^No matches/);
});

Deno.test("hidden files are searched, git's folder never", async () => {
  const text = await grepIn(
    { ".github/workflows/ci.yml": "TOKEN9\n", ".git/config": "TOKEN9\n", ".env": "TOKEN9\n" },
    { pattern: "TOKEN9" },
  );
  assert.equal(text, ".env:1:TOKEN9\n.github/workflows/ci.yml:1:TOKEN9");
  const inFolder = await grepIn(
    { ".github/workflows/ci.yml": "TOKEN9\n" },
    { pattern: "TOKEN9", path: ".github" },
  );
  assert.equal(inFolder, ".github/workflows/ci.yml:1:TOKEN9");
});

Deno.test("ignored files yield to a path that names them; a linked ignore file is honoured", async () => {
  await withWorkspace(async (workspace) => {
    await markRepository(workspace);
    await writeTree(workspace, {
      ig: "dist/\nout/\n",
      "dist/app.js": "NEEDLE\n",
      "out/b": "NEEDLE",
    });
    await Deno.symlink("ig", `${workspace}/.gitignore`);
    const everywhere = await grep(workspace, { pattern: "NEEDLE", path: "." });
    assert.equal(
      everywhere.text,
      "No matches\n[not searched, as excluded or ignored: dist, out; name one to search it]",
    );
    const named = await grep(workspace, { pattern: "NEEDLE", path: "dist" });
    assert.equal(named.text, "dist/app.js:1:NEEDLE");
    const ignored = await grep(workspace, { pattern: "NEEDLE", path: "out" });
    assert.equal(ignored.text, "out/b:1:NEEDLE");
    for (const glob of ["out/*", "out/b", "out/**"]) {
      const byGlob = await grep(workspace, { pattern: "NEEDLE", glob });
      assert.equal(byGlob.text, "out/b:1:NEEDLE", glob);
    }
  });
});

Deno.test(
  "circles of links, pipes and deep folders do not hold a search up",
  staysOpen,
  async () => {
    await withWorkspace(async (workspace) => {
      const deep = Array.from({ length: 30 }, (_, index) => `d${index}`).join("/");
      await writeTree(workspace, { [`${deep}/end.txt`]: "HERE\n" });
      await Deno.symlink(".", `${workspace}/loop`);
      await Deno.symlink("..", `${workspace}/up`);
      await runCommand("mkfifo", [`${workspace}/pipe`]);
      const { text } = await grep(workspace, { pattern: "HERE", glob: "**/*" });
      assert.equal(text, `${deep}/end.txt:1:HERE`);
    });
  },
);

Deno.test("a byte order mark does not hide the start of the first line", async () => {
  assert.equal(await grepIn({ "a.txt": "\uFEFFtest1\n" }, { pattern: "^test" }), "a.txt:1:test1");
});

Deno.test("UTF-16 with a byte order mark is searched", async () => {
  const units = new Uint16Array([..."\uFEFFtest2\r\nx"].map((char) => char.charCodeAt(0)));
  assert.equal(
    await grepIn({ "a.txt": new Uint8Array(units.buffer) }, { pattern: "test2$" }),
    "a.txt:1:test2",
  );
});

Deno.test("a binary file is named, not silently missed", async () => {
  const files = { "a.bin": "\0\ntest3\n" };
  assert.equal(
    await grepIn(files, { pattern: "test3" }),
    "No matches\n[skipped as binary: a.bin]",
  );
  assert.match(await grepIn(files, { pattern: "test3", path: "a.bin" }), /^Not searched.*binary/);
});

Deno.test("read and grep agree on what is binary, wherever a NUL stands, in every encoding", async () => {
  const utf16 = (text: string) =>
    new Uint8Array(new Uint16Array([...`\uFEFF${text}`].map(codeOf)).buffer);
  const utf32 = (text: string) =>
    new Uint8Array(new Uint32Array([...`\uFEFF${text}`].map(codeOf)).buffer);
  const binary: Files = {
    "late.bin": `${"x".repeat(500_000)}\nneedle\n\0`,
    "wide.bin": utf16("needle\n\0"),
    "widest.bin": utf32("needle\n\0"),
    "unmarked.bin": utf16("needle\n").subarray(2),
  };
  const text: Files = {
    "plain.txt": "needle\n",
    "wide.txt": utf16("needle\n"),
    "widest.txt": utf32("needle\n"),
  };
  await withWorkspace(async (workspace) => {
    await writeTree(workspace, { ...binary, ...text });
    const found = await grep(workspace, { pattern: "needle" });
    assert.deepEqual(
      found.text.split("\n"),
      Object.keys(text).sort().map((path) => `${path}:1:needle`),
    );
    for (const path of [...Object.keys(binary), ...Object.keys(text)]) {
      const one = await grep(workspace, { pattern: "needle", path });
      const read = await callTool(readTool, { path }, toolContext(workspace));
      assert.equal(read.isError, /binary/.test(one.text), `${path}: ${read.text.slice(0, 200)}`);
      assert.equal(read.isError, Object.hasOwn(binary, path));
    }
  });
});

const codeOf = (char: string) => char.codePointAt(0)!;

Deno.test(".git is not searched, whatever is named", async () => {
  const files = { ".git/config": "needle", "sub/.git/HEAD": "needle", "a.txt": "needle" };
  await withWorkspace(async (workspace) => {
    await writeTree(workspace, files);
    await Deno.symlink(".git", `${workspace}/link`);
    const words = /^not searched: .* is in \.git, which holds git's own data; use the git tool$/;
    const named = [
      ".git",
      ".git/config",
      "./.git/",
      "sub/.git",
      "sub/.git/HEAD",
      "link",
      "link/config",
    ];
    for (const path of named) {
      assert.match((await grep(workspace, { pattern: "needle", path })).text, words, path);
      const listed = await callTool(globTool, { pattern: "*", path }, toolContext(workspace));
      assert.match(listed.text, words, path);
    }
    for (const glob of [".git/**", ".git/config", "sub/.git/*"]) {
      assert.match((await grep(workspace, { pattern: "needle", glob })).text, words, glob);
      const listed = await callTool(globTool, { pattern: glob }, toolContext(workspace));
      assert.match(listed.text, words, glob);
    }
    const all = await grep(workspace, { pattern: "needle", glob: "{a.txt,.git/*,**/.git/**}" });
    assert.equal(all.text, "a.txt:1:needle");
  });
});

Deno.test("a file over 1 MiB is skipped and named, one of exactly 1 MiB is searched", async () => {
  const line = "needle\n", size = 1024 * 1024;
  const files = {
    "full.txt": line + "x".repeat(size - line.length),
    "over.txt": line + "x".repeat(size - line.length + 1),
  };
  assert.equal(
    await grepIn(files, { pattern: "^needle$" }),
    "full.txt:1:needle\n[left out: skipped as larger than 1 MiB: over.txt]",
  );
  assert.match(
    await grepIn(files, { pattern: "^needle$", path: "over.txt" }),
    /^Not searched.*larger than 1 MiB: over\.txt$/,
  );
});

Deno.test("CR LF ends a line, and neither the match nor the printed line holds the CR", async () => {
  const files = { "a.txt": "foo\r\nbar\r\nfoo\r" };
  assert.equal(await grepIn(files, { pattern: "foo$" }), "a.txt:1:foo");
  assert.equal(await grepIn(files, { pattern: "foo\\s$" }), "a.txt:3:foo\r");
});

Deno.test("no final newline, empty lines and empty files are counted as lines are", async () => {
  const files = { "a.txt": "x\n\nx", "empty.txt": "", "b.txt": "\n" };
  assert.equal(await grepIn(files, { pattern: "^$" }), "a.txt:2:\nb.txt:1:");
  assert.equal(await grepIn(files, { pattern: "x", path: "a.txt" }), "a.txt:1:x\na.txt:3:x");
});

Deno.test("bytes that are not UTF-8 do not hide the rest of the line", async () => {
  const bytes = new Uint8Array([0x66, 0xff, 0x6f, 0x6f, 0x0a]);
  assert.equal(
    await grepIn({ "a.txt": bytes }, { pattern: "oo$" }),
    "a.txt:1:f\uFFFDoo\n[left out: what is not ASCII in files that are not UTF-8: a.txt]",
  );
});

Deno.test(
  "files that are not UTF-8 are named where they may hold what was asked for",
  staysOpen,
  async () => {
    const files = {
      "gbk.txt": new Uint8Array([0xb1, 0xe0, 0xc2, 0xeb, 0x20, 0x61, 0x64, 0x64, 0x0a]),
      "utf8.txt": "\u7f16\u7801 \ufffd\n",
      "ascii.txt": "add\n",
      "wide.txt": new Uint8Array([0xff, 0xfe, 0x16, 0x7f, 0x01, 0x78, 0x0a, 0x00]),
    };
    const note = "[left out: what is not ASCII in files that are not UTF-8: gbk.txt]";
    for (const pattern of ["\u7f16\u7801", "\\x{7f16}\\x{7801}"]) {
      assert.equal(
        await grepIn(files, { pattern, glob: "{gbk,utf8,ascii,wide}.txt" }),
        `utf8.txt:1:\u7f16\u7801 \ufffd\nwide.txt:1:\u7f16\u7801\n${note}`,
      );
    }
    assert.equal(
      await grepIn(files, { pattern: "\u7f16", path: "gbk.txt" }),
      "No matches\n[what is not ASCII in files that are not UTF-8: gbk.txt]",
    );
    assert.equal(await grepIn(files, { pattern: "nothing" }), "No matches");
  },
);

Deno.test("what was left out is named beside hits, in one line", async () => {
  const files = {
    ".gitignore": "*.log\nnode_modules\n",
    "a.txt": "hit\n",
    "b.log": "hit\n",
    "c.log": "hit\n",
    "node_modules/x.js": "hit\n",
    "dist/kept.js": "hit\n",
    "big.txt": "hit\n".repeat(300_000),
  };
  assert.equal(
    await grepIn(files, { pattern: "hit" }),
    "a.txt:1:hit\n[left out: excluded or ignored: dist (not ignored), node_modules; 2 ignored files; " +
      "skipped as larger than 1 MiB: big.txt]",
  );
});

Deno.test("excluded folders that no rule ignores are named before others, however many", async () => {
  const files: Files = { ".gitignore": "out*/\n", "z.txt": "x\n" };
  for (let at = 0; at < 8; at++) files[`a/out${at}/f`] = files[`p${at}/build/f`] = "hit\n";
  const text = await grepIn(files, { pattern: "hit" });
  for (let at = 0; at < 8; at++) assert.ok(text.includes(`p${at}/build (not ignored)`), text);
  assert.match(text, /a\/out4, and 3 more; name one/);
});

for (
  const [pattern, note] of [
    ["foo\\nbar", /^No matches\n\[the pattern can only match across lines/],
    ["foo\nbar", /^No matches\n\[the pattern can only match across lines/],
    ["foo\\r?\\n\\s*bar", /^No matches\n\[the pattern can only match across lines/],
    ["foo$\\s*^bar", /^No matches\n\[the pattern can only match across lines/],
    ["foo$\\s+bar", /^No matches\n\[the pattern can only match across lines/],
    ["(?:x|foo)[\\n]bar", /^No matches\n\[the pattern can only match across lines/],
    ["foo\\Rbar", /^No matches\n\[lines are searched one by one/],
    ["nothing|foo\\nbar", /^No matches\n\[part of the pattern can only match across lines/],
    ["foo|x\\ny", /^a\.txt:1:foo\n\[part of the pattern can only match across lines/],
    ["foo\\n?", /^a\.txt:1:foo$/],
    ["^foo$|^bar$", /^a\.txt:1:foo\na\.txt:2:bar$/],
    ["(?!\\n)foo", /^a\.txt:1:foo$/],
    ["none[^\\n]", /^No matches$/],
  ] as const
) {
  Deno.test(`a pattern that asks for a line end is answered with it: ${JSON.stringify(pattern)}`, async () => {
    assert.match(await grepIn({ "a.txt": "foo\nbar\n" }, { pattern }), note);
  });
}

Deno.test("many matches are cut at the cap, with the true number of the rest", async () => {
  const files = { "a.txt": "hit\n".repeat(300), "b.txt": "hit\n".repeat(10) };
  const text = await grepIn(files, { pattern: "hit" });
  const lines = text.split("\n");
  assert.equal(lines.length, 81);
  assert.equal(lines[79], "a.txt:80:hit");
  assert.equal(lines[80], "[230 more matches omitted]");
  assert.match(
    await grepIn(files, { pattern: "hit", max_matches: 3 }),
    /\n\[307 more matches omitted\]$/,
  );
  assert.match(
    await grepIn(files, { pattern: "hit", max_matches: 5000 }),
    /a\.txt:200:hit\n\[110 more matches omitted\]$/,
  );
});

Deno.test("long lines are shortened around the match, with marks", async () => {
  const line = `${"a".repeat(5000)}NEEDLE${"b".repeat(5000)}`;
  const text = await grepIn({ "a.txt": `${line}\n` }, { pattern: "NEEDLE" });
  assert.match(text, /^a\.txt:1:\[\.\.\.\]a+NEEDLEb+\[\.\.\.\]$/);
  assert.ok(text.length < 500, text);
});

Deno.test("output stays within 100,000 bytes and counts what did not fit", async () => {
  const line = `NEEDLE${"\u6f22".repeat(390)}\n`;
  const text = await grepIn({ "a.txt": line.repeat(200) }, { pattern: "NEEDLE", max_matches: 200 });
  assert.ok(new TextEncoder().encode(text).length <= 100_000);
  const shown = text.split("\n").length - 1;
  assert.match(text, new RegExp(`\\n\\[${200 - shown} more matches omitted\\]$`));
});

Deno.test("output of exactly 100,000 bytes is whole, one byte more loses a line", async () => {
  const bytesOf = (text: string) => new TextEncoder().encode(text).length;
  const hit = (size: number) =>
    `hit${"\u6f22".repeat(Math.floor(size / 3))}${"x".repeat(size % 3)}\n`;
  const search = (last: number) =>
    grepIn({ "a.txt": hit(1140).repeat(86) + hit(last) }, { pattern: "hit", max_matches: 200 });
  const room = 100_000 - bytesOf(await search(0));
  const whole = await search(room);
  assert.equal(bytesOf(whole), 100_000);
  assert.doesNotMatch(whole, /omitted/);
  const more = await search(room + 1);
  assert.match(more, /\n\[1 more match omitted\]$/);
  assert.equal(more.split("\n").length, 87);
});

Deno.test("a glob without a slash filters names at any depth, one with a slash whole paths", async () => {
  const files = { "a.ts": "hit", "src/b.ts": "hit", "src/c/d.ts": "hit", "src/e.js": "hit" };
  const paths = (text: string) => text.split("\n").map((line) => line.split(":")[0]);
  assert.deepEqual(paths(await grepIn(files, { pattern: "hit", glob: "*.ts" })), [
    "a.ts",
    "src/b.ts",
    "src/c/d.ts",
  ]);
  assert.deepEqual(paths(await grepIn(files, { pattern: "hit", glob: "src/*.{ts,js}" })), [
    "src/b.ts",
    "src/e.js",
  ]);
  assert.deepEqual(paths(await grepIn(files, { pattern: "hit", glob: "*.ts", path: "src" })), [
    "src/b.ts",
    "src/c/d.ts",
  ]);
});

Deno.test("a glob may be meant from the path or from the workspace", async () => {
  const files = { "src/a.ts": "hit", "src/sub/b.ts": "hit" };
  for (const glob of ["*.ts", "src/**", "**/*.ts"]) {
    const text = await grepIn(files, { pattern: "hit", glob, path: "src" });
    assert.equal(text, "src/a.ts:1:hit\nsrc/sub/b.ts:1:hit", glob);
  }
  const text = await grepIn(files, { pattern: "hit", glob: "sub/*.ts", path: "src" });
  assert.equal(text, "src/sub/b.ts:1:hit");
});

Deno.test("a real path with brackets is found by a glob", async () => {
  const files = { "app/[id]/page.tsx": "hit", "app/x/page.tsx": "hit" };
  const text = await grepIn(files, { pattern: "hit", glob: "app/[id]/*.tsx" });
  assert.equal(text, "app/[id]/page.tsx:1:hit");
});

Deno.test("paths outside the workspace are refused, also through links", async () => {
  await withWorkspace(async (workspace) => {
    await Deno.symlink("/etc", `${workspace}/etc`);
    for (const path of ["/etc", "../x", "a/../../x", "etc", "etc/hostname"]) {
      const { text, isError } = await grep(workspace, { pattern: "x", path });
      assert.equal(isError, true);
      assert.equal(text, `path is outside the workspace: ${path}`);
    }
    const missing = await grep(workspace, { pattern: "x", path: "nowhere" });
    assert.equal(missing.code, "not_found");
  });
});

Deno.test("odd names give lines that can be told apart", async () => {
  const text = await grepIn(
    {
      "a\nb.txt": "hit\n",
      '"q".txt': "hit\n",
      "a:1:b": "hit\n",
      "e\u0301.txt": "hit\n",
      "\u00e9.txt": "hit\n",
    },
    { pattern: "hit" },
  );
  assert.deepEqual(text.split("\n"), [
    '"\\"q\\".txt":1:hit',
    '"a\\nb.txt":1:hit',
    '"a:1:b":1:hit',
    "e\u0301.txt:1:hit",
    "\u00e9.txt:1:hit",
  ]);
});

Deno.test("case is folded beyond ASCII", async () => {
  assert.equal(
    await grepIn({ "a.txt": "\u0436\n" }, { pattern: "\u0416", case_insensitive: true }),
    "a.txt:1:\u0436",
  );
});

Deno.test("a link inside a walk is not followed, a named one is", async () => {
  await withWorkspace(async (workspace) => {
    await writeTree(workspace, { "real/a.txt": "hit\n" });
    await Deno.symlink("real", `${workspace}/folder`);
    await Deno.symlink("real/a.txt", `${workspace}/file`);
    assert.equal((await grep(workspace, { pattern: "hit" })).text, "real/a.txt:1:hit");
    assert.equal((await grep(workspace, { pattern: "hit", path: "file" })).text, "file:1:hit");
    assert.equal(
      (await grep(workspace, { pattern: "hit", path: "folder" })).text,
      "folder/a.txt:1:hit",
    );
  });
});

Deno.test("temporary files of writes are not seen", async () => {
  assert.equal(
    await grepIn({ "a/.nimlet-tmp-0123456789ab": "hit\n" }, { pattern: "hit" }),
    "No matches",
  );
});

Deno.test("paths in failures are shown with their control characters escaped", async () => {
  await withWorkspace(async (workspace) => {
    const path = "a\n/x\x1b[2Jy\x9b";
    const shown = '"a\\n/x\\u001b[2Jy\\u009b"';
    const texts = [
      [{ pattern: "x", path }, `no such file or folder: ${shown}`],
      [
        { pattern: "x", path: `../${path}` },
        `path is outside the workspace: "../${shown.slice(1)}`,
      ],
      [
        { pattern: "x", glob: `../${path}` },
        `path is outside the workspace: "../${shown.slice(1)}`,
      ],
    ] as const;
    for (const [input, text] of texts) assert.equal((await grep(workspace, input)).text, text);
    const { text } = await grep(workspace, { pattern: "x", path: "long/".repeat(2000) });
    assert.ok(text.length < 600, text);
  });
});

testWhere(ordinaryUser, "files that cannot be read are named, also beside matches", async () => {
  await withWorkspace(async (workspace) => {
    await writeTree(workspace, { "a.txt": "hit\n", "shut\x9b\n.txt": "hit\n" });
    await Deno.chmod(`${workspace}/shut\x9b\n.txt`, 0);
    const { text } = await grep(workspace, { pattern: "hit" });
    const none = await grep(workspace, { pattern: "nothing" });
    const note = '[skipped as unreadable: "shut\\u009b\\n.txt"]';
    assert.equal(text, `a.txt:1:hit\n${note}`);
    assert.equal(none.text, `No matches\n${note}`);
  });
});
