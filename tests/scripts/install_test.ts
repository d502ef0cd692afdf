import assert from "node:assert/strict";
import { minGlibc } from "../../scripts/packaging/platforms.ts";
import { posix, testWhere } from "../support/test_where.ts";
import { fileURLToPath } from "node:url";

const script = fileURLToPath(new URL("../../scripts/install.sh", import.meta.url));

/** Installs a stand-in for the binary, whose text is `program`, into an empty HOME. */
async function install(
  program: string | undefined,
  { env = {}, installed }: { env?: Record<string, string>; installed?: string } = {},
) {
  const home = await Deno.makeTempDir({ prefix: "nimlet install " });
  try {
    const binary = `${home}/made`;
    if (program !== undefined) await Deno.writeTextFile(binary, program, { mode: 0o755 });
    const folder = env.NIMLET_INSTALL_DIR ?? `${home}/.local/bin`;
    if (installed !== undefined) {
      await Deno.mkdir(folder, { recursive: true });
      await Deno.writeTextFile(`${folder}/nimlet`, installed, { mode: 0o755 });
    }
    const path = Deno.env.get("PATH") ?? "";
    const { code, stdout, stderr } = await new Deno.Command("sh", {
      args: [script, binary],
      clearEnv: true,
      env: {
        HOME: home,
        PATH: path,
        ...env,
        ...(env.PATH ? { PATH: `${path}:${home}/.local/bin` } : {}),
      },
      stdin: "null",
    }).output();
    const names = [...Deno.readDirSync(folder)].map(({ name }) => name);
    const decoder = new TextDecoder();
    return {
      code,
      stdout: decoder.decode(stdout).replaceAll(home, "~"),
      stderr: decoder.decode(stderr).replaceAll(home, "~"),
      names,
      text: names.includes("nimlet") ? await Deno.readTextFile(`${folder}/nimlet`) : undefined,
      mode: names.includes("nimlet")
        ? (await Deno.stat(`${folder}/nimlet`)).mode! & 0o777
        : undefined,
    };
  } finally {
    await Deno.remove(home, { recursive: true });
  }
}

const good = "#!/bin/sh\necho nimlet 9.9.9\n";

testWhere(posix, "install: the binary goes to ~/.local/bin, and PATH is explained", async () => {
  const { code, stdout, stderr, names, text, mode } = await install(good);
  assert.deepEqual([code, stderr, names, text, mode], [0, "", ["nimlet"], good, 0o755]);
  assert.match(stdout, /^installed nimlet 9\.9\.9 as ~\/\.local\/bin\/nimlet\n/);
  assert.match(stdout, /\n {4}export PATH="~\/\.local\/bin:\$PATH"\n/);
});

testWhere(posix, "install: with the folder on PATH nothing more is said", async () => {
  const { code, stdout } = await install(good, { env: { PATH: "with" } });
  assert.deepEqual([code, stdout], [0, "installed nimlet 9.9.9 as ~/.local/bin/nimlet\n"]);
});

testWhere(posix, "install: an older one is replaced", async () => {
  const { code, names, text } = await install(good, { installed: "old" });
  assert.deepEqual([code, names, text], [0, ["nimlet"], good]);
});

testWhere(posix, "install: a binary that does not start changes nothing", async () => {
  const { code, stderr, names, text } = await install("#!/bin/sh\nexit 1\n", { installed: "old" });
  assert.deepEqual([code, names, text], [1, ["nimlet"], "old"]);
  assert.match(stderr, /does not start on this system; nothing was changed/);
  if (Deno.build.os === "linux") {
    assert.ok(stderr.includes(`It needs glibc ${minGlibc} or later (not musl), and /proc`), stderr);
  }
});

testWhere(posix, "install: without a binary it says how to make one", async () => {
  const { code, stderr, text } = await install(undefined, { installed: "old" });
  assert.deepEqual([code, text], [1, "old"]);
  assert.match(stderr, /^install: expected a binary at ~\/made, found none: .*deno task compile/);
});

testWhere(
  posix,
  "install: a folder in the program's place is told, and nothing is put into it",
  async () => {
    const home = await Deno.makeTempDir();
    try {
      await Deno.mkdir(`${home}/bin/nimlet`, { recursive: true });
      await Deno.writeTextFile(`${home}/made`, good, { mode: 0o755 });
      const { code, stderr } = await new Deno.Command("sh", {
        args: [script, `${home}/made`],
        cwd: home,
        // relative, and with a slash at its end
        env: { NIMLET_INSTALL_DIR: "bin/" },
      }).output();
      assert.equal(code, 1);
      assert.match(
        new TextDecoder().decode(stderr),
        /^install: \S+\/bin\/nimlet is a folder: name another folder in NIMLET_INSTALL_DIR\n$/,
      );
      assert.deepEqual([...Deno.readDirSync(`${home}/bin/nimlet`)], []);
    } finally {
      await Deno.remove(home, { recursive: true });
    }
  },
);
