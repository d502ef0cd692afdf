/** The check that skills, prompt templates and mentions reach the model, by every way in. */
import assert from "node:assert/strict";
import { Buffer } from "node:buffer";
import { callAnswer, startFakeProvider, textAnswer } from "../support/fake_provider.ts";
import { fromFileUrl } from "../support/streams.ts";
import { recordsOf, withScratch } from "../support/program.ts";
import { startRpc } from "../support/rpc.ts";
import {
  assertInOrder,
  flags,
  furnish,
  type Places,
  pointConfig,
  tell,
  textOf,
  view,
} from "./told.ts";

/** What the model is told where `prompt` comes by each of the ways that need nobody at the keyboard. */
async function byEveryWay(
  places: Places,
  prompt: string,
  more: readonly string[] = [],
): Promise<{ [way: string]: { said: string; notices: string } }> {
  const words = await tell(places, { args: [...more, "-p", prompt] });
  const piped = await tell(places, { args: [...more, "-p"], stdin: `${prompt}\n` });
  const json = await tell(places, { args: [...more, "--mode", "json", prompt] });
  const said = ({ messages }: typeof words) => textOf(messages[0]![0]!);
  return {
    words: { said: said(words), notices: words.stderr },
    stdin: { said: said(piped), notices: piped.stderr },
    json: {
      said: said(json),
      notices: recordsOf(json.stdout).filter(({ type }) => type === "diagnostic")
        .map(({ message }) => message).join("\n"),
    },
    rpc: await byRpc(places, prompt, more),
  };
}

async function byRpc(places: Places, message: string, more: readonly string[]) {
  const provider = startFakeProvider([textAnswer("chat", "fine")]);
  try {
    await pointConfig(places, provider.url);
    const rpc = startRpc([...flags, ...more], places.workspace);
    await rpc.ask("prompt", { message });
    await rpc.next("run_end");
    await rpc.ask("shutdown");
    assert.equal((await rpc.program.ended).code, 0);
    return {
      said: textOf(view(provider.requests).messages[0]![0]!),
      notices: rpc.seen.filter(({ type }) => type === "diagnostic")
        .map(({ message }) => message).join("\n"),
    };
  } finally {
    await provider.close();
  }
}

const skill = (name: string, description: string, body: string) =>
  `---\nname: ${name}\ndescription: ${description}\n---\n\n${body}\n`;

Deno.test("skills: names and descriptions are in the request, the body comes with read_skill", () =>
  withScratch(async (places) => {
    await furnish(places.home, {
      ".nimlet/skills/notes/SKILL.md": skill("notes", "Writes release notes.", "1. Look at tags."),
    });
    const told = await tell(places, {
      args: ["-p", "go"],
      answers: [
        callAnswer("chat", [
          { name: "read_skill", input: { name: "notes" } },
          { name: "read_skill", input: { name: "../../auth.json" } },
        ]),
        textAnswer("chat", "fine"),
      ],
    });
    assert.deepEqual([told.code, told.stderr], [0, ""]);
    assert.match(told.systems[0]!, /\n- notes: Writes release notes\.\n/);
    assert.ok(!told.systems[0]!.includes("Look at tags"));
    const [body, refused] = told.messages[1]!.filter(({ role }) => role === "tool").map(textOf);
    assertInOrder(body!, ["name: notes", "folder: ~/.nimlet/skills/notes", "\n1. Look at tags."]);
    assert.match(refused!, /There is no skill "\.\.\/\.\.\/auth\.json"/);
  }));

Deno.test("skills: /skill:name hands the skill over with the request, by every way", () =>
  withScratch(async (places) => {
    await furnish(places.home, {
      ".agents/skills/notes/SKILL.md": skill("notes", "Writes release notes.", "1. Look at tags."),
    });
    for (
      const [way, { said, notices }] of Object.entries(
        await byEveryWay(places, "/skill:notes for version 2.0"),
      )
    ) {
      assertInOrder(said, ["1. Look at tags.", "for version 2.0"]);
      assert.equal(notices, "", way);
    }
  }));

Deno.test("skills: of one name the later root wins, with one notice; untrusted ones never do", () =>
  withScratch(async (places) => {
    const roots = ["home/.agents", "home/.nimlet", "W/.agent", "W/.agents", "W/.nimlet"];
    await furnish(
      places.root,
      Object.fromEntries(
        roots.map((root) => [`${root}/skills/same/SKILL.md`, skill("same", `From ${root}.`, "b")]),
      ),
    );
    const untrusted = await tell(places, { args: ["-p", "go"] });
    assert.match(untrusted.systems[0]!, /\n- same: From home\/\.nimlet\.\n/);
    assert.match(untrusted.stderr, /--approve/);
    const trusted = await tell(places, { args: ["-p", "--approve", "go"] });
    assert.match(trusted.systems[0]!, /\n- same: From W\/\.nimlet\.\n/);
    assert.equal(trusted.systems[0]!.match(/- same:/g)!.length, 1);
    assert.match(trusted.stderr, /same/);
  }));

