import assert from "node:assert/strict";
import { RunFailure } from "../../src/core/failure.ts";
import { runEndTasks } from "../../src/host/at_end.ts";
import { assertFree, policyOf } from "../../src/host/sandbox/policy.ts";
import { findBackend, ignoresCase } from "../../src/host/sandbox/probe.ts";
import { exists, hostWith, sandboxNeed, withSandbox } from "../support/sandbox.ts";
import { runProgram, withScratch } from "../support/program.ts";
import { installed, testWhere } from "../support/test_where.ts";

/** nimlet's folder for the one workspace of a test. */
function baseIn(home: string): string {
  const [only] = Deno.readDirSync(`${home}/.nimlet/sandbox`);
  return `${home}/.nimlet/sandbox/${only!.name}`;
}

const wish = {
  mode: "workspace",
  net: "off",
  read: [],
  write: [],
  hide: [],
  env: [],
} as const;

testWhere(
  sandboxNeed,
  "only the workspace, the private home and /tmp can be written",
  () =>
    withSandbox({}, async ({ run, workspace, home }) => {
      const { text } = await run("touch /etc/x /usr/x /x; touch ~/x2 /tmp/x3 here");
      assert.equal(text.match(/Read-only file system/g)?.length, 3, text);
      assert.ok(exists(`${workspace}/here`));
      assert.ok(!exists(`${home}/x2`) && !exists("/tmp/x3"));
      const again = await run("ls ~/x2 /tmp/x3");
      assert.equal(again.exitCode, 0, "they are kept between calls");
    }),
);

testWhere(sandboxNeed, "secrets of the home folder are absent, and named", () =>
  withSandbox({
    before({ home }) {
      for (const name of [".ssh/id_rsa", ".aws/credentials", ".nimlet/auth.json"]) {
        Deno.mkdirSync(`${home}/${name.split("/")[0]}`, { recursive: true });
        Deno.writeTextFileSync(`${home}/${name}`, "KEY-OUTSIDE");
      }
    },
  }, async ({ run }) => {
    const { text, lines, exitCode } = await run(
      "cat ~/.ssh/id_rsa ~/.aws/credentials ~/.nimlet/auth.json",
    );
    assert.equal(exitCode, 1);
    assert.doesNotMatch(text, /KEY-OUTSIDE/);
    assert.deepEqual(lines, [
      "~/.ssh/id_rsa is hidden",
      "~/.aws/credentials is hidden",
      "~/.nimlet/auth.json is hidden",
    ]);
  }));

testWhere(
  sandboxNeed,
  "nimlet's own folder is absent where it lies outside the home folder, too",
  () =>
    withSandbox({
      before({ root, home }) {
        // below a folder that the sandbox would show
        Deno.removeSync(`${home}/.nimlet`);
        Deno.mkdirSync(`${root}/elsewhere`);
        Deno.writeTextFileSync(`${root}/elsewhere/auth.json`, "KEY-OUTSIDE");
        Deno.symlinkSync(`${root}/elsewhere`, `${home}/.nimlet`);
      },
    }, async ({ run, root, sandbox, workspace }) => {
      const { text } = await run(`cat ${root}/elsewhere/auth.json; ls ${root}/elsewhere`);
      assert.doesNotMatch(text, /KEY-OUTSIDE|auth\.json$/m);
      const line = { file: "/bin/true", args: [], cwd: workspace, env: {} };
      const { args, finish } = sandbox.wrap(line);
      finish();
      assert.equal(args[args.indexOf(`${root}/elsewhere`) - 1], "--tmpfs");
    }),
);

testWhere(
  sandboxNeed,
  "sockets of the system and of the person are absent",
  () =>
    withSandbox(
      { set: { SSH_AUTH_SOCK: "/tmp/agent.sock", DOCKER_HOST: "unix:///run/d.sock" } },
      async ({ run }) => {
        const real = await Deno.makeTempDir({ dir: "/tmp", prefix: "nimlet-real-" });
        try {
          const { text, exitCode } = await run(
            `ls ${real} /var/run/docker.sock /run/dbus /run/user; echo "[$SSH_AUTH_SOCK$DOCKER_HOST]"; ls /run | wc -l`,
          );
          assert.equal(exitCode, 0);
          assert.equal(text.match(/No such file/g)?.length, 4, text);
          assert.match(text, /^\[\]$/m);
          assert.match(text, /^0$/m);
        } finally {
          await Deno.remove(real);
        }
      },
    ),
);

