/** The tests of what starts the program where npm's packages may run nothing when they are installed. */
import assert from "node:assert/strict";
import { installed, type Need, posix, testWhere } from "../support/test_where.ts";
import { ownPlatform, withPackages } from "./npm_packages.ts";

const platform: Need = { met: ownPlatform !== undefined, reason: "needs a system of a release" };
const needs = [posix, platform, installed("node")];

testWhere(
  needs,
  "npm launcher: arguments, stdin, stdout, stderr and the status pass through",
  () =>
    withPackages(
      '#!/bin/sh\nprintf "<%s>" "$@"; printf "|"; cat; echo said >&2; exit 7\n',
      async ({ command }) => {
        const child = new Deno.Command("node", {
          args: [command, "-p", "two words", "", "ü", "--", "-x"],
          stdin: "piped",
          stdout: "piped",
          stderr: "piped",
        }).spawn();
        const writer = child.stdin.getWriter();
        await writer.write(new Uint8Array([0, 255, 10]));
        await writer.close();
        const { code, stdout, stderr } = await child.output();
        const head = new TextEncoder().encode("<-p><two words><><ü><--><-x>|");
        assert.deepEqual([code, new TextDecoder().decode(stderr)], [7, "said\n"]);
        assert.deepEqual(stdout, new Uint8Array([...head, 0, 255, 10]));
      },
    ),
);

testWhere(
  [...needs, installed("bash")],
  "npm launcher: files that a shell opens for arguments reach the program",
  () =>
    withPackages('#!/bin/sh\ncat "$2"; echo written >"$1"\n', async ({ command }) => {
      const { code, stdout } = await new Deno.Command("bash", {
        args: ["-c", 'node "$0" >(sed "s/^/it was /") <(echo read) | cat', command],
      }).output();
      const lines = new TextDecoder().decode(stdout).split("\n").sort();
      assert.deepEqual([code, lines], [0, ["", "it was written", "read"]]);
    }),
);

for (const signal of ["SIGTERM", "SIGINT", "SIGHUP"] as const) {
  testWhere(needs, `npm launcher: ${signal} reaches the program, which decides`, () =>
    withPackages(
      `#!/bin/sh\ntrap 'echo got; exit 9' ${
        signal.slice(3)
      }\necho ready\nwhile :; do sleep 0.05; done\n`,
      async ({ command }) => {
        const { code, output } = await signalled(command, signal);
        assert.deepEqual([code, output], [9, "ready\ngot\n"]);
      },
    ));
}

testWhere(
  needs,
  "npm launcher: a program that a signal ends is seen as ended by it",
  () =>
    withPackages("#!/bin/sh\necho ready\nwhile :; do sleep 0.05; done\n", async ({ command }) => {
      const { signal } = await signalled(command, "SIGTERM");
      assert.equal(signal, "SIGTERM");
    }),
);

testWhere(
  needs,
  "npm launcher: without the package of the system it says what to do",
  () =>
    withPackages("#!/bin/sh\n", async ({ platform, node }) => {
      await Deno.remove(platform, { recursive: true });
      const { code, stdout, stderr } = await node("bin/nimlet");
      assert.deepEqual([code, stdout], [1, ""]);
      assert.match(stderr, /^nimlet: the package nimlet-\S+, which holds the program, is not/);
      assert.match(stderr, /--omit=optional, or give both packages to npm\n$/);
      assert.equal(stderr.split("\n").length, 2);
    }),
);

testWhere(
  needs,
  "npm launcher: a program that cannot be started is one sentence",
  () =>
    withPackages("#!/bin/sh\n", async ({ platform, node }) => {
      await Deno.chmod(`${platform}/bin/nimlet`, 0o644);
      const { code, stderr } = await node("bin/nimlet", "--version");
      assert.equal(code, 1);
      assert.match(stderr, /^nimlet: the program does not start on this system[^\n]*\n$/);
    }),
);

