/** Real git repositories for the tests of the git tool. */
import assert from "node:assert/strict";
import { gitTool } from "../../src/tools/git.ts";
import type { ToolContext } from "../../src/core/tool.ts";
import type { JsonObject } from "../../src/core/json.ts";
import { callTool, toolContext } from "../support/tool_context.ts";

export interface TestRepository {
  /** Holds the workspace, the trap's mark and whatever else a test needs. */
  readonly root: string;
  readonly workspace: string;
  /** The file that a trap makes when it is sprung. */
  readonly mark: string;
  readonly context: ToolContext;
  /** Plain git, unprotected, in the workspace. */
  git(...args: string[]): Promise<string>;
  /** Writes a file of the workspace. */
  write(name: string, content: string | Uint8Array): Promise<void>;
  /** Runs the git tool. */
  call(input: JsonObject, env?: Record<string, string>): ReturnType<typeof callTool>;
  /** True where the trap was sprung since the last look. */
  sprung(): Promise<boolean>;
}

/** A repository with one commit of `a.txt`, and nothing of the machine's own git settings. */
export async function withRepository(
  use: (repository: TestRepository) => Promise<void>,
): Promise<void> {
  const root = await Deno.realPath(await Deno.makeTempDir({ prefix: "nimlet-git-" }));
  try {
    const repository = await makeRepository(root);
    await repository.git("init", "-q", "-b", "main");
    await repository.write("a.txt", "one\n");
    await repository.git("add", ".");
    await repository.git("commit", "-qm", "first");
    await use(repository);
  } finally {
    await Deno.remove(root, { recursive: true });
  }
}

/** The tools of a test around `<root>/work`, which is not a repository yet. */
export async function makeRepository(root: string): Promise<TestRepository> {
  const workspace = `${root}/work`, home = `${root}/home`, mark = `${root}/mark`;
  await Deno.mkdir(workspace, { recursive: true });
  await Deno.mkdir(home, { recursive: true });
  const variables = {
    ...cleanEnvironment(),
    HOME: home,
    XDG_CONFIG_HOME: `${home}/.config`,
    GIT_CONFIG_NOSYSTEM: "1",
    GIT_AUTHOR_NAME: "Ann",
    GIT_AUTHOR_EMAIL: "ann@example.org",
    GIT_COMMITTER_NAME: "Ann",
    GIT_COMMITTER_EMAIL: "ann@example.org",
  };
  const context = { ...toolContext(workspace), childEnv: { ...cleanEnvironment(), HOME: home } };
  return {
    root,
    workspace,
    mark,
    context,
    git: (...args) => runGit(workspace, variables, args),
    write: async (name, content) => {
      const bytes = typeof content === "string" ? new TextEncoder().encode(content) : content;
      await Deno.writeFile(`${workspace}/${name}`, bytes);
    },
    call: (input, env = {}) =>
      callTool(gitTool, input, { ...context, childEnv: { ...context.childEnv, ...env } }),
    sprung: () => Deno.remove(mark).then(() => true, () => false),
  };
}

async function runGit(cwd: string, env: Record<string, string>, args: string[]): Promise<string> {
  const { code, stdout, stderr } = await new Deno.Command("git", {
    args,
    cwd,
    env,
    clearEnv: true,
    stdin: "null",
  }).output();
  // a sprung trap may make git fail: whoever wants success looks at the output
  return new TextDecoder().decode(stdout) +
    (code === 0 ? "" : new TextDecoder().decode(stderr));
}

function cleanEnvironment(): Record<string, string> {
  const all = Object.entries(Deno.env.toObject());
  return Object.fromEntries(all.filter(([name]) => !name.startsWith("GIT_")));
}

/** Shows that plain git springs the trap, then that the tool does not. */
export async function assertHarmless(
  repository: TestRepository,
  plain: readonly string[],
  input: JsonObject,
  expected: RegExp,
  prepare: () => Promise<void> = () => Promise.resolve(),
): Promise<void> {
  await prepare();
  await repository.git(...plain);
  assert.ok(await repository.sprung(), `plain git ${plain.join(" ")} does not spring the trap`);
  await prepare();
  const result = await repository.call(input);
  assert.equal(await repository.sprung(), false, `${JSON.stringify(input)} sprang the trap`);
  assert.equal(result.isError, false, result.text);
  assert.match(result.text, expected);
}
