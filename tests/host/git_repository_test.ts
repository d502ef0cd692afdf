/** The check that a repository is the workspace's own, and that all of it is in it. */
import assert from "node:assert/strict";
import { findRepository } from "../../src/host/git_repository.ts";
import { withWorkspace } from "../support/tool_context.ts";

/** Runs lines of shell in `folder`, with git as in a clean home. */
async function shell(folder: string, script: string): Promise<void> {
  const { success, stderr } = await new Deno.Command("bash", {
    args: [
      "-ec",
      `g() { git -c user.name=n -c user.email=e -c protocol.file.allow=always "$@"; }
${script}`,
    ],
    cwd: folder,
    env: { PATH: Deno.env.get("PATH") ?? "", HOME: folder, GIT_CONFIG_NOSYSTEM: "1" },
    clearEnv: true,
    stdout: "null",
    stderr: "piped",
  }).output();
  assert.ok(success, new TextDecoder().decode(stderr));
}

/** A private repository beside a workspace `w` with one of its own; `change` plants something. */
async function withPlanted(change: string, use: (root: string) => void | Promise<void>) {
  await withWorkspace(async (root) => {
    await shell(
      root,
      `mkdir private w; cd private; git init -q -b main; echo secret > s; g add .; g commit -qm secret
git branch steal; cd ../w; git init -q -b main; echo x > a; g add .; g commit -qm first
P=../private/.git; ${change}`,
    );
    await use(root);
  });
}

/** What is foreign about the repository that `w` finds; `undefined` where it is its own. */
function foreignAt(root: string, folder = "w"): string | undefined {
  const repository = findRepository(`${root}/${folder}`);
  assert.ok(repository, "no repository was found");
  return "foreign" in repository ? repository.foreign : undefined;
}

const planted: Record<string, string> = {
  "alternates": "echo $PWD/$P/objects > .git/objects/info/alternates",
  "alternates that are relative": "echo ../../$P/objects > .git/objects/info/alternates",
  "alternates in quotes": `echo "\\"$PWD/$P/objects\\"" > .git/objects/info/alternates`,
  "alternates of alternates":
    `git init -q --bare mid; echo ../../$P/objects > mid/objects/info/alternates
echo ../../mid/objects > .git/objects/info/alternates`,
  "alternates through a link inside":
    `echo $PWD/$P/objects > list; ln -s ../../../list .git/objects/info/alternates`,
  "a branch as a link": "ln -s ../../../$P/refs/heads/steal .git/refs/heads/steal",
  "a branch as a link to what is to come":
    "ln -s ../../../$P/refs/heads/none .git/refs/heads/steal",
  "a folder of refs": "ln -s ../../../$P/refs/heads .git/refs/heads/theirs",
  "packed refs": "ln -s ../$P/packed-refs .git/packed-refs",
  "packs": "rm -r .git/objects/pack; ln -s ../../$P/objects/pack .git/objects/pack",
  "a folder of objects": "ln -s ../../$P/objects/aa .git/objects/aa; mkdir -p $P/objects/aa",
  "one object": "mkdir -p .git/objects/ab; ln -s /etc/passwd .git/objects/ab/cd",
  "all objects": "mv .git/objects o; ln -s ../$P/objects .git/objects",
  "the index": "ln -sf ../$P/index .git/index",
  "HEAD": "ln -sf ../$P/HEAD .git/HEAD",
  "the configuration": "ln -sf ../$P/config .git/config",
  "grafts, whose lines git quotes": "ln -s /etc/passwd .git/info/grafts",
  "a shallow file": "ln -s /etc/passwd .git/shallow",
  "a reflog": "ln -sf ../../$P/logs/HEAD .git/logs/HEAD",
  "a common folder": "echo ../$P > .git/commondir",
  "a link in place of .git": "mv .git g; ln -s $P .git",
  "a file in place of .git": "mv .git g; echo gitdir: $P > .git",
};
for (const [what, change] of Object.entries(planted)) {
  Deno.test(`a repository that takes from another one is foreign: ${what}`, () =>
    withPlanted(change, (root) => {
      assert.notEqual(foreignAt(root), undefined);
      // The same from a folder of the work tree.
      Deno.mkdirSync(`${root}/w/below`);
      assert.notEqual(foreignAt(root, "w/below"), undefined);
    }));
}

Deno.test("a bare repository in the workspace's place must be whole, too", () =>
  withPlanted("", async (root) => {
    const bare = async (change: string) => {
      await shell(root, `rm -rf b; git init -q --bare b; cd b; P=../private/.git; ${change}`);
      return foreignAt(root, "b");
    };
    assert.equal(await bare(""), undefined);
    assert.notEqual(await bare("echo $P > commondir"), undefined);
    assert.notEqual(await bare("rm -r objects; ln -s $P/objects objects"), undefined);
    assert.notEqual(await bare("ln -s ../../$P/refs/heads/steal refs/heads/steal"), undefined);
    assert.notEqual(await bare("echo $PWD/$P/objects > objects/info/alternates"), undefined);
  }));

Deno.test("what a repository links within itself is its own", () =>
  withPlanted(
    `mkdir store; git init -q --bare store/extra; echo $PWD/store/extra/objects > .git/objects/info/alternates
echo '# a comment' >> .git/objects/info/alternates; ln -s main .git/refs/heads/alias
mv .git/packed-refs store/ 2>/dev/null || touch store/packed-refs; ln -s ../store/packed-refs .git/packed-refs
ln -s /usr/share/hooks .git/hooks/elsewhere; mkdir .git/lfs; ln -s /mnt/lfs .git/lfs/objects`,
    (root) => assert.equal(foreignAt(root), undefined),
  ));

Deno.test("a linked worktree is its own where the repository points back to it", () =>
  withPlanted(
    "git worktree add -q ../linked; git worktree add -q ../other; cp -r ../linked ../copied",
    async (root) => {
      assert.equal(foreignAt(root, "linked"), undefined);
      assert.match(foreignAt(root, "copied")!, /is not this workspace's repository$/);
      await shell(root, "echo $PWD/private/.git/objects > w/.git/objects/info/alternates");
      assert.match(foreignAt(root, "linked")!, /^objects\/info\/alternates names /);
    },
  ));

Deno.test("a submodule is its own where its repository lies in the superproject's modules", () =>
  withPlanted(
    "g submodule add -q ../private sub; g submodule add -q ../private two",
    async (root) => {
      assert.equal(foreignAt(root, "w/sub"), undefined);
      await shell(root, "cp w/two/.git w/sub/.git");
      assert.match(foreignAt(root, "w/sub")!, /modules\/two, which is not this workspace's/);
      // Nobody says that this folder is a part of the repository that its file names.
      const stray = `git clone -q private far; cd far; git config core.worktree $PWD/../w/sub
echo "gitdir: $PWD/.git" > ../w/sub/.git`;
      await shell(root, stray);
      assert.match(foreignAt(root, "w/sub")!, /far\/\.git, which is not this workspace's/);
      await shell(
        root,
        "mkdir x fake; cp -r w/.git/modules/two fake/; echo gitdir: ../fake/two > x/.git",
      );
      assert.notEqual(foreignAt(root, "x"), undefined);
    },
  ));

Deno.test("without a repository there is none, and a broken one is passed over as git does it", () =>
  withWorkspace(async (root) => {
    assert.equal(findRepository(root), undefined);
    await shell(root, "git init -q up; mkdir -p up/w/.git");
    const found = findRepository(`${root}/up/w`);
    assert.deepEqual(found, { top: `${root}/up`, gitFolder: `${root}/up/.git`, bare: false });
  }));
