import assert from "node:assert/strict";
import { parseCommandLine } from "../../src/cli/parse.ts";
import { readPrompt } from "../../src/cli/prompt_input.ts";
import { RunFailure } from "../../src/core/failure.ts";
import type { Host, Terminal } from "../../src/core/host.ts";
import { realHost } from "../../src/host/real_host.ts";

interface Around {
  stdinKind?: Terminal["stdinKind"];
  input?: AsyncIterable<Uint8Array>;
  clock?: Host["clock"];
  signal?: AbortSignal;
  maxBytes?: number;
}

async function read(args: string[], around: Around): Promise<{ prompt: string; stderr: string }> {
  let stderr = "";
  const real = realHost();
  const host: Host = {
    ...real,
    clock: around.clock ?? real.clock,
    terminal: {
      ...real.terminal,
      stdinKind: around.stdinKind ?? "pipe",
      readIn: () => around.input ?? pieces(),
      writeErr: (text) => {
        stderr += text;
        return Promise.resolve();
      },
    },
  };
  const signal = around.signal ?? new AbortController().signal;
  const { piped, text } = await readPrompt(parseCommandLine(args), host, signal, around.maxBytes);
  const prompt = [piped ?? "", text].filter((part) => part !== "").join("\n\n");
  return { prompt, stderr };
}

async function* pieces(...parts: (string | number[])[]): AsyncGenerator<Uint8Array> {
  for (const part of parts) {
    await Promise.resolve();
    yield typeof part === "string" ? new TextEncoder().encode(part) : new Uint8Array(part);
  }
}

/** Input that never brings anything and never ends. */
async function* endless(): AsyncGenerator<Uint8Array> {
  await new Promise(() => {});
  yield new Uint8Array();
}

const refused = (pattern: RegExp) => (error: unknown) => {
  assert(error instanceof RunFailure, String(error));
  assert.equal(error.code, "usage");
  assert.match(error.message, pattern);
  return true;
};

Deno.test("stdin stands before the words with a blank line between", async () => {
  const { prompt } = await read(["sum", "it", "up"], { input: pieces("line 1\nline", " 2\r\n\n") });
  assert.equal(prompt, "line 1\nline 2\n\nsum it up");
});

Deno.test("stdin alone and words alone are prompts", async () => {
  assert.equal((await read([], { input: pieces("  hi\n") })).prompt, "  hi");
  assert.equal((await read(["a", "b"], { input: pieces() })).prompt, "a b");
  assert.equal((await read(["a"], { input: pieces("\n \n") })).prompt, "a");
});

Deno.test("a terminal, /dev/null, a closed stdin and --no-stdin are not read", async () => {
  for (const stdinKind of ["terminal", "null", "closed"] as const) {
    assert.equal((await read(["hi"], { stdinKind, input: endless() })).prompt, "hi");
  }
  assert.equal((await read(["--no-stdin", "hi"], { input: endless() })).prompt, "hi");
});

Deno.test("no prompt at all is wrong usage", async () => {
  await assert.rejects(read([], { input: pieces("\n") }), refused(/^no prompt: expected/));
  await assert.rejects(read(["", " "], { stdinKind: "null" }), refused(/^no prompt: expected/));
});

Deno.test("a byte order mark is dropped, and a character may be split between pieces", async () => {
  const { prompt, stderr } = await read([], {
    input: pieces([0xef, 0xbb], [0xbf, 0xc3], [0xa4, 0x0a]),
  });
  assert.equal(prompt, "ä");
  assert.equal(stderr, "");
});

Deno.test("bytes that are not UTF-8 are replaced and stderr says so; a real U+FFFD is none", async () => {
  const broken = await read([], { input: pieces("a", [0xff], "b") });
  assert.equal(broken.prompt, "a\ufffdb");
  assert.match(broken.stderr, /^nimlet: stdin is not all UTF-8.*\n$/);
  const whole = await read([], { input: pieces("a\ufffdb") });
  assert.deepEqual(whole, { prompt: "a\ufffdb", stderr: "" });
});

Deno.test("too much text is refused without being read to its end", async () => {
  let taken = 0;
  async function* flood() {
    for (;;) {
      await Promise.resolve();
      taken += 1000;
      yield new Uint8Array(1000).fill(0x61);
    }
  }
  await assert.rejects(
    read([], { input: flood(), maxBytes: 10_000 }),
    refused(/^stdin: expected at most 10000 bytes of text, found more/),
  );
  assert(taken <= 12_000);
});

Deno.test("an abort ends the wait with its reason", async () => {
  const abort = new AbortController();
  const reading = read(["hi"], { input: endless(), signal: abort.signal });
  const reason = new Error("stop");
  abort.abort(reason);
  await assert.rejects(reading, (error) => error === reason);
  await assert.rejects(
    read(["hi"], { input: endless(), signal: abort.signal }),
    (error) => error === reason,
  );
});

Deno.test("while stdin stays open one line says what is waited for", async () => {
  const waits: number[] = [];
  const passed = Promise.withResolvers<void>();
  const clock = {
    ...realHost().clock,
    delay: (ms: number) => {
      waits.push(ms);
      return Promise.resolve();
    },
  };
  async function* late() {
    await passed.promise;
    yield new TextEncoder().encode("text");
  }
  const reading = read(["hi"], { input: late(), clock });
  setTimeout(() => passed.resolve(), 0); // after the clock's delay has run out
  const { prompt, stderr } = await reading;
  assert.equal(prompt, "text\n\nhi");
  assert.match(stderr, /^nimlet: waiting for stdin to end; use --no-stdin[^\n]*\n$/);
  assert.deepEqual(waits, [2000]);
});

Deno.test("a stdin that cannot be read is told in one sentence", async () => {
  // deno-lint-ignore require-yield -- it fails before there is anything to give
  async function* failing(): AsyncGenerator<Uint8Array> {
    await Promise.resolve();
    throw new Error("Is a directory\n(os error 21)");
  }
  await assert.rejects(
    read(["hi"], { input: failing() }),
    refused(/^stdin cannot be read \(Is a directory \(os error 21\)\); use --no-stdin/),
  );
});