testWhere(
  [sandboxNeed, installed("socat", ["-V"])],
  "what listens outside is not reached: not in /tmp, in /run, by an abstract name or by a port",
  () =>
    withSandbox({}, async ({ run }) => {
      const folder = await Deno.makeTempDir({ dir: "/tmp", prefix: "nimlet-socket-" });
      const name = `nimlet-${crypto.randomUUID()}`;
      const run_ = Deno.uid() === 0 ? [`UNIX-LISTEN:/run/${name}`] : [];
      const kinds = [`UNIX-LISTEN:${folder}/s`, `ABSTRACT-LISTEN:${name}`, ...run_];
      const listeners = kinds.map((kind) =>
        new Deno.Command("socat", { args: [`${kind},fork`, "SYSTEM:echo REACHED"] }).spawn()
      );
      await using server = Deno.serve(
        { hostname: "127.0.0.1", port: 0, onListen() {} },
        () => new Response("REACHED"),
      );
      const reach = [
        ...kinds.map((kind) => `socat -u ${kind.replace("LISTEN", "CONNECT")} -`),
        `socat -u TCP:127.0.0.1:${server.addr.port} -`,
      ];
      try {
        const outside = `for i in $(seq 100); do ${reach[1]} && break; sleep 0.05; done`;
        const { stdout } = await new Deno.Command("bash", { args: ["-c", outside], stderr: "null" })
          .output();
        assert.equal(new TextDecoder().decode(stdout), "REACHED\n", "outside it is there");
        for (const command of reach) {
          const { text, exitCode } = await run(command);
          assert.notEqual(exitCode, 0, command);
          assert.doesNotMatch(text, /REACHED$/m, command);
        }
      } finally {
        for (const listener of listeners) listener.kill("SIGTERM");
        await Promise.all(listeners.map(({ status }) => status));
        await Deno.remove(folder, { recursive: true });
        if (exists(`/run/${name}`)) await Deno.remove(`/run/${name}`);
      }
    }),
);

testWhere(
  sandboxNeed,
  "the kernel's view is the command's own",
  () =>
    withSandbox({ set: { NIMLET_TEST_SECRET: "x" } }, async ({ run }) => {
      const { text } = await run(
        'cat /proc/*/environ | tr "\\0" "\\n" | grep -c NIMLET_TEST_SECRET; ls -d /proc/[0-9]* | wc -l',
      );
      const [secrets, processes] = text.trim().split("\n").map(Number);
      assert.equal(secrets, 0);
      assert.ok(processes! < 12, `${processes} processes`);
    }),
);

testWhere(
  sandboxNeed,
  "killing everything ends the command's own processes alone",
  () =>
    withSandbox({}, async ({ run }) => {
      const other = new Deno.Command("sleep", { args: ["100"] }).spawn();
      try {
        const { text } = await run("sleep 50 & kill -9 -1; echo still here");
        assert.match(text, /still here/);
        other.kill("SIGCONT");
      } finally {
        other.kill("SIGKILL");
        await other.status;
      }
    }),
);

testWhere(
  sandboxNeed,
  "variables that look secret stay outside unless they are named",
  () =>
    withSandbox({
      env: ["GITHUB_TOKEN", "LD_LIBRARY_PATH"],
      set: {
        GITHUB_TOKEN: "one",
        MY_API_KEY: "two",
        db_password: "three",
        PLAIN: "four",
        LD_LIBRARY_PATH: "/five",
        LD_PRELOAD: "/six.so",
      },
    }, async ({ run }) => {
      const { text } = await run("env; echo; cat /proc/1/environ | tr '\\0' '\\n'");
      assert.match(text, /^GITHUB_TOKEN=one$/m);
      assert.match(text, /^PLAIN=four$/m);
      assert.match(text, /^LD_LIBRARY_PATH=\/five$/m);
      assert.doesNotMatch(text, /two|three|six/);
      assert.match(text, /^NIMLET_SANDBOX=workspace$/m);
    }),
);

