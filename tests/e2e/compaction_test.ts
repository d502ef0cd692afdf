import assert from "node:assert/strict";
import { callAnswer, errorAnswer, textAnswer } from "../support/fake_provider.ts";
import type { RecordedRequest } from "../support/fake_http.ts";
import { pointAt } from "../support/pointed.ts";
import { runProgram, withScratch } from "../support/program.ts";
import { checkedRecords, only } from "../support/records.ts";
import { contentOf, messagesOf, startStrictServer } from "../support/strict_server.ts";

const isSummary = ({ body }: RecordedRequest) => body.tools === undefined;
const overflow = errorAnswer(
  400,
  "This model's maximum context length is 10000 tokens. Please reduce the length of the messages.",
);

/** Reads `files` one after the other, and then answers with `end`. */
function readingServer(
  files: number,
  refuses: (request: RecordedRequest) => boolean = () => false,
  breaks: (request: RecordedRequest) => boolean = () => false,
) {
  let read = 0;
  return startStrictServer((request) => {
    if (refuses(request)) return overflow;
    if (breaks(request)) return errorAnswer(503, "busy");
    if (isSummary(request)) return textAnswer("chat", `## Goal\nsummary after ${read}`);
    const fresh = contentOf(messagesOf(request.body).at(-1));
    if (fresh.startsWith("again")) read = 0;
    if (read >= files) return textAnswer("chat", "all read");
    read++;
    return callAnswer("chat", [{ name: "read", input: { path: `f${read}.txt` } }]);
  });
}

async function withFiles(
  count: number,
  use: (places: { workspace: string; home: string }) => Promise<void>,
): Promise<void> {
  await withScratch(async ({ workspace, home }) => {
    for (let index = 1; index <= count; index++) {
      const line = `file ${index} ${"word ".repeat(10)}\n`;
      await Deno.writeTextFile(`${workspace}/f${index}.txt`, line.repeat(12_000 / line.length));
    }
    await use({ workspace, home });
  });
}

function sessionText(home: string): string {
  const folder = `${home}/.nimlet/sessions`;
  const [entry] = [...Deno.readDirSync(folder)];
  return Deno.readTextFileSync(`${folder}/${entry!.name}`);
}

Deno.test("a small window is kept to: older messages are summarised, nothing is rewritten", async () => {
  const server = readingServer(6);
  try {
    await withFiles(6, async ({ workspace, home }) => {
      const flags = await pointAt(home, server.url, {
        agent: { context_window: 12_000, reserve_tokens: 2000, keep_recent_tokens: 4000 },
      });
      const { code, stdout, stderr } = await runProgram([...flags, "--mode", "json", "read all"], {
        cwd: workspace,
      });
      assert.equal(code, 0, stderr);
      const records = checkedRecords(stdout);
      assert.equal(only(records, "message").at(-1)!.content, "all read");
      const summaries = server.requests.filter(isSummary);
      assert.ok(summaries.length >= 1 && summaries.length <= 3, `${summaries.length} summaries`);
      for (const heading of ["Goal", "Decisions", "Files", "Commands", "Failures", "Open work"]) {
        assert.match(summaries[0]!.text, new RegExp(heading));
      }
      assert.deepEqual(server.refusals, [], "no call was parted from its result");
      const last = server.requests.findLast((request) => !isSummary(request))!;
      assert.ok(last.text.length < 48_000);
      assert.match(last.text, /summary after/);
      assert.ok(only(records, "diagnostic").some(({ message }) => /summarised/.test(`${message}`)));

      const before = sessionText(home);
      const kinds = before.trimEnd().split("\n").map((line) => JSON.parse(line).kind);
      assert.equal(kinds.filter((kind) => kind === "compaction").length, summaries.length);
      assert.equal(kinds.filter((kind) => kind === "tool_result").length, 6);
      const next = await runProgram([...flags, "--resume", "-p", "more"], { cwd: workspace });
      assert.equal(next.code, 0, next.stderr);
      assert.ok(sessionText(home).startsWith(before), "only added to");
      assert.match(server.requests.at(-1)!.text, /summary after/);
      assert.deepEqual(server.refusals, []);
    });
  } finally {
    await server.close();
  }
});

Deno.test("compaction_enabled: false leaves the conversation as it is", async () => {
  const server = readingServer(4);
  try {
    await withFiles(4, async ({ workspace, home }) => {
      const flags = await pointAt(home, server.url, {
        agent: { context_window: 8000, compaction_enabled: false },
      });
      const { code } = await runProgram([...flags, "-p", "read all"], { cwd: workspace });
      assert.equal(code, 0);
      assert.equal(server.requests.filter(isSummary).length, 0);
    });
  } finally {
    await server.close();
  }
});

Deno.test("an overflow is answered by one summary and one more try", async () => {
  let refused = 0;
  const server = readingServer(3, (request) => {
    const full = !isSummary(request) && messagesOf(request.body).length > 6 && refused === 0;
    if (full) refused++;
    return full;
  });
  try {
    await withFiles(3, async ({ workspace, home }) => {
      const flags = await pointAt(home, server.url);
      const { code, stdout } = await runProgram([...flags, "--mode", "json", "read all"], {
        cwd: workspace,
      });
      assert.equal(code, 0);
      assert.deepEqual([refused, server.requests.filter(isSummary).length], [1, 1]);
      const steps = only(checkedRecords(stdout), "step_start").map(({ step }) => step);
      assert.deepEqual(steps, [1, 2, 3, 4, 4], "the step starts again");
    });
  } finally {
    await server.close();
  }
});

