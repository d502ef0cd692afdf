/** The npm packages as people install them: packed, installed into an empty prefix, used, and removed. */
import assert from "node:assert/strict";
import { packageRelease } from "../../scripts/packaging/package_release.ts";
import { packageName, platforms } from "../../scripts/packaging/platforms.ts";
import { version } from "../../src/lib/version.ts";
import { call, cassette, say } from "../support/cassette.ts";
import { programEnv, withScratch } from "../support/program.ts";
import { programOnPath } from "../support/shell.ts";
import { installed, type Need, posix, testWhere } from "../support/test_where.ts";

const platform = platforms.find(({ target }) => target === Deno.build.target);
const isReleased: Need = { met: platform !== undefined, reason: "needs a system of a release" };

testWhere(
  [posix, isReleased, installed("npm")],
  "npm: packed, installed into an empty prefix, run against a cassette, and removed",
  () =>
    withScratch(async ({ root, workspace, home }) => {
      const run = async (command: string, ...args: string[]) => {
        const { code, stdout, stderr } = await new Deno.Command(command, {
          args,
          cwd: workspace,
          clearEnv: true,
          env: programEnv(home),
          stdin: "null",
        }).output();
        const [out, said] = [stdout, stderr].map((bytes) => new TextDecoder().decode(bytes));
        assert.equal(code, 0, `${command} ${args.join(" ")}: ${out}${said}`);
        return out!;
      };
      const npm = (...args: string[]) =>
        run("npm", "--offline", "--no-audit", "--no-fund", "--no-update-notifier", ...args);

      const binary = Deno.env.get("NIMLET_BIN") ?? `${await programOnPath(root)}/nimlet`;
      await packageRelease(root, version, new Map([[platform!, binary]]));
      const names = ["nimlet", packageName(platform!)];
      const folders = names.map((name) => `${root}/npm/${name}`);
      for (const folder of folders) await Deno.stat(`${folder}/LICENSES`);
      const packed = (await npm("pack", "--silent", "--pack-destination", root, ...folders))
        .trim().split("\n");
      assert.deepEqual(packed.sort(), names.map((name) => `${name}-${version}.tgz`).sort());

      const prefix = `${root}/a prefix`;
      const files = packed.map((name) => `${root}/${name}`);
      const how = ["--global", "--omit=optional", "--allow-scripts=nimlet", "--prefix", prefix];
      await npm("install", ...how, ...files);
      const command = `${prefix}/bin/nimlet`;
      assert.deepEqual(await Deno.readFile(command), await Deno.readFile(binary), "is the program");
      assert.equal(await run(command, "--version"), `nimlet ${version}\n`);
      const manPage = await Deno.readTextFile(`${prefix}/share/man/man1/nimlet.1`);
      assert.match(manPage, /^\.TH NIMLET 1 /);
      await Deno.writeTextFile(`${workspace}/a.txt`, "one\n");
      const played = await cassette(`${root}/run.jsonl`, [
        call("read", { path: "a.txt" }),
        say("It says one."),
      ]);
      assert.equal(await run(command, "-p", ...played, "What is in a.txt?"), "It says one.\n");

      // over it, where packages may run nothing: the launcher starts the program
      await npm("install", "--ignore-scripts", ...how, ...files);
      assert.match(await Deno.readTextFile(command), /^#!\/usr\/bin\/env node\n/);
      assert.equal(await run(command, "-p", ...played, "What is in a.txt?"), "It says one.\n");

      await npm("uninstall", "--global", "--prefix", prefix, ...names);
      const left = ["bin", "lib/node_modules", "share/man/man1"].flatMap((folder) =>
        [...Deno.readDirSync(`${prefix}/${folder}`)].map(({ name }) => name)
      );
      assert.deepEqual(left.filter((name) => name.includes("nimlet")), []);
    }),
);
