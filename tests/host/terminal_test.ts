import assert from "node:assert/strict";
import { installed, linux, testWhere } from "../support/test_where.ts";

/** util-linux's, whose flags differ from those of the BSDs. */
const script = installed("script");
const program = new URL("stream_program.ts", import.meta.url).pathname;

/** Runs a line of shell in which `$P` is the stream program; words follow as its arguments. */
async function shell(line: string, env: Record<string, string> = {}) {
  const { stdout, stderr, code } = await new Deno.Command("bash", {
    args: ["-c", line],
    env: { ...env, P: `${Deno.execPath()} run -qA ${program}` },
    stdin: "null",
  }).output();
  const text = (bytes: Uint8Array) => new TextDecoder().decode(bytes);
  return { stdout: text(stdout), stderr: text(stderr), code };
}

Deno.test("the kind of stdin is told by what it is", async () => {
  assert.equal((await shell("$P kind </dev/null")).stderr, "null");
  assert.equal((await shell("echo x | $P kind")).stderr, "pipe");
  assert.equal((await shell(`$P kind <${program}`)).stderr, "file");
  assert.match((await shell("$P kind <&-")).stderr, /^(?:closed|null)$/);
});

Deno.test("strings are written whole and in order, also to a slow reader", async () => {
  const { stdout } = await shell("$P lines | (sleep 0.1; cat)");
  const lines = stdout.trimEnd().split("\n");
  assert.equal(lines.length, 200);
  lines.forEach((line, n) => assert.equal(line, `${n}:${"é".repeat(n % 10 ? 5 : 50_000)}`));
});

for (const reader of ["| cat", "| (sleep 0.3; cat)", "| dd bs=1000 status=none", ">$F; cat $F"]) {
  Deno.test(`lines that nobody waits for are written whole and in order: ${reader}`, async () => {
    const file = await Deno.makeTempFile();
    try {
      const { stdout } = await shell(`$P ahead ${reader}`, { F: file });
      const lines = stdout.trimEnd().split("\n");
      assert.equal(lines.pop(), "end");
      assert.equal(lines.length, 20_000);
      lines.forEach((line, n) => {
        const expected = `${n}:${(n % 7 === 0 ? "é" : "e").repeat(n % 90)}`;
        if (n % 1000 !== 999) assert.equal(line, expected);
        else assert.equal(line.replace("e".repeat(100_000), "e"), expected);
      });
    } finally {
      await Deno.remove(file);
    }
  });
}

Deno.test("short lines of two programs into one pipe do not mix", async () => {
  const { stdout } = await shell("($P ahead a & $P ahead b & wait) | (sleep 0.2; cat)");
  const short = stdout.split("\n").filter((line) => line.length < 200 && line !== "end");
  for (const name of ["a", "b"]) {
    const lines = short.filter((line) => line.startsWith(name));
    lines.forEach((line) => assert.match(line, /^[ab]\d+:(?:e|é)*$/));
    assert.ok(lines.length > 19_900, `${lines.length} lines of ${name}`);
  }
});

testWhere(installed("python3"), "a pipe that was made non-blocking loses nothing", async () => {
  const nonBlocking = `python3 -c 'import fcntl,os,subprocess,sys
fcntl.fcntl(1, fcntl.F_SETFL, os.O_NONBLOCK)
sys.exit(subprocess.call(sys.argv[1:]))'`;
  const { stdout } = await shell(`${nonBlocking} $P lines | (sleep 0.3; wc -l)`);
  assert.equal(stdout.trim(), "200");
});

Deno.test("a reader that has gone is no failure", async () => {
  const closed = await shell("$P flood | head -n 1 >/dev/null");
  assert.equal(closed.stderr, "closed");
  assert.equal(closed.code, 0);
  const ahead = await shell("$P floodAhead | head -n 1 >/dev/null");
  assert.equal(ahead.stderr, "closed");
  assert.equal(ahead.code, 0);
});

testWhere(linux, "a full disk is a failure", async () => {
  const full = await shell("$P flood >/dev/full");
  assert.match(full.stderr, /^output: Standard output cannot be written: No space left on device/);
});

Deno.test("closed streams are no crash", async () => {
  assert.equal((await shell("$P lines >&- 2>&-")).code, 0);
  assert.equal((await shell("$P kind 2>&-")).code, 0);
  assert.equal((await shell("$P abort <&- >&- 2>&-")).code, 0);
});

Deno.test("a reader that is given up loses nothing, and keeps nothing alive", async () => {
  const child = new Deno.Command(Deno.execPath(), {
    args: ["run", "-qA", program, "abort"],
    stdin: "piped",
    stdout: "piped",
    stderr: "piped",
  }).spawn();
  assert.equal(await firstPiece(child.stderr), "ready\n");
  const writer = child.stdin.getWriter();
  await writer.write(new TextEncoder().encode("first "));
  await writer.write(new TextEncoder().encode("second"));
  await writer.close();
  assert.equal(await firstPiece(child.stdout), "first second");
  assert.equal((await child.status).code, 0);
});

for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) {
  Deno.test(`${signal} is heard`, async () => {
    const child = new Deno.Command(Deno.execPath(), {
      args: ["run", "-qA", program, "signals"],
      stdin: "null",
      stdout: "piped",
      stderr: "piped",
    }).spawn();
    assert.equal(await firstPiece(child.stderr), "ready\n");
    child.kill(signal);
    assert.equal(await firstPiece(child.stdout), `${signal}\n`);
    assert.equal((await child.status).code, 0);
  });
}

testWhere(
  script,
  "a child reaches no terminal, though the program was started from one",
  async () => {
    const { stdout, code } = await shell(
      `echo typed | script -qec "bash -c 'read z </dev/tty && echo heard'; $P ask" /dev/null`,
    );
    assert.equal(code, 0);
    // the first line shows that there was a terminal to read from
    assert.match(stdout, /heard\r\n(?:.*\r\n)*refused\r\ngot:\r\n/);
  },
);

Deno.test("a variable that is not UTF-8 counts as not set, and spoils no other", async () => {
  const { stdout } = await shell("ODD=$'\\xff' PLAIN=ä $P variables");
  assert.equal(stdout, '[null,null,"ä"]');
});

Deno.test("a home that is not set is no home", async () => {
  assert.equal((await shell("HOME= DENO_DIR=/nonexistent $P home")).stdout, "[null,true]");
});

async function firstPiece(stream: ReadableStream<Uint8Array>): Promise<string> {
  for await (const piece of stream) return new TextDecoder().decode(piece);
  return "";
}