testWhere(
  sandboxNeed,
  "in read nothing of the workspace can be written",
  () =>
    withSandbox({ mode: "read" }, async ({ run, workspace, sandbox }) => {
      const { lines } = await run("echo x > f || exit 1");
      assert.deepEqual(lines, ["only /tmp and the private home can be written"]);
      assert.ok(!exists(`${workspace}/f`) && !exists(`${workspace}/.git`));
      assert.ok(sandbox.protects(`${workspace}/f`));
      assert.equal((await run("echo x > /tmp/f && cat /tmp/f")).exitCode, 0);
    }),
);

for (
  const name of ["with space", `quote"'s`, "$(id)", "line\nfeed", "home/under", "-dash", "*", "ünï"]
) {
  testWhere(
    sandboxNeed,
    `a workspace named ${JSON.stringify(name)} works`,
    () =>
      withSandbox({ name }, async ({ run, workspace }) => {
        const { text, exitCode } = await run("pwd; touch made; mkdir .vscode/x || true");
        assert.equal(exitCode, 0, text);
        assert.ok(text.startsWith(`${workspace}\n`), text);
        assert.ok(exists(`${workspace}/made`) && !exists(`${workspace}/.vscode/x`));
      }),
  );
}

testWhere(
  sandboxNeed,
  "a workspace behind a link is the folder that it leads to",
  () =>
    withScratch(async ({ workspace, root }) => {
      await Deno.symlink(workspace, `${root}/link`);
      const call = ["--call-tool", "bash", JSON.stringify({ command: "pwd; touch made" })];
      const { stdout, stderr } = await runProgram(["--sandbox", "workspace", ...call], {
        cwd: `${root}/link`,
      });
      assert.match(stdout, new RegExp(`^${await Deno.realPath(workspace)}$`, "m"), stderr);
      assert.ok(exists(`${workspace}/made`));
    }),
);

testWhere(
  sandboxNeed,
  "what is absent stays absent: placeholders go with the last run",
  () =>
    withSandbox({
      before({ workspace }) {
        Deno.mkdirSync(`${workspace}/.idea`);
        Deno.mkdirSync(`${workspace}/kept`);
      },
      after({ workspace, home }) {
        const names = [...Deno.readDirSync(workspace)].map(({ name }) => name).sort();
        assert.deepEqual(names, [".idea", "kept"]);
        const left = [...Deno.readDirSync(`${home}/.nimlet/sandbox`)]
          .flatMap(({ name }) => [...Deno.readDirSync(`${home}/.nimlet/sandbox/${name}`)])
          .map(({ name }) => name).sort();
        assert.deepEqual(left, ["home", "lock"]);
      },
    }, async ({ run, workspace }) => {
      const { text } = await run("mkdir .vscode; echo {} > .vscode/tasks.json; rmdir .vscode .git");
      assert.match(text, /File exists/);
      assert.match(text, /Read-only file system/);
      assert.ok(!exists(`${workspace}/.vscode/tasks.json`));
    }),
);

testWhere(
  sandboxNeed,
  "placeholders are kept while another run works in the workspace",
  () =>
    withSandbox({}, async ({ run, workspace, home }) => {
      await run("true");
      using other = Deno.openSync(`${baseIn(home)}/lock`, { read: true, write: true });
      other.lockSync(false);
      await runEndTasks();
      assert.ok(exists(`${workspace}/.vscode`));
    }),
  { sanitizeResources: false }, // older runtimes hold a lock open that they still wait for
);

testWhere(sandboxNeed, "what a killed run left behind goes with the next one", () =>
  withSandbox({
    before({ workspace, home }) {
      Deno.mkdirSync(`${workspace}/.vscode`);
      Deno.mkdirSync(`${workspace}/.idea`);
      Deno.writeTextFileSync(`${workspace}/.idea/own`, "");
      void home;
    },
    after: ({ workspace }) => {
      assert.ok(!exists(`${workspace}/.vscode`));
      assert.ok(exists(`${workspace}/.idea/own`));
    },
  }, async ({ run, home, workspace }) => {
    const base = baseIn(home);
    Deno.writeTextFileSync(
      `${base}/placeholders`,
      [".vscode", ".idea"].map((name) => `${JSON.stringify(`${workspace}/${name}`)}\n`).join(""),
    );
    Deno.mkdirSync(`${base}/run-left`);
    assert.equal((await run("true")).exitCode, 0);
  }));

