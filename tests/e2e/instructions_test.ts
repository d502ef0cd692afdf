/** The check that instruction files and system prompt files reach the model, and which. */
import assert from "node:assert/strict";
import { delay } from "../../src/lib/delay.ts";
import { callAnswer, startFakeProvider, textAnswer } from "../support/fake_provider.ts";
import { withScratch } from "../support/program.ts";
import { startRpc } from "../support/rpc.ts";
import { assertInOrder, flags, furnish, pointConfig, tell, textOf, view } from "./told.ts";

const read = (path: string) => callAnswer("chat", [{ name: "read", input: { path } }]);

Deno.test("instructions: global first, then the repository's root down to the workspace", () =>
  withScratch(async (places) => {
    await furnish(places.root, {
      "AGENTS.md": "above the repository",
      "home/.nimlet/AGENTS.md": "for every project",
      "W/.git/HEAD": "ref: refs/heads/main\n",
      "W/AGENTS.md": "of the repository",
      "W/CLAUDE.md": "not beside AGENTS.md",
      "W/a/CLAUDE.md": "of the middle",
      "W/a/b/AGENTS.override.md": "of the workspace",
      "W/a/b/AGENTS.md": "overridden",
      "W/a/b/c/AGENTS.md": "below",
    });
    const cwd = `${places.workspace}/a/b`;
    const told = await tell(places, { args: ["-p", "go"], cwd });
    assert.deepEqual([told.code, told.stderr], [0, ""]);
    assertInOrder(told.systems[0]!, [
      'from="~/.nimlet/AGENTS.md">\nfor every project\n',
      'from="../../AGENTS.md">\nof the repository\n',
      'from="../CLAUDE.md">\nof the middle\n',
      'from="AGENTS.override.md">\nof the workspace\n',
    ]);
    for (const absent of ["above the repository", "not beside", "overridden", "below"]) {
      assert.ok(!told.systems[0]!.includes(absent), absent);
    }
  }));

Deno.test("instructions: files below come with the first read under them, once", () =>
  withScratch(async (places) => {
    await furnish(places.workspace, {
      "sub/AGENTS.md": "of sub",
      "sub/deep/AGENTS.md": "of deep",
      "sub/deep/one.txt": "1\n",
      "sub/two.txt": "2\n",
    });
    const told = await tell(places, {
      args: ["-p", "go"],
      answers: [read("sub/deep/one.txt"), read("sub/two.txt"), textAnswer("chat", "fine")],
    });
    const [first, second] = told.messages[2]!.filter(({ role }) => role === "tool").map(textOf);
    assertInOrder(first!, ["1\t1", 'from="sub/AGENTS.md">\nof sub\n', "of deep"]);
    assert.match(second!, /1\t2/);
    assert.ok(!second!.includes("of sub"));
    assert.ok(!told.systems.some((system) => system.includes("of sub")));
  }));

Deno.test("instructions: an edit counts from the next turn on", () =>
  withScratch(async (places) => {
    const edited = Promise.withResolvers<void>();
    const provider = startFakeProvider([
      { ...read("AGENTS.md"), before: edited.promise },
      textAnswer("chat", "a"),
      textAnswer("chat", "b"),
    ]);
    try {
      await pointConfig(places, provider.url);
      await furnish(places.workspace, { "AGENTS.md": "use tabs" });
      const rpc = startRpc(flags, places.workspace);
      await rpc.ask("prompt", { message: "one" });
      while (provider.requests.length === 0) await delay(10);
      await furnish(places.workspace, { "AGENTS.md": "use blanks" });
      edited.resolve();
      await rpc.next("run_end");
      await rpc.ask("prompt", { message: "two" });
      await rpc.next("run_end");
      await rpc.ask("shutdown");
      assert.equal((await rpc.program.ended).code, 0);
      const { systems } = view(provider.requests);
      assert.deepEqual(systems.map((text) => /use \w+/.exec(text)?.[0]), [
        "use tabs",
        "use tabs",
        "use blanks",
      ]);
    } finally {
      await provider.close();
    }
  }));