testWhere(
  needs,
  "npm installation: the command becomes the program",
  () =>
    withPackages("#!/bin/sh\necho nimlet 9.9.9 $#\n", async ({ command, platform, main, node }) => {
      assert.deepEqual(await node("postinstall.cjs"), { code: 0, stdout: "", stderr: "" });
      const [here, there] = [command, `${platform}/bin/nimlet`].map((path) => Deno.statSync(path));
      assert.equal(here!.ino, there!.ino, "one file on the disk");
      const { stdout } = await new Deno.Command(command, { args: ["a", "b"] }).output();
      assert.equal(new TextDecoder().decode(stdout), "nimlet 9.9.9 2\n");
      // once more, as a rebuild does
      assert.equal((await node("postinstall.cjs")).code, 0);
      assert.deepEqual([...Deno.readDirSync(`${main}/bin`)].map(({ name }) => name), ["nimlet"]);
    }),
);

testWhere(
  needs,
  "npm installation: with Yarn, which starts commands with Node, the launcher stays",
  () =>
    withPackages("#!/bin/sh\necho nimlet 9.9.9\n", async ({ command, main }) => {
      const { code } = await new Deno.Command("node", {
        args: [`${main}/postinstall.cjs`],
        env: { npm_config_user_agent: "yarn/1.22.22 npm/? node/v20.0.0 linux x64" },
      }).output();
      assert.equal(code, 0);
      assert.match(await Deno.readTextFile(command), /^#!\/usr\/bin\/env node/);
    }),
);

testWhere(
  needs,
  "npm installation: a program that does not start fails it, with what is needed",
  () =>
    withPackages("#!/bin/sh\nexit 127\n", async ({ command, node }) => {
      const { code, stderr } = await node("postinstall.cjs");
      assert.equal(code, 1);
      assert.match(stderr, /^nimlet: the program does not start on this system/);
      if (Deno.build.os === "linux") {
        assert.match(stderr, /needs glibc 2\.\d+ or later, found glibc 2/);
      }
      assert.match(await Deno.readTextFile(command), /^#!\/usr\/bin\/env node/);
    }),
);

Deno.test("npm packages: versions are equal, and each says for which system it is", async () => {
  if (ownPlatform === undefined) throw new Error("the tests run on a system of a release");
  await withPackages("", async ({ main, platform }) => {
    const [own, other] = await Promise.all(
      [main, platform].map(async (folder) =>
        JSON.parse(await Deno.readTextFile(`${folder}/package.json`))
      ),
    );
    assert.equal(own.version, "9.9.9");
    assert.deepEqual(own.man, ["share/man/man1/nimlet.1"]);
    assert.deepEqual(Object.keys(own.optionalDependencies), [
      "nimlet-linux-x64",
      "nimlet-linux-arm64",
      "nimlet-darwin-x64",
      "nimlet-darwin-arm64",
      "nimlet-win32-x64",
    ]);
    assert.deepEqual(new Set(Object.values(own.optionalDependencies)), new Set(["9.9.9"]));
    assert.equal(other.version, "9.9.9");
    assert.deepEqual([other.os, other.cpu], [[ownPlatform!.os], [ownPlatform!.cpu]]);
    for (const folder of [main, platform]) await Deno.stat(`${folder}/LICENSE`);
  });
});

/** Starts the command, sends `signal` to the launcher alone once it is ready, and gives how it ended. */
async function signalled(command: string, signal: Deno.Signal) {
  const child = new Deno.Command("node", {
    args: [command],
    stdin: "null",
    stdout: "piped",
    stderr: "inherit",
  }).spawn();
  const reader = child.stdout.pipeThrough(new TextDecoderStream()).getReader();
  let output = "";
  for (let next = await reader.read(); !next.done; next = await reader.read()) {
    if (output === "" && next.value.startsWith("ready")) child.kill(signal);
    output += next.value;
  }
  const status = await child.status;
  return { code: status.code, signal: status.signal, output };
}