testWhere(
  sandboxNeed,
  "links that a command leaves in its home lead no mount astray",
  () =>
    withSandbox({
      before({ home }) {
        Deno.mkdirSync(`${home}/.cargo/bin`, { recursive: true });
        Deno.writeTextFileSync(`${home}/.cargo/bin/tool`, "tool");
      },
    }, async ({ run, home }) => {
      const base = `${baseIn(home)}/home`;
      const moved = await run("mv ~/.cargo ~/moved; rm -rf ~/.cargo");
      assert.match(moved.text, /busy/i);
      // as a command of a run that showed nothing there could have left it
      Deno.removeSync(`${base}/.cargo`, { recursive: true });
      Deno.symlinkSync("/etc", `${base}/.cargo`);
      const { text, exitCode } = await run("cat ~/.cargo/bin/tool");
      assert.equal(exitCode, 0, text);
    }),
);

testWhere(
  sandboxNeed,
  "a command that closes its private folders does not close them to the next one",
  () =>
    withSandbox({ name: "home/deep/under" }, async ({ run, workspace }) => {
      await run("chmod 000 ~/deep ~ /tmp");
      const { text, exitCode } = await run("touch ~/x /tmp/x made");
      assert.equal(exitCode, 0, text);
      assert.ok(exists(`${workspace}/made`));
    }),
);

testWhere(
  sandboxNeed,
  "paths of the settings are added, and hidden ones are empty",
  () =>
    withSandbox({
      read: ["~/notes"],
      write: ["~/out"],
      hide: [".env", "secret"],
      before({ home, workspace }) {
        for (const folder of [`${home}/notes`, `${home}/out`, `${workspace}/secret`]) {
          Deno.mkdirSync(folder);
        }
        for (const path of [`${home}/notes/n`, `${workspace}/.env`, `${workspace}/secret/s`]) {
          Deno.writeTextFileSync(path, "CONTENT\n");
        }
      },
    }, async ({ run, home, workspace, sandbox }) => {
      const { text } = await run(
        "cat ~/notes/n; echo x >> ~/notes/n; echo y > ~/out/o; cat .env secret/s",
      );
      assert.equal(text.match(/CONTENT/g)?.length, 1, text);
      assert.match(text, /notes\/n: Read-only/);
      assert.ok(exists(`${home}/out/o`));
      assert.ok(sandbox.hides(`${workspace}/.env`) && sandbox.hides(`${workspace}/secret/s`));
      assert.ok(!sandbox.hides(`${workspace}/a`));
    }),
);

Deno.test("a folder that ignores the case of names is told", async () => {
  const folder = await Deno.makeTempDir();
  Deno.writeTextFileSync(`${folder}/.one`, "");
  Deno.writeTextFileSync(`${folder}/.two`, "");
  Deno.writeTextFileSync(`${folder}/.TWO`, "");
  Deno.writeTextFileSync(`${folder}/.three`, "");
  // one file by both names, as where case does not count
  Deno.linkSync(`${folder}/.three`, `${folder}/.THREE`);
  const found = [".one", ".two", ".three", ".none"].map((name) => ignoresCase(folder, name));
  assert.deepEqual(found, [false, false, true, false]);
  await Deno.remove(folder, { recursive: true });
});

Deno.test("systems without a sandbox have their sentence", () => {
  const reason = (platform: "darwin" | "linux" | "windows", version = "Linux version 6.1") => {
    try {
      findBackend(
        { env: hostWith({}, { home: "/", root: "/" }).env, platform },
        "/srv",
        true,
        version,
      );
      return "none";
    } catch (error) {
      if (!(error instanceof RunFailure)) throw error;
      assert.equal(error.code, "config");
      return error.message.replace("the sandbox was asked for and cannot be had: ", "");
    }
  };
  assert.equal(reason("darwin"), "it is not supported on macOS yet");
  assert.equal(reason("windows"), "Windows has no sandbox; use WSL2");
  const wsl1 = "Linux version 4.4.0-19041-Microsoft (Microsoft@Microsoft.com)";
  assert.equal(reason("linux", wsl1), "WSL1 has no sandbox; use WSL2");
  assert.doesNotMatch(reason("linux", "Linux version 5.15.90.1-microsoft-standard-WSL2"), /WSL/);
});

