/** The tests of the Dockerfile, as far as they go without a daemon: its form, its files, its user. */
import assert from "node:assert/strict";
import { fromFileUrl } from "../support/streams.ts";

const root = fromFileUrl(new URL("../..", import.meta.url)).replace(/\/$/, "");
const text = await Deno.readTextFile(`${root}/scripts/packaging/Dockerfile`);

/** Instructions with their arguments, continued lines joined. */
const instructions = text.replace(/^#.*\n/gm, "").replace(/\\\n\s*/g, "").split("\n")
  .filter((line) => line.trim() !== "")
  .map((line) => /^([A-Z]+) (.+)$/.exec(line) ?? assert.fail(`no instruction: ${line}`))
  .map(([, name, rest]) => ({ name: name!, rest: rest! }));

function all(name: string): string[] {
  return instructions.filter((one) => one.name === name).map(({ rest }) => rest);
}

Deno.test("Dockerfile: known instructions, Debian slim first, the program last", () => {
  const known = ["FROM", "RUN", "ARG", "COPY", "ENV", "USER", "WORKDIR", "ENTRYPOINT"];
  for (const { name } of instructions) assert.ok(known.includes(name), name);
  assert.deepEqual(instructions[0], { name: "FROM", rest: "debian:12-slim" });
  assert.deepEqual(JSON.parse(all("ENTRYPOINT")[0]!), ["nimlet"]);
});

Deno.test("Dockerfile: an ordinary user, with a home for sessions that it may write", () => {
  const users = all("USER");
  assert.equal(users.length, 1);
  assert.notEqual(users[0], "root");
  assert.ok(all("RUN").some((run) => run.includes("useradd") && run.includes(users[0]!)));
  const [, home] = /^NIMLET_HOME=(\S+)$/.exec(all("ENV")[0]!)!;
  assert.ok(all("RUN").some((run) => run.includes(`mkdir -p /workspace ${home}`)));
  assert.equal(all("WORKDIR")[0], "/workspace");
});

Deno.test("Dockerfile: what is copied is in the sources, or made by a documented task, and not ignored", async () => {
  const allowed = (await Deno.readTextFile(`${root}/scripts/packaging/Dockerfile.dockerignore`))
    .split("\n").filter((line) => line.startsWith("!")).map((line) => line.slice(1));
  const binary = all("ARG")[0]!.replace("BINARY=", "");
  assert.equal(binary, "dist/nimlet");
  const sources = all("COPY").flatMap((copy) =>
    copy.split(" ").filter((word) => !word.startsWith("--")).slice(0, -1)
  );
  assert.equal(sources.length, 3);
  for (const source of sources) {
    const path: string = source.replace("${BINARY}", binary);
    assert.ok(allowed.includes(path), `${path} is ignored`);
    if (path !== binary) await Deno.stat(`${root}/${path}`);
  }
});
