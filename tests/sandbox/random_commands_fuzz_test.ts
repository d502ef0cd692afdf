/** Random commands inside leave the world outside as it was; `NIMLET_FUZZ` says how many. */
import assert from "node:assert/strict";
import { fuzzCases, fuzzSeed } from "../support/fuzz.ts";
import { type Random, seededRandom } from "../support/random.ts";
import { exists, makeRepository, sandboxNeed, withSandbox } from "../support/sandbox.ts";
import { installed, testWhere } from "../support/test_where.ts";

const wanted = fuzzCases(400);
const seed = fuzzSeed();
const perCall = 25;

/** In the names of whatever is made outside the scratch folder. */
const mark = `zqx${seed}`;

testWhere(
  [sandboxNeed, installed("git")],
  `${wanted} random commands change nothing outside (seed ${seed})`,
  () =>
    withSandbox({
      mode: seed % 3 === 0 ? "commit" : "workspace",
      net: seed % 2 === 0 ? "off" : "on",
      before({ workspace, home, root }) {
        makeRepository(workspace);
        for (const folder of [`${root}/canary/deep`, `${home}/.ssh`, `${home}/.cargo/bin`]) {
          Deno.mkdirSync(folder, { recursive: true });
          Deno.writeTextFileSync(`${folder}/file`, "as it was");
        }
      },
    }, async ({ run, workspace, home, root, told }) => {
      const commits = seed % 3 === 0;
      const kept = commits
        ? ["hooks", "config", "info"].map((name) => `${workspace}/.git/${name}`)
        : [`${workspace}/.git`];
      const outside = () => [
        digestOf(`${root}/canary`),
        digestOf(home, `${home}/.nimlet/sandbox`),
        ...kept.map((path) => digestOf(path)),
        ...["/dev/null", "/dev/zero", "/proc/version", "/proc/uptime"].map(modeOf),
      ];
      const random = seededRandom(seed);
      let whole = 0, isWhole = true;
      await run("true");
      const before = outside();
      for (let done = 0; done < wanted; done += perCall) {
        const commands = Array.from(
          { length: perCall },
          () => randomCommand(random, root, workspace),
        );
        const script = commands.map((command) => `( ${command} ) >/dev/null 2>&1 </dev/null`).join(
          "\n",
        );
        // what one round leaves is there for the next, but not what keeps commands from running at all
        if (!isWhole || done % (4 * perCall) === 0) clear(workspace, home, commits);
        furnish(workspace);
        const { text } = await run(
          `export MARK=${mark}; ulimit -f 2000; ${script}\necho all; kill -TERM 1; kill -9 -1`,
          { timeoutMs: 30_000 },
        );
        isWhole = text.startsWith("all\n");
        if (isWhole) whole++;
        assert.deepEqual(outside(), before, `one of:\n${commands.join("\n")}`);
        assert.ok(!exists(`${workspace}/.vscode/tasks.json`), commands.join("\n"));
      }
      for (
        const folder of [
          "/",
          "/etc",
          "/usr",
          "/usr/bin",
          "/opt",
          "/var",
          "/var/tmp",
          "/tmp",
          "/run",
          "/dev/shm",
        ]
      ) {
        const made = [...Deno.readDirSync(folder)].filter(({ name }) => name.includes(mark));
        assert.deepEqual(made, [], folder);
      }
      // a round begins with what the one before made of the workspace, and may not begin at all
      const rounds = Math.ceil(wanted / perCall);
      assert.ok(whole >= rounds * 0.7, `${whole} of ${rounds} rounds ran whole`);
      assert.equal(running(), 0);
      assert.ok(!Deno.readTextFileSync("/proc/net/unix").includes(mark));
      // a copy of what is in .git may have made a repository of the workspace
      const others = told.filter((each) => !each.includes("made a repository of the workspace"));
      if (!commits) assert.deepEqual(others, []);
    }),
);

