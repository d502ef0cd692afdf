/** What commands inside ask of the kernel, and how they end. */
import assert from "node:assert/strict";
import { seccompFilter } from "../../src/host/sandbox/seccomp.ts";
import { exists, sandboxNeed, withSandbox } from "../support/sandbox.ts";
import { installed, type Need, superuser, testWhere } from "../support/test_where.ts";

const x86: Need = { met: Deno.build.arch === "x86_64", reason: "needs an x86-64 processor" };
const compiler = [sandboxNeed, x86, installed("gcc")];

testWhere(
  [sandboxNeed, superuser],
  "privileges are refused, also to root",
  () =>
    withSandbox({}, async ({ run, workspace }) => {
      const commands = [
        "mount -o remount,rw,bind /usr",
        "mount -t tmpfs none /usr",
        "umount /proc",
        "unshare -Ur true",
        "unshare -m true",
        "mknod node b 1 1",
        "chroot / true",
        "test -w /proc/sys/kernel/core_pattern",
        "test -w /proc/sysrq-trigger",
        "touch s; chmod u+s s",
        "chmod g+s s",
        "install -m 4755 /bin/true set-id",
      ];
      for (const command of commands) {
        assert.notEqual((await run(command)).exitCode, 0, command);
      }
      assert.equal(Deno.lstatSync(`${workspace}/s`).mode! & 0o6000, 0);
      assert.equal((await run("touch p && chmod 755 p && ./p; mkdir -m 700 d")).exitCode, 0);
    }),
);

testWhere(
  [sandboxNeed, superuser],
  "nothing of the kernel's own files can be written, by root neither",
  () =>
    withSandbox({}, async ({ run }) => {
      const { text } = await run(
        "find /proc /sys -maxdepth 6 -writable -not -path '/proc/[0-9]*' -not -path '/proc/pressure/*' 2>/dev/null",
      );
      assert.equal(text, "");
    }),
);

testWhere(
  [sandboxNeed, superuser],
  "the system's devices keep their mode, whatever root does inside",
  () =>
    withSandbox({}, async ({ run }) => {
      // one that nobody else misses
      const mode = () => Deno.lstatSync("/dev/full").mode! & 0o7777;
      const before = mode();
      const { text, lines } = await run(
        "chmod 640 /dev/full; echo x > /dev/null && head -c 1 /dev/zero >/dev/null && cat | wc -c",
      );
      const after = mode();
      Deno.chmodSync("/dev/full", before);
      assert.equal(after, before, text);
      assert.match(
        lines.join("\n"),
        /mode of \/dev\/full was changed by a command; it was put back/,
      );
      assert.match(text, /^0$/m);
      const kernel = await run("chmod 400 /proc/version /proc/sys/kernel/version");
      assert.equal(kernel.text.match(/Read-only/g)?.length, 2, kernel.text);
    }),
);

/** Tries calls directly; each line is a name and what the kernel said. */
const calls = `
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>
#define TRY(name, call) do { errno = 0; long r = (long)(call); printf("%s %d\\n", name, r < 0 ? errno : 0); } while (0)
int main(void) {
  int pty = posix_openpt(O_RDWR | O_NOCTTY);
  grantpt(pty); unlockpt(pty);
  int tty = open(ptsname(pty), O_RDWR | O_NOCTTY);
  char c = 'x';
  TRY("tiocsti", ioctl(tty, 0x5412UL, &c));
  TRY("tiocsti-high", syscall(SYS_ioctl, tty, 0x100005412UL, &c));
  TRY("tiocsti-stdin", ioctl(0, 0x5412UL, &c));
  TRY("tioclinux", ioctl(tty, 0x541cUL, &c));
  TRY("winsize", ioctl(tty, TIOCGWINSZ, (char[8]){0}));
  TRY("vsock", socket(40, SOCK_STREAM, 0));
  TRY("alg", socket(38, SOCK_SEQPACKET, 0));
  TRY("unix", socket(AF_UNIX, SOCK_STREAM, 0));
  TRY("keyctl", syscall(SYS_keyctl, 0, -3, 0));
  TRY("add_key", syscall(SYS_add_key, "user", "n", "v", 1, -3));
  TRY("io_uring", syscall(425, 1, 0));
  TRY("bpf", syscall(SYS_bpf, 0, 0, 0));
  TRY("perf", syscall(SYS_perf_event_open, 0, 0, -1, -1, 0));
  TRY("userfaultfd", syscall(SYS_userfaultfd, 0));
  TRY("clone3", syscall(435, 0, 0));
  TRY("openat2", syscall(437, -100, "x", 0, 0));
  TRY("unshare", unshare(CLONE_NEWUSER));
  TRY("clone", syscall(SYS_clone, CLONE_NEWUSER | 17, 0, 0, 0, 0));
  TRY("chmod", chmod("calls.c", 04755));
  TRY("fchmodat", fchmodat(AT_FDCWD, "calls.c", 02755, 0));
  TRY("open", open("new", O_CREAT | O_WRONLY, 04755));
  TRY("creat", creat("new", 02755));
  TRY("tmpfile", open(".", O_TMPFILE | O_RDWR, 04755));
  TRY("mknod", mknod("new", S_IFREG | 04755, 0));
  TRY("plain", open("plain", O_CREAT | O_WRONLY, 0755));
  TRY("plain-chmod", chmod("plain", 0700));
  long r; int e;
  __asm__ volatile("int $0x80" : "=a"(r) : "a"(20) : "memory");
  e = r < 0 ? (int)-r : 0;
  printf("int80 %d\\n", e);
  return 0;
}
`;

