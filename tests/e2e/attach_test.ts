/** --attach and --strict: what goes with a prompt, and what is said where the model cannot see it. */
import assert from "node:assert/strict";
import { Buffer } from "node:buffer";
import { callAnswer, errorAnswer, textAnswer } from "../support/fake_provider.ts";
import { pointAt } from "../support/pointed.ts";
import { runProgram, withScratch } from "../support/program.ts";
import { checkedResult } from "../support/result.ts";
import { contentOf, messagesOf, startStrictServer } from "../support/strict_server.ts";

/** One red pixel. */
const png = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAIAAACQd1PeAAAADElEQVR4nGP4z8AAAAMBAQDJ/pLvAAAAAElFTkSuQmCC",
  "base64",
);

interface Place {
  readonly workspace: string;
  readonly outside: string;
  /** Runs the program in print mode against the server. */
  run(...args: string[]): Promise<{ code: number; stdout: string; stderr: string }>;
  /** The last prompt that was sent, as JSON or text. */
  sent(): string;
  readonly requests: readonly unknown[];
}

/** A server that refuses images on request, and calls `read` for a prompt that ends in `read`. */
async function withPlace(use: (place: Place) => Promise<void>, refusesImages = false) {
  const prompts: string[] = [];
  const server = startStrictServer(({ body }) => {
    const messages = messagesOf(body), last = messages.at(-1)!;
    const shown = JSON.stringify(messages);
    if (refusesImages && shown.includes("image_url")) return errorAnswer(400, "no eyes here");
    if (last.role !== "user") return textAnswer("chat", "seen");
    prompts.push(contentOf(last));
    return contentOf(last).endsWith("read")
      ? callAnswer("chat", [{ id: "1", name: "read", input: { path: "shot.png" } }])
      : textAnswer("chat", "seen");
  });
  try {
    await withScratch(async ({ workspace, outside, home }) => {
      const flags = await pointAt(home, server.url);
      await Deno.writeFile(`${outside}/shot.png`, png);
      await Deno.writeFile(`${workspace}/shot.png`, png);
      await Deno.writeTextFile(`${outside}/notes.txt`, "noted\nhere\n");
      await use({
        workspace,
        outside,
        run: (...args) => runProgram([...flags, "-p", ...args], { cwd: workspace }),
        sent: () => prompts.at(-1)!,
        requests: server.requests,
      });
    });
  } finally {
    await server.close();
  }
}

Deno.test("--attach sends text and images from anywhere with the prompt", async () => {
  await withPlace(async ({ run, sent, outside }) => {
    const files = ["--attach", "../O/notes.txt", `--attach=${outside}/shot.png`];
    const { code, stdout, stderr } = await run(...files, "--strict", "look @nobody");
    assert.deepEqual([code, stdout, stderr], [0, "seen\n", ""]);
    const [text, notes, label, image] = JSON.parse(sent()) as {
      text?: string;
      image_url?: { url: string };
    }[];
    assert.equal(text!.text, "look @nobody");
    assert.equal(notes!.text, '\n\n<file path="../O/notes.txt">\nnoted\nhere\n</file>');
    assert.equal(label!.text, `\n\n<image path="${outside}/shot.png"/>`);
    assert.equal(image!.image_url!.url, `data:image/png;base64,${png.toString("base64")}`);
  });
});

Deno.test("--attach refuses what cannot be sent before anything is", async () => {
  await withPlace(async ({ run, requests, workspace }) => {
    await Deno.writeFile(`${workspace}/bytes`, new Uint8Array([0, 255, 254, 0, 1, 2]));
    await Deno.writeFile(`${workspace}/torn.png`, png.subarray(0, 40));
    const cases: [file: string, says: RegExp][] = [
      ["none.txt", /^nimlet: --attach: \/.*\/W\/none\.txt is not there\n$/],
      [".", /^nimlet: --attach: \/.*\/W is a folder, not a file\n$/],
      ["bytes", /^nimlet: --attach: bytes was not attached: it is neither text nor an image\.\n$/],
      ["torn.png", /^nimlet: --attach: torn\.png was not attached: it is no whole image/],
    ];
    for (const [file, says] of cases) {
      const { code, stdout, stderr } = await run("--attach", file, "x");
      assert.deepEqual([code, stdout], [2, ""]);
      assert.match(stderr, says);
    }
    const rpc = await runProgram(["--mode", "rpc", "--attach", "shot.png"], { cwd: workspace });
    assert.equal(rpc.code, 2);
    assert.match(rpc.stderr, /--attach needs one prompt, and --mode rpc has any number/);
    assert.equal(requests.length, 0);
  });
});

Deno.test("what of a prompt the model cannot see is reported, and with --strict not sent", async () => {
  await withPlace(async ({ run, requests, outside, workspace }) => {
    await Deno.writeTextFile(`${outside}/long.txt`, "long line\n".repeat(150_000));
    await Deno.symlink(`${outside}/notes.txt`, `${workspace}/link`);
    const blind = ["--model", "gpt-oss-20b"];
    const cases: [args: string[], says: RegExp][] = [
      [["x", "@link"], /@link was not attached: path is outside the workspace/],
      [
        ["--attach", "../O/long.txt", "x"],
        /(nimlet|prompt): \.\.\/O\/long\.txt has 1500000 bytes; only a part/,
      ],
      [
        [...blind, "--attach", "shot.png", "x"],
        /gpt-oss-20b takes no images: an image of the prompt is left out/,
      ],
      [[...blind, "x", "@shot.png"], /gpt-oss-20b takes no images: an image of the prompt/],
    ];
    for (const [args, says] of cases) {
      const told = await run(...args);
      assert.deepEqual([told.code, told.stdout], [0, "seen\n"], told.stderr);
      assert.match(told.stderr, says);
      const before = requests.length;
      const strict = await run("--strict", ...args);
      assert.deepEqual([strict.code, strict.stdout], [2, ""]);
      assert.match(
        strict.stderr,
        /^nimlet: --strict: the model cannot see all of the prompt: [^\n]*\n$/,
      );
      assert.match(strict.stderr, says);
      assert.equal(requests.length, before, "nothing was sent");
    }
    const result = await run("--mode", "result", "--strict", "x", "@link");
    const { exit_code, error, steps } = checkedResult(result.stdout);
    assert.deepEqual([exit_code, error!.code, steps], [2, "usage", 0]);

    const later = await run(...blind, "please read");
    assert.equal(later.code, 0);
    assert.match(
      later.stderr,
      /gpt-oss-20b takes no images: an image of the result of read is left out/,
    );
  });
});

Deno.test("a server that turns out to take no images fails a strict run", async () => {
  await withPlace(async ({ run }) => {
    const told = await run("--attach", "shot.png", "x");
    assert.deepEqual([told.code, told.stdout], [0, "seen\n"], told.stderr);
    assert.match(told.stderr, /does not take images for m1; they are left out/);
    const strict = await run("--strict", "--attach", "shot.png", "x");
    assert.deepEqual([strict.code, strict.stdout], [2, ""]);
    assert.match(strict.stderr, /^nimlet: --strict: .*no eyes here[^\n]*\n$/);
  }, true);
});