/** Destructive ones name places of the test alone, should the sandbox not hold. */
function randomCommand(random: Random, root: string, workspace: string): string {
  const { pick } = random;
  const own = () =>
    pick([
      ".",
      "..",
      "*",
      ".[a-z]*",
      ".git",
      ".git/hooks",
      ".git/config",
      ".git/HEAD",
      ".git/commondir",
      ".git/objects",
      ".vscode",
      ".nimlet",
      ".agents",
      ".vscode/tasks.json",
      "a",
      "out",
      "out/deep",
      "new",
      "new/.git",
      "link",
      `${root}/canary`,
      `${root}/canary/deep/file`,
      workspace,
      root,
      "~/.ssh/file",
      "~/.ssh",
      "~/.cargo",
      "~/.cargo/bin",
      "~/.cargo/bin/file",
      "~/x",
      "~",
      "/proc/self/cwd/.git",
      "/proc/self/cwd/../canary",
      `/proc/1/root${root}/canary`,
      "$PWD/.git/info",
      "~/.nimlet/auth.json",
      "~/.nimlet",
    ]);
  const system = () =>
    pick([
      "/",
      "/etc/",
      "/usr/",
      "/usr/bin/",
      "/opt/",
      "/var/",
      "/var/tmp/",
      "/tmp/",
      "/run/",
      "/dev/shm/",
      "/dev/",
      "/proc/",
      "/sys/",
    ]) + mark;
  const any = () => random.oneIn(4) ? system() : own();
  return pick<() => string>([
    () => `rm -rf ${own()}`,
    () => `mv ${own()} ${any()}`,
    () => `mv ${own()} moved; ln -s ${any()} ${own()}`,
    () => `cp -r ${own()} ${any()}`,
    () => `ln -sfn ${any()} ${own()}`,
    () => `ln -f ${own()} ${own()}`,
    () => `mkdir -p ${any()}`,
    () => `touch ${any()}`,
    () => `echo ${mark} > ${any()}`,
    () => `echo ${mark} | tee -a ${any()}`,
    () => `dd if=/dev/zero of=${any()} bs=1k count=1`,
    () => `truncate -s 0 ${own()}`,
    () => `chmod -R ${pick(["000", "777", "4755", "a-w"])} ${own()}`,
    () => `chown -R 1:1 ${own()}`,
    () => `find ${own()} -maxdepth 3 -name '*' -delete`,
    () => `find ${own()} -maxdepth 3 -type f -exec sh -c 'echo ${mark} > "$1"' x {} \\;`,
    () => `tar cf t.tar ${own()}; tar xf t.tar -C ${any()}`,
    () => `install -m 755 /bin/true ${any()}`,
    () => `sed -i s/a/b/ ${own()}`,
    () => `cd ${own()} && rm -rf ./* && touch here`,
    () => `git config core.hooksPath ${own()}; git config core.fsmonitor ${own()}`,
    () =>
      `git ${
        pick([
          "init",
          "clean -fdx",
          "reset --hard",
          "checkout .",
          "gc",
          "stash",
          "worktree add w",
          "commit -qam x",
          "submodule add . s",
        ])
      }`,
    () => `git -C ${own()} init`,
    () => `GIT_DIR=${own()} git config user.name ${mark}`,
    () => `mount --bind ${own()} ${own()}; umount ${own()}`,
    () => `unshare -Urm sh -c 'umount ${own()}; rm -rf ${own()}'`,
    () => `setsid sh -c 'sleep 0.2; rm -rf ${own()}' &`,
    () => `(sleep 0.1; echo ${mark} > ${any()}) &`,
    () => `mkfifo pipe; mknod ${any()} b 8 0`,
    () => `exec 3<${own()}; rm -rf /proc/self/fd/3/*`,
    () => `mkdir -p new && cd new && rm -rf ../.git && mv ../.git .`,
    () => `python3 -c 'import os; os.rename("${own()}", "${own()}")'`,
    () => {
      const bound = `s = socket.socket(socket.AF_UNIX); s.bind("${
        pick(["", "\\0", "/tmp/"])
      }${mark}")`;
      return `python3 -c 'import socket, time; ${bound}; s.listen(); time.sleep(9)' &`;
    },
    () => `chmod 400 /proc/${pick(["version", "uptime", "sys", "self/maps"])}`,
    () => `cat ~/.ssh/file ${root}/canary/deep/file > stolen && touch /etc/${mark}`,
  ])();
}