Deno.test("instructions: a huge file far away is cut visibly, the near one is whole", () =>
  withScratch(async (places) => {
    const near = `near ${"n".repeat(1000)} end`;
    await furnish(places.workspace, {
      ".git/HEAD": "",
      "AGENTS.md": `start ${"x".repeat(2 * 1024 * 1024)}`,
      "nested/AGENTS.md": near,
    });
    const told = await tell(places, { args: ["-p", "go"], cwd: `${places.workspace}/nested` });
    assert.equal(told.code, 0);
    const [system] = told.systems;
    assert.ok(system!.includes(near));
    assertInOrder(system!, ["start xxx", "[... cut: ../AGENTS.md has 2097158 bytes", near]);
    assert.ok(system!.length < 80_000, `${system!.length} characters`);
    assert.match(
      told.stderr,
      /\.\.\/AGENTS\.md has 2097158 bytes; the model is given the first 65536/,
    );
  }));

const odd: Record<string, {
  make(workspace: string, outside: string): Promise<void>;
  read: boolean;
  notice: RegExp | undefined;
}> = {
  "a link inside": {
    async make(workspace) {
      await furnish(workspace, { "doc/rules.md": "THE RULES" });
      await Deno.symlink("doc/rules.md", `${workspace}/AGENTS.md`);
    },
    read: true,
    notice: undefined,
  },
  "a link outside": {
    async make(workspace, outside) {
      await furnish(outside, { "rules.md": "THE RULES" });
      await Deno.symlink(`${outside}/rules.md`, `${workspace}/AGENTS.md`);
    },
    read: false,
    notice: /AGENTS\.md is a link that leads outside the project; it was skipped/,
  },
  "a named pipe": {
    async make(workspace) {
      await new Deno.Command("mkfifo", { args: [`${workspace}/AGENTS.md`] }).output();
    },
    read: false,
    notice: /AGENTS\.md is a (named )?pipe.*skipped/,
  },
  "a link to a pipe": {
    async make(workspace) {
      await new Deno.Command("mkfifo", { args: [`${workspace}/p`] }).output();
      await Deno.symlink("p", `${workspace}/AGENTS.md`);
    },
    read: false,
    notice: /AGENTS\.md is a (named )?pipe.*skipped/,
  },
  "CRLF with a byte order mark": {
    make: (workspace) => furnish(workspace, { "AGENTS.md": "\ufeffTHE RULES\r\nmore\r\n" }),
    read: true,
    notice: undefined,
  },
  "bytes that are not UTF-8": {
    make: (workspace) =>
      furnish(workspace, {
        "AGENTS.md": new Uint8Array([...new TextEncoder().encode("THE RULES "), 0xff, 0xfe, 10]),
      }),
    read: true,
    notice: /AGENTS\.md is not valid UTF-8/,
  },
};

for (const [name, { make, read, notice }] of Object.entries(odd)) {
  Deno.test(`instructions: ${name} is ${read ? "read" : "skipped with a notice"}`, () =>
    withScratch(async (places) => {
      await make(places.workspace, places.outside);
      const told = await tell(places, { args: ["-p", "--no-approve", "go"] });
      assert.equal(told.code, 0, told.stderr);
      assert.equal(told.systems[0]!.includes("THE RULES"), read);
      assert.ok(!/[\r\ufeff]/.test(told.systems[0]!));
      if (notice === undefined) assert.equal(told.stderr, "");
      else assert.match(told.stderr, notice);
    }));
}

Deno.test("instructions: system prompt files replace and extend; the project's need trust", () =>
  withScratch(async (places) => {
    await furnish(places.root, {
      "home/.nimlet/SYSTEM.md": "Global rules.",
      "home/.nimlet/APPEND_SYSTEM.md": "Global addition.",
      "W/.nimlet/SYSTEM.md": "Project rules.",
      "W/.nimlet/APPEND_SYSTEM.md": "Project addition.",
      "W/AGENTS.md": "Of the folder.",
    });
    const untrusted = await tell(places, { args: ["-p", "go"] });
    assertInOrder(untrusted.systems[0]!, [
      "Global rules.",
      "Global addition.",
      "Of the folder.",
      "Workspace: ",
    ]);
    assert.ok(!untrusted.systems[0]!.includes("Project"));
    assert.ok(!untrusted.systems[0]!.includes("You are nimlet"));
    assert.match(untrusted.stderr, /SYSTEM\.md.*--approve/);
    const trusted = await tell(places, { args: ["-p", "--approve", "go"] });
    assertInOrder(trusted.systems[0]!, [
      "Project rules.",
      "Global addition.",
      "Project addition.",
      "Of the folder.",
    ]);
    assert.ok(!trusted.systems[0]!.includes("Global rules"));
    assert.equal(trusted.stderr, "");
  }));
