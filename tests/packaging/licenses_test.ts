/** The tests of the notices: what the bundle really holds, each with a text, and nothing that is stale. */
import assert from "node:assert/strict";
import { bundle } from "../../scripts/bundle.ts";
import { withFolder } from "../../scripts/compile_folder.ts";
import { bundledPackages } from "../../scripts/packaging/bundled_packages.ts";
import { licensesText, pcre2Version } from "../../scripts/packaging/licenses.ts";
import { unpacked } from "../../src/lib/packed.ts";
import { fromFileUrl } from "../support/streams.ts";

const root = fromFileUrl(new URL("../..", import.meta.url));

Deno.test("licences: the bundle holds the notices of all that is in it, and so does the file", async () => {
  await withFolder(async (folder) => {
    const packages = await bundle(`${root}/`.replace("//", "/"), folder);
    const names = packages.map(({ name }) => name);
    for (const name of ["zod", "@stephen-riley/pcre2-wasm", "tree-sitter-bash"]) {
      assert.ok(names.includes(name), name);
    }
    // types alone, and tests
    for (const name of ["openai", "@copilotkit/aimock", "esbuild"]) {
      assert.ok(!names.includes(name), name);
    }
    const held = new TextDecoder().decode(
      unpacked(await Deno.readFile(`${folder}/program/licenses.txt.gz`)),
    );
    const file = await Deno.readTextFile(`${root}/scripts/packaging/LICENSES`);
    assert.equal(file, held, "scripts/packaging/LICENSES is stale: run deno task licenses");
    for (const { name, version } of packages) {
      assert.ok(held.includes(`\n${name} ${version} (`), name);
    }
    const holders = [
      "Deno authors",
      "V8 project authors",
      "Philip Hazel",
      "Rich Felker",
      "Unicode, Inc.",
    ];
    for (const word of holders) assert.ok(held.includes(word), word);
    const pcre2 = new TextDecoder("latin1").decode(
      unpacked(await Deno.readFile(`${folder}/program/libpcre2.wasm.gz`)),
    );
    const [, found] = /\0(\d+\.\d+) \d{4}-\d\d-\d\d\0/.exec(pcre2)!;
    assert.equal(pcre2Version, found, "the version of PCRE2 in scripts/packaging/licenses.ts");
  });
});

Deno.test("licences: a package of another version than the lock file's is refused", async () => {
  const nodeModules = await Deno.makeTempDir();
  try {
    await Deno.mkdir(`${nodeModules}/@a/b`, { recursive: true });
    await Deno.writeTextFile(`${nodeModules}/@a/b/package.json`, '{"version":"1.2.3"}');
    const account = {
      outputs: {
        "out.js": {
          inputs: {
            "../x/node_modules/@a/b/main.js": { bytesInOutput: 10 },
            "../x/node_modules/unused/main.js": { bytesInOutput: 0 },
            "src/own.ts": { bytesInOutput: 10 },
          },
        },
      },
    };
    const read = (lock: Record<string, unknown>) =>
      bundledPackages([account], [], nodeModules, { npm: lock });
    await assert.rejects(
      read({ "@a/b@1.2.4": {} }),
      /@a\/b 1\.2\.3 is bundled, and not the version/,
    );
    const [found, ...others] = await read({ "@a/b@1.2.3": {} });
    assert.deepEqual([found?.name, found?.text, others], ["@a/b", undefined, []]);
  } finally {
    await Deno.remove(nodeModules, { recursive: true });
  }
});

Deno.test("licences: a package without a text stops the making", async () => {
  const bare = { name: "bare", version: "1.0.0", license: "MIT", text: undefined };
  await assert.rejects(licensesText([bare]), /bare 1\.0\.0 \(MIT\) ships no text of its licence/);
});
