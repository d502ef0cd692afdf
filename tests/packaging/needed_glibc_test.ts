/** The tests of what a binary needs of the C library. */
import assert from "node:assert/strict";
import { isPromised, neededGlibc } from "../../scripts/packaging/needed_glibc.ts";

async function neededBy(text: string): Promise<string | undefined> {
  const path = await Deno.makeTempFile();
  try {
    await Deno.writeTextFile(path, text);
    return await neededGlibc(path);
  } finally {
    await Deno.remove(path);
  }
}

Deno.test("glibc: the newest version that a file asks for, by number", async () => {
  assert.equal(await neededBy("\x7fELF\0GLIBC_2.9\0GLIBC_2.27\0GLIBC_2.3.4\0puts\0"), "2.27");
  assert.equal(await neededBy("\x7fELF\0puts\0"), undefined);
  assert.deepEqual(
    ["2.9", "2.27", "2.28", "1.99", "3.0"].map((needed) => isPromised(needed, "2.27")),
    [true, true, false, true, false],
  );
});
