import assert from "node:assert/strict";
import { packageName, platforms } from "../../scripts/packaging/platforms.ts";
import { reasonIn } from "../../scripts/compile.ts";
import { writeChecksums } from "../../scripts/release.ts";

Deno.test("release: five systems, each with a name of its own", () => {
  assert.equal(platforms.length, 5);
  assert.equal(new Set(platforms.map(({ file }) => file)).size, 5);
  assert.equal(new Set(platforms.map(packageName)).size, 5);
  for (const { target } of platforms) assert.match(target, /^(x86_64|aarch64)-/);
});

Deno.test("release: a runtime that cannot be fetched is said with its address", () => {
  const said = [
    "\x1b[31merror\x1b[0m: Writing deno compile executable to temporary file 'x.tmp'",
    "",
    "Caused by:",
    "    0: error sending request for url (https://example.org/denort.zip): client error (Connect)",
    "    1: dns error",
  ].join("\n");
  assert.equal(
    reasonIn(said),
    "its runtime could not be fetched from https://example.org/denort.zip; " +
      "run this where deno can fetch it, or name a runtime for this system in DENORT_BIN",
  );
  assert.equal(reasonIn("error: disk full\n"), "error: disk full");
  assert.equal(reasonIn(""), "deno compile failed without a word");
});

Deno.test("release: checksums are over every binary, in the form that sha256sum checks, and name plain starts", async () => {
  const folder = await Deno.makeTempDir();
  try {
    await Deno.writeTextFile(`${folder}/nimlet-1-b`, "b");
    await Deno.writeTextFile(`${folder}/nimlet-1-a`, "abc");
    await Deno.writeTextFile(`${folder}/notes.txt`, "");
    await Deno.writeTextFile(`${folder}/nimlet.1`, "abc");
    await writeChecksums(folder, ["nimlet-1-b"]);
    const deno = `deno ${Deno.version.deno}`;
    assert.equal(
      await Deno.readTextFile(`${folder}/SHA256SUMS`),
      `# nimlet-1-a: made by ${deno}, starts without compiled code\n` +
        "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad  nimlet-1-a\n" +
        `# nimlet-1-b: made by ${deno}, starts from compiled code\n` +
        "3e23e8160039594a33894f6564e1b1348bbd7a0088d42c4acb73eeaed59c009d  nimlet-1-b\n" +
        "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad  nimlet.1\n",
    );
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});
