import assert from "node:assert/strict";
import { knownMissing } from "../../src/host/known_missing.ts";

Deno.test("what appears, changes and goes is seen at every look", async () => {
  const folder = await Deno.makeTempDir();
  const path = `${folder}/place`;
  const look = knownMissing();
  for (let round = 0; round < 2; round++) {
    assert.equal(look(path), "missing");
    assert.equal(look(path), "missing");
    Deno.writeTextFileSync(path, "");
    assert.equal(look(path), "file");
    Deno.removeSync(path);
    assert.equal(look(path), "missing");
    Deno.mkdirSync(path);
    assert.equal(look(path), "folder");
    Deno.removeSync(path);
  }
  Deno.symlinkSync(`${folder}/none`, path);
  assert.equal(knownMissing()(path), "link");
  Deno.removeSync(folder, { recursive: true });
});