testWhere(
  compiler,
  "the filter refuses what leads out of the sandbox, and lets the rest be",
  () =>
    withSandbox({}, async ({ run, workspace }) => {
      Deno.writeTextFileSync(`${workspace}/calls.c`, calls);
      const { text } = await run("gcc calls.c -o calls 2>&1 && ./calls");
      const said = Object.fromEntries(text.trim().split("\n").map((line) => line.split(" ")));
      const eperm = "1", enosys = "38", eafnosupport = "97";
      for (
        const name of [
          "tiocsti",
          "tiocsti-high",
          "tiocsti-stdin",
          "tioclinux",
          "keyctl",
          "add_key",
          "bpf",
          "perf",
          "userfaultfd",
          "unshare",
          "clone",
          "chmod",
          "fchmodat",
          "open",
          "creat",
          "tmpfile",
          "mknod",
          "int80",
        ]
      ) {
        assert.equal(said[name], eperm, `${name}: ${text}`);
      }
      for (const name of ["io_uring", "clone3", "openat2"]) assert.equal(said[name], enosys, name);
      for (const name of ["vsock", "alg"]) assert.equal(said[name], eafnosupport, name);
      for (const name of ["winsize", "unix", "plain", "plain-chmod"]) {
        assert.equal(said[name], "0", name);
      }
      assert.ok(!exists(`${workspace}/new`));
    }),
);

Deno.test("filters are whole instructions, and jumps stay within them", () => {
  for (const arch of ["x86_64", "aarch64"]) {
    const bytes = seccompFilter(arch)!;
    const view = new DataView(bytes.buffer);
    const count = bytes.length / 8;
    for (let at = 0; at < count; at++) {
      const operation = view.getUint16(at * 8, true);
      if ((operation & 7) !== 5) continue;
      for (const side of [2, 3]) {
        assert.ok(at + 1 + view.getUint8(at * 8 + side) < count, `${arch} ${at}`);
      }
    }
    assert.equal(view.getUint16((count - 1) * 8, true), 6);
  }
  assert.equal(seccompFilter("riscv64"), undefined);
});

testWhere(
  sandboxNeed,
  "descriptors that nimlet inherited stay outside",
  () =>
    withSandbox({}, async ({ sandbox, workspace }) => {
      const inside = sandbox.wrap({
        file: "/bin/bash",
        args: ["-c", "ls /proc/self/fd"],
        cwd: workspace,
        env: { PATH: Deno.env.get("PATH") ?? "" },
      });
      const opened = 'exec 7</etc/passwd 251</etc/passwd; exec "$@"';
      const { stdout } = await new Deno.Command("bash", {
        args: ["-c", opened, "x", inside.file, ...inside.args],
        clearEnv: true,
        env: inside.env,
      }).output();
      inside.finish();
      // the last is that of ls itself
      assert.equal(new TextDecoder().decode(stdout), "0\n1\n2\n3\n");
    }),
);

testWhere(
  sandboxNeed,
  "output is kept whole, also what comes late and what is large",
  () =>
    withSandbox({}, async ({ run }) => {
      assert.equal((await run("echo hi > >(sleep 0.05; cat)")).text, "hi\n");
      assert.equal((await run("(sleep 0.1; echo late) & echo now")).text, "now\nlate\n");
      const large = await run("head -c 30000000 /dev/zero | tr '\\0' x; echo end");
      assert.equal(large.stdout.totalBytes, 30_000_004);
      assert.match(large.stdout.text, /xend\n$/);
    }),
);

testWhere(
  sandboxNeed,
  "a command has its own status, and 128 and more after a signal",
  () =>
    withSandbox({}, async ({ run }) => {
      assert.equal((await run("exit 7")).exitCode, 7);
      assert.equal((await run("kill -9 $$")).exitCode, 137);
      assert.equal((await run("no-such-program")).exitCode, 127);
    }),
);

