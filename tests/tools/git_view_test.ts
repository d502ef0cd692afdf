/** The check that git is shown the work tree as it is, and nothing from outside of it. */
import assert from "node:assert/strict";
import { untilBoth, whileSwapping } from "../support/swapper.ts";
import { type TestRepository, withRepository } from "./git_repository.ts";

const body = (text: string) => text.slice(text.indexOf("\n\n") + 2);

/** Runs lines of shell in the workspace. */
async function shell({ workspace, context }: TestRepository, script: string): Promise<void> {
  const { success, stderr } = await new Deno.Command("bash", {
    args: ["-ec", script],
    cwd: workspace,
    env: {
      ...context.childEnv,
      GIT_AUTHOR_NAME: "Ann",
      GIT_AUTHOR_EMAIL: "a@b",
      GIT_COMMITTER_NAME: "Ann",
      GIT_COMMITTER_EMAIL: "a@b",
    },
    clearEnv: true,
    stdout: "null",
    stderr: "piped",
  }).output();
  assert.ok(success, new TextDecoder().decode(stderr));
}

/** Every kind of change that a work tree can hold. */
const changes = `
mkdir -p sub/deep 'odd "name'
for f in kept changed staged both gone removed mode typed touched; do seq 30 > sub/$f; done
seq 10 > sub/deep/crlf; printf 'x\\0y' > sub/bin; seq 5 > 'odd "name/ä b'
ln -s kept sub/link; ln -s kept sub/relinked; seq 40 > sub/renamed
printf '*.txt text eol=crlf\\n' > .gitattributes; printf 'deep/crlf -text\\n' > sub/.gitattributes
git add .; git commit -qm second
sed -i s/7/seven/ sub/changed sub/staged sub/both 'odd "name/ä b'; git add sub/staged sub/both
sed -i s/8/eight/ sub/both sub/deep/crlf; rm sub/gone; git rm -q sub/removed; chmod +x sub/mode
rm sub/typed; ln -s kept sub/typed; touch -d '2001-01-01' sub/touched
printf 'x\\0z' > sub/bin; ln -sf changed sub/relinked; git mv sub/renamed sub/moved
printf 'one\\r\\ntwo\\r\\n' > a.txt; echo new > sub/new; git add -N sub/new
printf 'deep/crlf text eol=lf\\n' > sub/.gitattributes
`;

for (const commit of [undefined, "HEAD", "HEAD~1", "HEAD~1..HEAD", "HEAD^!"]) {
  Deno.test(`a diff is what git itself shows: ${commit ?? "of the work tree"}`, () =>
    withRepository(async (repository) => {
      await shell(repository, changes);
      const plain = await repository.git(
        ...["-c", "diff.autoRefreshIndex=false", "-c", "core.quotePath=false", "diff"],
        ...(commit === undefined ? [] : [commit]),
      );
      const { text } = await repository.call({
        operation: "diff",
        ...(commit === undefined ? {} : { commit }),
      });
      assert.equal(body(text), plain);
      assert.ok(plain.length > 1000);
    }));
}

Deno.test("a diff of a part, and from a folder below the top", () =>
  withRepository(async (repository) => {
    await shell(repository, changes);
    const plain = await repository.git(
      "-c",
      "diff.autoRefreshIndex=false",
      "diff",
      "--",
      "sub/deep",
    );
    const { text } = await repository.call({ operation: "diff", path: "sub/deep" });
    assert.equal(body(text), plain);
    assert.match(plain, /^-8\n/m);
  }));

Deno.test("blame, log and show are what git itself shows, attributes and mail map included", () =>
  withRepository(async (repository) => {
    await shell(
      repository,
      `echo 'a.txt -diff' > .gitattributes; echo 'Anna <a@b> <ann@example.org>' > .mailmap
mkdir d; seq 3 > d/x; git add .; git commit -qm second; sed -i s/2/two/ d/x; ln -s x d/l`,
    );
    for (const rest of [["d/x"], ["d/x", "HEAD"], ["a.txt"]]) {
      const [path, commit] = rest as [string, string?];
      const plain = await repository.git(
        "blame",
        "--date=iso",
        ...commit ? [commit] : [],
        "--",
        path,
      );
      const input = { operation: "blame", path, ...commit ? { commit } : {} };
      const now = /Not Committed Yet \d.{24}/;
      assert.equal(
        body((await repository.call(input)).text).replace(now, ""),
        plain.replace(now, ""),
      );
    }
    const show = await repository.call({ operation: "show", commit: "HEAD~1" });
    assert.match(show.text, /^Binary files \/dev\/null and b\/a\.txt differ$/m);
    assert.match((await repository.call({ operation: "show", commit: "HEAD:d/x" })).text, /\n2\n/);
    assert.match((await repository.call({ operation: "log", path: "d" })).text, /second/);
  }));

