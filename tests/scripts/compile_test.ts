/** The tests of what `deno task compile` says where it cannot make the binary. */
import assert from "node:assert/strict";
import { fileURLToPath } from "node:url";
import { bundle } from "../../scripts/bundle.ts";
import { withFolder } from "../../scripts/compile_folder.ts";

const root = fileURLToPath(new URL("../../", import.meta.url));
const script = `${root}scripts/compile.ts`;

Deno.test("compile: without a network it says which address the runtime could not be fetched from", async () => {
  const folder = await Deno.makeTempDir();
  try {
    // all packages are there after it
    await withFolder((made) => bundle(root, made));
    const { denoDir } = JSON.parse(
      new TextDecoder().decode(
        (await new Deno.Command(Deno.execPath(), { args: ["info", "--json"] }).output()).stdout,
      ),
    );
    await Deno.mkdir(`${folder}/cache`);
    await Deno.symlink(`${denoDir}/npm`, `${folder}/cache/npm`);
    const { DENORT_BIN: _, ...env } = Deno.env.toObject();
    const { code, stderr } = await new Deno.Command(Deno.execPath(), {
      args: ["run", "-A", "--no-check", script, "--output", `${folder}/nimlet`],
      clearEnv: true,
      env: {
        ...env,
        DENO_DIR: `${folder}/cache`,
        HTTPS_PROXY: "http://127.0.0.1:9",
        NO_COLOR: "1",
      },
      stdin: "null",
    }).output();
    const said = new TextDecoder().decode(stderr).trimEnd().split("\n");
    assert.equal(code, 1, said.join("\n"));
    assert.match(
      said.at(-1)!,
      /^compile: .*nimlet was not made: its runtime could not be fetched from https:\S+; run this where deno can fetch it, or name a runtime for this system in DENORT_BIN$/,
    );
    assert.doesNotMatch(said.join("\n"), /\n\s+at /);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});

Deno.test("compile: a flag that is not known, or a runtime that is not there, is one sentence", async () => {
  const folder = await Deno.realPath(await Deno.makeTempDir());
  try {
    const compile = async (args: string[], env: Record<string, string>) => {
      const { code, stderr } = await new Deno.Command(Deno.execPath(), {
        args: ["run", "-A", "--no-check", script, ...args],
        env: { ...env, INIT_CWD: folder, NO_COLOR: "1" },
        stdin: "null",
      }).output();
      assert.equal(code, 1);
      return new TextDecoder().decode(stderr);
    };
    assert.match(await compile(["--bogus"], {}), /^compile: Unknown option '--bogus'[^\n]*\n$/);
    assert.equal(
      await compile(["--output", "made"], { DENORT_BIN: "some/denort" }),
      `compile: DENORT_BIN: expected the file of a runtime at ${folder}/some/denort, found none\n`,
    );
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});