testWhere(
  sandboxNeed,
  "a command that is stopped has its last word, and leaves nothing behind",
  () =>
    withSandbox({}, async ({ run }) => {
      const stopped = async (command: string) => {
        const stop = new AbortController();
        const marker = crypto.randomUUID();
        const result = await run(
          `export MARK=${marker}; ${command}`,
          { onOutput: () => stop.abort(), killGraceMs: 500 },
          stop.signal,
        );
        assert.equal(processesWith(marker), 0, command);
        return result.text;
      };
      const last = "trap 'echo last; exit 3' TERM; echo ready; while :; do sleep 0.05; done";
      assert.match(await stopped(last), /last/);
      await stopped("trap '' TERM; echo ready; sleep 50");
      await stopped("for i in $(seq 50); do setsid sleep 55 & done; echo ready; sleep 50");
    }),
);

testWhere(
  sandboxNeed,
  "what a command starts ends with the call, in a session of its own, too",
  () =>
    withSandbox({}, async ({ run }) => {
      const marker = crypto.randomUUID();
      await run(
        `export MARK=${marker}; setsid sleep 50 >/dev/null 2>&1 & sleep 51 >/dev/null & echo ok`,
      );
      assert.equal(processesWith(marker), 0);
    }),
);

/** Processes of this machine whose environment holds `text`, ended ones left out. */
function processesWith(text: string): number {
  return [...Deno.readDirSync("/proc")].filter(({ name }) => {
    if (!/^\d+$/.test(name)) return false;
    try {
      return Deno.readTextFileSync(`/proc/${name}/environ`).includes(text);
    } catch {
      // gone, or another's
      return false;
    }
  }).length;
}

testWhere(
  sandboxNeed,
  "a command on stdin runs, whatever its length",
  () =>
    withSandbox({}, async ({ sandbox, workspace, run }) => {
      const { bashTool } = await import("../../src/tools/bash.ts");
      const { detectShell } = await import("../../src/host/shell.ts");
      const { toolContext } = await import("../support/tool_context.ts");
      const context = { ...toolContext(workspace), sandbox };
      const tool = bashTool(() => detectShell(context.host));
      const command = `: ${"x".repeat(300_000)}\necho "$NIMLET_SANDBOX"; cat | wc -c`;
      assert.match((await tool.run({ command }, context)).text, /stdout:\nworkspace\n0\n/);
      assert.equal((await run("true")).exitCode, 0);
    }),
);

testWhere(
  [sandboxNeed, installed("npm"), installed("node")],
  "npm test works",
  () =>
    withSandbox({}, async ({ run, workspace }) => {
      Deno.writeTextFileSync(
        `${workspace}/package.json`,
        JSON.stringify({
          name: "x",
          version: "1.0.0",
          scripts: { test: "node -e 'console.log(6*7)'" },
        }),
      );
      const { text, exitCode } = await run("npm test");
      assert.equal(exitCode, 0, text);
      assert.match(text, /^42$/m);
    }),
);

const cargoHome = Deno.env.get("CARGO_HOME") ?? `${Deno.env.get("HOME")}/.cargo`;
const rustup = { RUSTUP_HOME: Deno.env.get("RUSTUP_HOME") ?? `${Deno.env.get("HOME")}/.rustup` };
testWhere(
  [sandboxNeed, installed("cargo")],
  "cargo build --offline works, and again",
  () =>
    withSandbox(
      { set: exists(rustup.RUSTUP_HOME) ? rustup : { CARGO_HOME: cargoHome } },
      async ({ run }) => {
        const first = await run(
          "cargo init -q --vcs none --name made . && cargo build -q --offline && target/debug/made",
          { timeoutMs: 120_000 },
        );
        assert.equal(first.exitCode, 0, first.text);
        assert.match(first.text, /Hello, world!/);
        assert.equal((await run("cargo build --offline")).exitCode, 0);
      },
    ),
);

testWhere(
  [sandboxNeed, installed("python3", ["-c", "import ensurepip"])],
  "python -m venv works, with pip",
  () =>
    withSandbox(pyenv(), async ({ run }) => {
      const { text, exitCode } = await run(
        "python3 -m venv v && v/bin/python -c 'import socket, sqlite3; print(6 * 7)' && v/bin/pip --version",
        { timeoutMs: 120_000 },
      );
      assert.equal(exitCode, 0, text);
      assert.match(text, /^42$/m);
      assert.match(text, /^pip \d/m);
    }),
);

testWhere(
  [sandboxNeed, installed("go", ["version"])],
  "go build works, and the second run takes from its cache",
  () =>
    withSandbox({}, async ({ run }) => {
      const source = "package main\nfunc main() { println(42) }\n";
      const first = await run(
        `printf '${
          source.replaceAll("\n", "\\n")
        }' > main.go && go mod init made && go build -x . && ./made`,
        { timeoutMs: 120_000 },
      );
      assert.equal(first.exitCode, 0, first.text);
      assert.match(first.text, /^42$/m);
      const again = await run("rm made && go build -x . && ./made");
      assert.equal(again.exitCode, 0, again.text);
      assert.doesNotMatch(again.text, /\/compile /);
    }),
);

function pyenv(): { set: Record<string, string> } {
  const root = Deno.env.get("PYENV_ROOT");
  return { set: root === undefined ? {} : { PYENV_ROOT: root } };
}
