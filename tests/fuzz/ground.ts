/** The folders that random calls run in: a workspace of odd things, and an outside to keep. */
import { latin1, png, utf16le } from "../tools/file_fixture.ts";

export interface Ground {
  readonly root: string;
  readonly workspace: string;
  /** Beside the workspace, and linked from it. */
  readonly outside: string;
  /** Where the external tools are. */
  readonly tools: string;
  readonly home: string;
}

/** What kind of repository the workspace is. */
export type Repository = "with commits" | "empty" | "none";

/** Makes everything below `root`, an empty folder. */
export function layGround(root: string, repository: Repository): Ground {
  const ground = {
    root,
    workspace: `${root}/w`,
    outside: `${root}/outside`,
    tools: `${root}/tools`,
    home: `${root}/home`,
  };
  for (const folder of ["w", "outside/deep", "tools", "home"]) {
    Deno.mkdirSync(`${root}/${folder}`, { recursive: true });
  }
  layOutside(ground.outside);
  layTools(ground.tools);
  layFiles(ground.workspace);
  layLinks(ground);
  shell(ground, repositories[repository]);
  return ground;
}

function layOutside(folder: string): void {
  Deno.writeTextFileSync(`${folder}/secret`, "secret\n");
  Deno.writeTextFileSync(`${folder}/a.txt`, "one\ntwo\n");
  Deno.writeTextFileSync(`${folder}/deep/one.txt`, "one\n");
}

function layFiles(folder: string): void {
  const put = (path: string, content: string | Uint8Array) => {
    const file = `${folder}/${path}`;
    Deno.mkdirSync(file.slice(0, file.lastIndexOf("/")), { recursive: true });
    Deno.writeFileSync(
      file,
      typeof content === "string" ? new TextEncoder().encode(content) : content,
    );
  };
  put("a.txt", "one\ntwo\nthree three\n");
  put("src/x.ts", "const one = 1; // TODO\n");
  put("src/deep/er/y.txt", `${"a".repeat(40)}!\nFIXME\n`);
  put("crlf.txt", "one\r\ntwo\r\nx\r\n");
  put("bom.txt", "\ufeffone\ntwo\n");
  put("mixed.txt", "one\r\ntwo\nthree\rfour");
  put("utf16.txt", utf16le("one\r\ntwo\r\n"));
  put("latin1.txt", latin1("caf\xe9\none\n"));
  put("empty", "");
  put("binary.bin", latin1("one\0two\n"));
  put("long.txt", `${"a long line ".repeat(30_000)}\none\n`);
  put("picture.png", png(2, 2));
  put("cut.png", png(2, 2).slice(0, 20));
  put("read-only.txt", "one\n");
  put("dist/x.js", "one\n");
  put("sub/inner.txt", "one\n");
  put("hidden/.x", "one\n");
  for (const name of ["..hello/f", "...", "a b", "é.txt", "e\u0301.txt", 'q"uote', "new\nline"]) {
    put(name, "one\n");
  }
  for (
    const name of ["-rf", "--output=x", ":(top)x", "*", "[a]", "{b}", " lead", "trail.", "hard"]
  ) put(name, "one\n");
  for (let file = 0; file < 250; file++) put(`many/f${file}`, `one ${file}\n`);
  put(".gitignore", "ignored\n/dist/\n");
  Deno.linkSync(`${folder}/hard`, `${folder}/hard-too`);
  Deno.chmodSync(`${folder}/read-only.txt`, 0o444);
}

function layLinks(ground: Ground): void {
  const { workspace, outside } = ground;
  const links = {
    in: "src/deep",
    out: outside,
    "file-out": `${outside}/secret`,
    "lost-out": `${outside}/not/there`,
    loop: "loop",
    up: "..",
    root: "/",
    zero: "/dev/zero",
    "src/self": ".",
    "src/lost": "nowhere",
  };
  for (const [name, target] of Object.entries(links)) {
    Deno.symlinkSync(target, `${workspace}/${name}`);
  }
  shell(ground, "mkfifo fifo");
  // the file of a socket stays when its listener has gone
  Deno.listen({ transport: "unix", path: `${workspace}/socket` }).close();
}

const identity = "-c user.name=Ann -c user.email=ann@example.org";
const repositories: Record<Repository, string> = {
  none: "true",
  empty: "git init -q -b main",
  "with commits": `git init -q -b main && git add a.txt src crlf.txt latin1.txt ./-rf é.txt many &&
    git ${identity} commit -qm first && echo more >> a.txt && git ${identity} commit -qam second &&
    git tag tag && echo dirty >> a.txt && git mv crlf.txt moved.txt`,
};

const toolScripts = {
  echo_tool: "#!/bin/sh\ncat\n",
  failing_tool: "#!/bin/sh\necho reason >&2\nexit 9\n",
  broken_tool: "#!/bin/sh\necho '{\"cut\":'\n",
  noisy_tool:
    "#!/bin/sh\nyes noise | head -n 20000 >&2\nyes out | head -c 300000 | tr '\\n' ' ' |\n" +
    "  sed 's/^/\"/;s/$/\"/'\n",
};

function layTools(folder: string): void {
  const schema = {
    type: "object",
    properties: {
      text: { type: "string" },
      count: { type: "integer", minimum: 1 },
      list: { type: "array", items: { type: "number" } },
    },
    required: ["text"],
  };
  for (const [name, script] of Object.entries(toolScripts)) {
    Deno.mkdirSync(`${folder}/${name}`);
    const input_schema = name === "echo_tool" ? schema : { type: "object" };
    Deno.writeTextFileSync(
      `${folder}/${name}/tool.json`,
      JSON.stringify({
        name,
        description: `The ${name}.`,
        command: ["run"],
        input_schema,
        timeout_seconds: 5,
      }),
    );
    Deno.writeTextFileSync(`${folder}/${name}/run`, script);
    Deno.chmodSync(`${folder}/${name}/run`, 0o755);
  }
}

function shell({ workspace, home }: Ground, command: string): void {
  const { success, stderr } = new Deno.Command("sh", {
    args: ["-c", command],
    cwd: workspace,
    env: { HOME: home, GIT_CONFIG_NOSYSTEM: "1", PATH: Deno.env.get("PATH") ?? "/usr/bin:/bin" },
    clearEnv: true,
  }).outputSync();
  if (!success) {
    throw new Error(`the ground could not be laid: ${new TextDecoder().decode(stderr)}`);
  }
}