Deno.test("skills: of a collection in every form none is lost without a word", () =>
  withScratch(async (places) => {
    const from = fromFileUrl(new URL("../../fixtures/skills", import.meta.url));
    const to = `${places.home}/.nimlet/skills`;
    await Deno.mkdir(`${places.home}/.nimlet`);
    await new Deno.Command("cp", { args: ["-R", from, to] }).output();
    const told = await tell(places, { args: ["-p", "go"] });
    assert.equal(told.code, 0, told.stderr);
    const listed = told.systems[0]!.match(/^- [^\n:]+: \S/gm)!.length;
    let right = 0;
    for (const { name } of Deno.readDirSync(to)) {
      if (name === "pack") continue; // a collection within the collection
      if (name.startsWith("wrong-")) assert.ok(told.stderr.includes(`skills/${name}`), name);
      else right++;
    }
    assert.ok(listed >= right, `${listed} of ${right} are listed`);
  }));

Deno.test("prompts: a template is filled by every way", () =>
  withScratch(async (places) => {
    await furnish(places.home, {
      ".nimlet/prompts/review.md":
        "---\ndescription: Review\n---\nReview $1. Look for $ARGUMENTS!\n",
    });
    for (
      const [way, { said, notices }] of Object.entries(await byEveryWay(places, "/review src"))
    ) {
      assert.equal(said.trim(), "Review src. Look for src!", way);
      assert.equal(notices, "", way);
    }
  }));

Deno.test("prompts: a project's template needs trust, and then wins", () =>
  withScratch(async (places) => {
    await furnish(places.root, {
      "home/.nimlet/prompts/review.md": "global $@",
      "W/.nimlet/prompts/review.md": "project $@",
    });
    const untrusted = await tell(places, { args: ["-p", "/review a"] });
    assert.equal(textOf(untrusted.messages[0]![0]!).trim(), "global a");
    const trusted = await tell(places, { args: ["-p", "--approve", "/review a"] });
    assert.equal(textOf(trusted.messages[0]![0]!).trim(), "project a");
  }));

Deno.test("prompts: an unknown name is sent as it is, with a notice", () =>
  withScratch(async (places) => {
    await furnish(places.home, { ".nimlet/prompts/notes.md": "x" });
    for (const [way, { said, notices }] of Object.entries(await byEveryWay(places, "/note it"))) {
      assert.equal(said, "/note it", way);
      assert.match(notices, /\/note\b.*\/notes/, way);
    }
  }));

for (const prompt of ["/etc is a folder", "/usr/bin/env: what is it?", "/* a comment */"]) {
  Deno.test(`prompts: ${prompt} is left alone`, () =>
    withScratch(async (places) => {
      for (const [way, { said, notices }] of Object.entries(await byEveryWay(places, prompt))) {
        assert.equal(said, prompt, way);
        assert.equal(notices, "", way);
      }
    }));
}

/** One red pixel. */
const png = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAIAAACQd1PeAAAADElEQVR4nGP4z8AAAAMBAQDJ/pLvAAAAAElFTkSuQmCC",
  "base64",
);

Deno.test("mentions: a file, lines, a folder and an image are attached", () =>
  withScratch(async (places) => {
    await furnish(places.workspace, {
      "src/a.txt": "one\ntwo\nthree\n",
      "src/b.txt": "other\n",
      "my notes.md": "noted\n",
      "shot.png": png,
    });
    const prompt = `see @src/a.txt:2-2, @"my notes.md" and @src; also @shot.png, ada@example.org`;
    const told = await tell(places, { args: ["-p", prompt] });
    assert.deepEqual([told.code, told.stderr], [0, ""]);
    const [message] = told.messages[0]!;
    assertInOrder(textOf(message!), [prompt, "two", "noted", "a.txt", "b.txt"]);
    assert.ok(!textOf(message!).includes("three"));
    const images = (message!.content as { image_url?: { url: string } }[])
      .flatMap(({ image_url }) => image_url === undefined ? [] : [image_url.url]);
    assert.deepEqual(images, [`data:image/png;base64,${png.toString("base64")}`]);
  }));

Deno.test("mentions: nothing outside the workspace is attached", () =>
  withScratch(async (places) => {
    await furnish(places.outside, { "secret.txt": "SECRET" });
    await Deno.symlink(`${places.outside}/secret.txt`, `${places.workspace}/link.txt`);
    const prompt = `see @../O/secret.txt @${places.outside}/secret.txt @link.txt`;
    const told = await tell(places, { args: ["-p", prompt] });
    assert.equal(told.code, 0);
    assert.equal(textOf(told.messages[0]![0]!), prompt);
    assert.equal(told.stderr.match(/path is outside the workspace/g)?.length, 3, told.stderr);
  }));

Deno.test("mentions: what is piped in mentions nothing", () =>
  withScratch(async (places) => {
    await furnish(places.workspace, { "a.txt": "CONTENT" });
    const told = await tell(places, { args: ["-p", "sum up"], stdin: "a log with @a.txt\n" });
    assert.ok(!textOf(told.messages[0]![0]!).includes("CONTENT"));
  }));
