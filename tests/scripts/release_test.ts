import assert from "node:assert/strict";
import { packageName, platforms } from "../../scripts/packaging/platforms.ts";
import { removeEarlier } from "../../scripts/packaging/earlier_release.ts";
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
  const reason = "its runtime could not be fetched from https://example.org/denort.zip; " +
    "run this where deno can fetch it";
  const own = Deno.build.target;
  assert.equal(reasonIn(said, own), `${reason}, or name a runtime for this system in DENORT_BIN`);
  assert.equal(reasonIn(said, "of another system"), reason);
  assert.equal(reasonIn("error: disk full\n", own), "error: disk full");
  const caused = "error: Writing the file\n\nCaused by:\n    0: opening\n    1: no such file\n";
  assert.equal(reasonIn(caused, own), "error: Writing the file: no such file");
  assert.equal(reasonIn("", own), "deno compile failed without a word");
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

Deno.test("release: what an earlier one left does not pass for a part of it", async () => {
  const folder = await Deno.makeTempDir();
  const left = () => [...Deno.readDirSync(folder)].map(({ name }) => name).sort();
  const packages = () => [...Deno.readDirSync(`${folder}/npm`)].map(({ name }) => name).sort();
  try {
    await removeEarlier(folder, "2.0.0", []);
    for (const name of ["nimlet-1.0.0-a", "nimlet-2.0.0-a", "get.sh", "nimlet.1"]) {
      await Deno.writeTextFile(`${folder}/${name}`, "");
    }
    for (const [name, version] of [["nimlet", "2.0.0"], ["nimlet-a", "1.0.0"]] as const) {
      await Deno.mkdir(`${folder}/npm/${name}`, { recursive: true });
      await Deno.writeTextFile(`${folder}/npm/${name}/package.json`, JSON.stringify({ version }));
    }
    await Deno.writeTextFile(`${folder}/npm/nimlet-1.0.0.tgz`, "");
    await removeEarlier(folder, "2.0.0", ["nimlet-2.0.0-a", "nimlet-2.0.0-b"]);
    assert.deepEqual(left(), ["get.sh", "nimlet-2.0.0-a", "nimlet.1", "npm"]);
    assert.deepEqual(packages(), ["nimlet"]);
    await removeEarlier(folder, "", []);
    assert.deepEqual([left(), packages()], [["get.sh", "nimlet.1", "npm"], []]);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});