Deno.test("settings do not open what is protected", () => {
  const write = (path: string) => ({
    mode: "workspace" as const,
    write: [{ from: path, at: path }],
  });
  const closed = ["/srv/p/.git", "/srv/p/.vscode"];
  for (const path of ["/srv/p/.git", "/srv/p/.git/hooks"]) {
    assert.throws(() => assertFree(write(path), closed), /the sandbox protects \/srv\/p\/\.git/);
  }
  assertFree(write("/srv/other"), closed);
  assertFree({ ...write("/srv/p/.git"), mode: "read" }, closed);
});

Deno.test("workspaces and paths that no sandbox can be made for are refused", () => {
  const places = { workspace: "/srv/p", home: "/home/me", nimletHome: "/home/me/.nimlet" };
  const { env } = hostWith({}, { home: places.home, root: "/" });
  const refused = (more: Partial<typeof places>, wanted: object = {}) => {
    assert.throws(
      () => policyOf({ ...wish, ...wanted }, { ...places, ...more }, env),
      (error) => error instanceof RunFailure && error.code === "config",
      JSON.stringify([more, wanted]),
    );
  };
  for (
    const workspace of [
      "/",
      "/home/me",
      "/root",
      "/home",
      "/etc",
      "/tmp",
      "/proc/1",
      "/dev/shm",
      "/home/me/.nimlet/x",
    ]
  ) {
    refused({ workspace });
  }
  refused({ workspace: "/data", nimletHome: "/data/nimlet" });
  refused({}, { read: ["relative"] });
  refused({}, { write: ["/"] });
  refused({}, { read: ["/home"] });
  refused({}, { write: ["/usr"], hide: ["/usr"] });
  refused({}, { hide: ["."] });
  assert.ok(policyOf(wish, places, env));
});

testWhere(
  [sandboxNeed, installed("gcc")],
  "a compiler works, with a tool of the home folder, and the second run is warm",
  () =>
    withSandbox({
      before({ home }) {
        Deno.mkdirSync(`${home}/.local/bin`, { recursive: true });
        Deno.writeTextFileSync(
          `${home}/.local/bin/mycc`,
          '#!/bin/sh\nmkdir -p ~/.cache/mycc\nls ~/.cache/mycc\necho > ~/.cache/mycc/warm\nexec gcc "$@"\n',
          { mode: 0o755 },
        );
      },
    }, async ({ run, home }) => {
      const build = "echo 'int main(){return 0;}' > m.c && ~/.local/bin/mycc m.c -o m && ./m";
      const first = await run(build);
      assert.equal(first.exitCode, 0, first.text);
      assert.equal(first.text, "");
      assert.equal((await run(build)).text, "warm\n");
      assert.ok(!exists(`${home}/.cache`));
      assert.match((await run("echo x > ~/.local/bin/mycc")).text, /Read-only/);
    }),
);

testWhere(
  sandboxNeed,
  "a hidden file stays hidden, wherever its folder is moved",
  () =>
    withSandbox({
      hide: ["conf/deep/.env"],
      before({ workspace }) {
        Deno.mkdirSync(`${workspace}/conf/deep`, { recursive: true });
        Deno.writeTextFileSync(`${workspace}/conf/deep/.env`, "CONTENT");
      },
    }, async ({ run }) => {
      await run(
        "mv conf other; mv conf/deep conf/other; ln conf/deep/.env seen; cp conf/deep/.env seen",
      );
      const { text } = await run("cat conf/deep/.env other/deep/.env conf/other/.env seen");
      assert.doesNotMatch(text, /CONTENT/);
    }),
);

testWhere(
  sandboxNeed,
  "a sandbox within a sandbox is refused with its reason",
  () =>
    withSandbox({}, async ({ run }) => {
      const bwrap = "bwrap --unshare-user --unshare-pid --ro-bind / / true";
      const { text, exitCode } = await run(bwrap);
      assert.notEqual(exitCode, 0);
      const { reasonOf } = await import("../../src/host/sandbox/probe.ts");
      const stderr = { text, totalBytes: 0, omittedBytes: 0, replaced: false };
      assert.equal(reasonOf({ exitCode: 1, stderr }, true), "nimlet runs inside a sandbox already");
    }),
);