Deno.test("a conflict is shown as git shows it", () =>
  withRepository(async (repository) => {
    await shell(
      repository,
      `git checkout -qb side; echo side > a.txt; git commit -qam side
git checkout -q main; echo main > a.txt; git commit -qam main; git merge side || true`,
    );
    const { text } = await repository.call({ operation: "diff" });
    assert.equal(body(text), await repository.git("diff"));
    assert.match(text, /^diff --cc a\.txt\n/m);
  }));

Deno.test("a submodule counts by its commit, and a file in its place is not shown as one", () =>
  withRepository(async (repository) => {
    await shell(
      repository,
      `git init -q ../lib; cd ../lib; echo 1 > x; git add .; git commit -qm 1
cd ../work; git -c protocol.file.allow=always submodule add -q ../lib lib; git commit -qm lib
cd lib; echo 2 > x; git commit -qam 2`,
    );
    const { text } = await repository.call({ operation: "diff" });
    assert.equal(body(text), await repository.git("diff"));
    assert.match(text, /^\+Subproject commit [0-9a-f]{40}$/m);
    // Now the file in the submodule's place leads to another repository.
    await shell(repository, `git clone -q ../lib ../far; echo "gitdir: ../../far/.git" > lib/.git`);
    assert.match(await repository.git("diff"), /Subproject/);
    assert.doesNotMatch((await repository.call({ operation: "diff" })).text, /Subproject/);
  }));

Deno.test("settings of a repository that are links are not read", () =>
  withRepository(async (repository) => {
    await Deno.writeTextFile(`${repository.root}/secret`, "password\n");
    await shell(
      repository,
      `git config blame.ignoreRevsFile .ignored; ln -s ../secret .ignored; ln -s ../secret .mailmap`,
    );
    for (const operation of ["blame", "log", "show", "diff", "status"]) {
      const { text } = await repository.call({ operation, path: "a.txt" });
      assert.doesNotMatch(text, /password/);
    }
  }));

Deno.test("what is too large, or cannot be opened by its name, is named", () =>
  withRepository(async (repository) => {
    await shell(
      repository,
      `head -c 70000000 /dev/zero > big; echo x > "$(printf 'f\\351')"; git add .; git commit -qm b
echo y >> big; echo y > "$(printf 'f\\351')"; echo two > a.txt`,
    );
    const { text } = await repository.call({ operation: "diff" });
    assert.match(
      text,
      /^\+two\n\n\[not compared, as too large or not to be opened .*: big, "f\ufffd"\]$/m,
    );
  }));

Deno.test("nothing of nimlet's own folder is shown by git", () =>
  withRepository(async (repository) => {
    await shell(repository, "mkdir .own; echo sk-1 > .own/auth; git add .; git commit -qm own");
    await repository.write(".own/auth", "sk-PRIVATE\n");
    await repository.write(".own/new", "");
    const own = { ...repository, context: repository.context };
    const nimletHome = `${repository.workspace}/.own`;
    Object.assign(own.context, { nimletHome });
    const diff = await own.call({ operation: "diff" });
    assert.match(diff.text, /^\[not compared, .*: \.own\/auth\]$/m);
    assert.doesNotMatch(diff.text, /PRIVATE/);
    assert.doesNotMatch((await own.call({})).text, /\?\? \.own/);
    for (const operation of ["blame", "log", "diff", "status"]) {
      const { text } = await own.call({ operation, path: ".own/auth" });
      assert.match(text, /^path is outside the workspace: \.own\/auth \(nimlet's own folder/);
    }
  }));

for (const operation of ["diff", "blame", "status"]) {
  Deno.test(`${operation} shows nothing of a folder that is swapped for a link`, () =>
    withRepository(async (repository) => {
      const { workspace } = repository;
      await shell(
        repository,
        `mkdir ../out d; echo OUTSIDE > ../out/secret.txt; touch ../out/OUTSIDE-NAME d/inside-name
echo inside > d/secret.txt; git add d/secret.txt; git commit -qm d; ln -s ../out e
echo 'inside, changed' > d/secret.txt`,
      );
      const input = operation === "status" ? { path: "d" } : { path: "d/secret.txt", operation };
      await whileSwapping(`${workspace}/d`, `${workspace}/e`, async () => {
        const { yes, no } = await untilBoth(6, async () => {
          const { text } = await repository.call(input);
          assert.doesNotMatch(text, /OUTSIDE/);
          return /inside, changed|inside-name/.test(text);
        });
        assert.ok(yes >= 6 && no >= 6, `${yes} with, ${no} without`);
      });
    }));
}