Deno.test("a summary that does not help is put back: nothing of it is in the session", async () => {
  let fits = false;
  const server = readingServer(
    3,
    // after the summary the request is shorter, and is refused all the same
    (request) =>
      !fits && !isSummary(request) &&
      (messagesOf(request.body).length > 6 || request.text.includes("summary after")),
  );
  try {
    await withFiles(3, async ({ workspace, home }) => {
      const flags = await pointAt(home, server.url);
      const { code, stdout } = await runProgram([...flags, "--mode", "json", "read all"], {
        cwd: workspace,
      });
      const records = checkedRecords(stdout);
      assert.equal(code, 1);
      assert.equal(only(records, "error")[0]!.code, "overflow");
      assert.match(stdout, /the summary did not help; the conversation is as it was/);
      fits = true;
      const { stdout: answer } = await runProgram([...flags, "--resume", "-p", "go on"], {
        cwd: workspace,
      });
      assert.equal(answer, "all read\n");
      const last = messagesOf(server.requests.at(-1)!.body);
      assert.ok(last.length > 7, `all ${last.length} messages are sent`);
    });
  } finally {
    await server.close();
  }
});

Deno.test("a summary that fails in passing is asked for again", async () => {
  let refused = 0, broken = 0;
  const server = readingServer(2, (request) => {
    const full = !isSummary(request) && messagesOf(request.body).length > 4 && refused === 0;
    if (full) refused++;
    return full;
  }, (request) => isSummary(request) && broken++ === 0);
  try {
    await withFiles(2, async ({ workspace, home }) => {
      const flags = await pointAt(home, server.url);
      const { code, stdout } = await runProgram([...flags, "--mode", "json", "read all"], {
        cwd: workspace,
      });
      assert.equal(code, 0, stdout);
      assert.equal(server.requests.filter(isSummary).length, 2);
      const told = only(checkedRecords(stdout), "diagnostic").map(({ message }) => `${message}`);
      assert.ok(told.some((message) => /summary again in .* \(1 of 4\)/.test(message)), `${told}`);
    });
  } finally {
    await server.close();
  }
});

Deno.test("a server with a hard limit: summaries inside the tool loop, a bounded number of requests", async () => {
  const server = readingServer(8, ({ text }) => text.length > 40_000);
  try {
    await withFiles(8, async ({ workspace, home }) => {
      const flags = await pointAt(home, server.url);
      const { code, stdout, stderr } = await runProgram([...flags, "-p", "read all"], {
        cwd: workspace,
      });
      assert.deepEqual([code, stdout], [0, "all read\n"], stderr);
      assert.ok(server.requests.length < 40, `${server.requests.length} requests`);
      const texts = server.requests.map(({ text }) => text);
      assert.equal(new Set(texts).size, texts.length, "no request was sent twice");
      assert.deepEqual(server.refusals, []);
    });
  } finally {
    await server.close();
  }
});

Deno.test("a prompt that can never fit is one clear error, and a smaller one goes on", async () => {
  const server = readingServer(0, ({ text }) => text.length > 40_000);
  try {
    await withFiles(0, async ({ workspace, home }) => {
      const flags = await pointAt(home, server.url);
      await runProgram([...flags, "-p", "hello"], { cwd: workspace });
      const large = await runProgram([...flags, "--resume", "--mode", "json"], {
        cwd: workspace,
        stdin: "word ".repeat(12_000),
      });
      assert.equal(large.code, 1);
      assert.equal(only(checkedRecords(large.stdout), "error").length, 1);
      assert.match(large.stderr + large.stdout, /maximum context length|does not fit/);
      assert.ok(server.requests.length < 12, `${server.requests.length} requests`);
      const small = await runProgram([...flags, "--resume", "-p", "small"], { cwd: workspace });
      assert.deepEqual([small.code, small.stdout], [0, "all read\n"], small.stderr);
      assert.match(server.requests.at(-1)!.text, /small/);
      const texts = server.requests.map(({ text }) => text);
      assert.equal(new Set(texts).size, texts.length, "no request was sent twice");
    });
  } finally {
    await server.close();
  }
});

Deno.test("summaries that are refused themselves end in one error, not in a loop", async () => {
  const server = readingServer(8, (request) => request.text.length > 40_000 || isSummary(request));
  try {
    await withFiles(8, async ({ workspace, home }) => {
      const flags = await pointAt(home, server.url);
      const { code, stdout } = await runProgram([...flags, "--mode", "json", "read all"], {
        cwd: workspace,
      });
      assert.equal(code, 1);
      const records = checkedRecords(stdout);
      assert.equal(only(records, "error").length, 1);
      assert.equal(records.at(-1)!.status, "failed");
      assert.ok(server.requests.length < 20, `${server.requests.length} requests`);
      const texts = server.requests.map(({ text }) => text);
      assert.equal(new Set(texts).size, texts.length, "no request was sent twice");
    });
  } finally {
    await server.close();
  }
});