/** Takes away what commands have left, whatever its modes. */
function clear(workspace: string, home: string, commits: boolean): void {
  const [base] = Deno.readDirSync(`${home}/.nimlet/sandbox`);
  for (const folder of [workspace, `${home}/.nimlet/sandbox/${base!.name}/home`]) {
    Deno.chmodSync(folder, 0o755);
    for (const { name, isDirectory } of Deno.readDirSync(folder)) {
      if (name === ".git" || placeholders.includes(name)) continue;
      // not for a link, which it would follow
      const args = ["-R", "u+rwX", `${folder}/${name}`];
      if (isDirectory) new Deno.Command("chmod", { args }).outputSync();
      Deno.removeSync(`${folder}/${name}`, { recursive: true });
    }
  }
  if (!commits) return;
  const git = `${workspace}/.git`;
  Deno.chmodSync(git, 0o755);
  for (const name of ["objects", "refs"]) {
    if (exists(`${git}/${name}`) && Deno.lstatSync(`${git}/${name}`).isDirectory) {
      Deno.chmodSync(`${git}/${name}`, 0o755);
      continue;
    }
    if (exists(`${git}/${name}`)) Deno.removeSync(`${git}/${name}`);
    Deno.mkdirSync(`${git}/${name}`);
  }
  if (!exists(`${git}/HEAD`)) Deno.writeTextFileSync(`${git}/HEAD`, "ref: refs/heads/main\n");
}

/** Empty folders that cover names which are not there. */
const placeholders = [".nimlet", ".agent", ".agents", ".vscode", ".idea", ".claude", ".codex"];

/** Puts there what others find; where the way is barred, the next clearing does. */
function furnish(workspace: string): void {
  try {
    for (const path of ["a", "new/file"]) {
      const first = `${workspace}/${path.split("/")[0]}`;
      // a link would lead what is written here elsewhere
      if (exists(first) && Deno.lstatSync(first).isSymlink) Deno.removeSync(first);
      if (exists(`${workspace}/${path}`)) continue;
      Deno.mkdirSync(`${workspace}/new`, { recursive: true });
      Deno.writeTextFileSync(`${workspace}/${path}`, "a\n");
    }
    if (!exists(`${workspace}/out`)) Deno.symlinkSync("../canary", `${workspace}/out`);
  } catch (error) {
    if (!(error instanceof Error && "code" in error)) throw error;
  }
}

/** Everything of a tree but its times: names, kinds, modes, contents, ends of links. */
function digestOf(path: string, except?: string): string {
  const lines: string[] = [];
  const walk = (at: string) => {
    if (at === except) return;
    const info = Deno.lstatSync(at);
    const base = `${at} ${info.mode} ${info.uid}`;
    if (info.isSymlink) lines.push(`${base} -> ${Deno.readLinkSync(at)}`);
    else if (info.isDirectory) {
      lines.push(base);
      for (const name of [...Deno.readDirSync(at)].map((entry) => entry.name).sort()) {
        walk(`${at}/${name}`);
      }
    } else {lines.push(
        `${base} ${info.size} ${info.isFile ? hash(Deno.readFileSync(at)) : "other"}`,
      );}
  };
  walk(path);
  return lines.join("\n");
}

function modeOf(path: string): string {
  return `${path} ${Deno.lstatSync(path).mode}`;
}

/** FNV-1a: enough to see a change. */
function hash(bytes: Uint8Array): number {
  return bytes.reduce((sum, byte) => Math.imul(sum ^ byte, 16777619), 2166136261);
}

function running(): number {
  return [...Deno.readDirSync("/proc")].filter(({ name }) => {
    if (!/^\d+$/.test(name)) return false;
    try {
      return Deno.readTextFileSync(`/proc/${name}/environ`).includes(`MARK=${mark}`);
    } catch {
      // gone, or another's
      return false;
    }
  }).length;
}
