import assert from "node:assert/strict";
import { withMountCheck } from "../../src/host/sandbox/mount_check.ts";
import { installed, testWhere } from "../support/test_where.ts";

/** What the check says of a list of mounts; "" where the command ran. */
async function said(places: string[], lines: string[]): Promise<string> {
  const list = await Deno.makeTempFile();
  await Deno.writeTextFile(list, lines.map((line) => `${line}\n`).join(""));
  const [file, ...args] = withMountCheck("/bin/bash", places, ["echo", "ran", "$(id)"], list);
  const { stdout, stderr, code } = await new Deno.Command(file!, { args }).output();
  await Deno.remove(list);
  const [out, error] = [stdout, stderr].map((bytes) => new TextDecoder().decode(bytes));
  if (code === 0) assert.equal(out, "ran $(id)\n");
  else assert.equal(code, 125);
  return error!;
}

const mount = (dev: string, root: string, at: string) =>
  `90 80 ${dev} ${root} ${at} rw,relatime - ext4 /dev/x rw`;
const workspace = mount("8:1", "/home/me/W", "/home/me/W");

testWhere(
  installed("bash"),
  "mounts that are where they should be let the command run",
  async () => {
    const right = [
      mount("0:9", "/", "/"),
      workspace,
      mount("8:1", "/home/me/W/a", "/home/me/W/a"),
      mount("8:1", "/home/me/W/a/b", "/home/me/W/a/b"),
    ];
    assert.equal(await said(["/home/me/W/a", "/home/me/W/a/b"], right), "");
    assert.equal(await said([], right), "");
    const root = [mount("8:1", "/", "/home/me/W"), mount("8:1", "/a", "/home/me/W/a")];
    assert.equal(await said(["/home/me/W/a"], root), "");
    // a disk of its own within the workspace comes along, and is mounted again
    const disk = mount("9:1", "/deep", "/home/me/W/a");
    assert.equal(await said(["/home/me/W/a"], [workspace, disk, disk]), "");
    const odd = "/home/me/W/a b\\c\n]$(id)";
    const shown = "/home/me/W/a\\040b\\134c\\012]$(id)";
    assert.equal(await said([odd], [workspace, mount("8:1", shown, shown)]), "");
  },
);

testWhere(installed("bash"), "what was swapped for something else is told", async () => {
  const told = (error: string) =>
    assert.match(error, /\/home\/me\/W\/a was moved while the command/);
  const at = "/home/me/W/a";
  told(await said([at], [workspace, mount("8:1", "/home/me/.ssh", at)]));
  told(await said([at], [workspace, mount("8:2", "/home/me/W/a", at)]));
  told(await said([at], [workspace, mount("8:1", "/home/me/W/other", at)]));
  told(await said([at], [workspace, mount("8:1", "/home/me/W/a", "/home/me/W/other")]));
  told(await said([at], [workspace]));
  told(await said([at], []));
});
