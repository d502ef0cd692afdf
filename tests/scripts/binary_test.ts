/** The tests of how the binary runs its script: with kept code, without it, with code that V8 refuses. */
import assert from "node:assert/strict";
import { fileURLToPath } from "node:url";

const source = fileURLToPath(new URL("../../scripts/binary/program.ts", import.meta.url));

/** Gives `use` a folder in which a small program takes the place of the whole one, and what runs it. */
async function withProgram(
  use: (code: string, run: () => Promise<string>) => Promise<void>,
): Promise<void> {
  const folder = await Deno.makeTempDir({ prefix: "nimlet-binary-" });
  try {
    await Deno.mkdir(`${folder}/program`);
    await Deno.copyFile(source, `${folder}/program.ts`);
    await Deno.writeTextFile(
      `${folder}/program/script.js`,
      "(function (node, address) {" +
        "  const { basename } = node('node:path');" +
        "  const runProgram = (args, exit, code) => [...args, basename(address), code].join(' ');" +
        "  return { runProgram };" +
        "})",
    );
    await Deno.writeTextFile(
      `${folder}/main.ts`,
      'import { compiledCode, runProgram } from "./program.ts";\n' +
        "console.log(runProgram(Deno.args, Deno.exit));\n" +
        "Deno.writeFileSync(`${import.meta.dirname}/made`, compiledCode());\n",
    );
    await use(`${folder}/program/script.code`, async () => {
      const { stdout, stderr } = await new Deno.Command(Deno.execPath(), {
        args: ["run", "--quiet", "-A", "--no-check", "--no-config", `${folder}/main.ts`, "a", "b"],
        env: { NO_COLOR: "1" },
      }).output();
      return new TextDecoder().decode(stdout) + new TextDecoder().decode(stderr);
    });
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

Deno.test("the binary's program runs from kept code, and without it where V8 refuses it", async () => {
  await withProgram(async (code, run) => {
    assert.equal(await run(), "a b script.js none\n");
    const made = await Deno.readFile(code.replace(/program.script\.code$/, "made"));
    await Deno.writeFile(code, made);
    assert.equal(await run(), "a b script.js used\n");
    for (const bad of [made.slice(0, 100), new Uint8Array(1000), new Uint8Array(0)]) {
      await Deno.writeFile(code, bad);
      assert.equal(await run(), "a b script.js refused\n", `${bad.length} bytes`);
    }
    // code of a script of another length
    const script = code.replace(/code$/, "js");
    await Deno.writeFile(code, made);
    await Deno.writeTextFile(script, `${await Deno.readTextFile(script)} `);
    assert.equal(await run(), "a b script.js refused\n");
  });
});
