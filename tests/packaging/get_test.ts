/** The tests of the installer that fetches a release, against a server on loopback. */
import assert from "node:assert/strict";
import { installerText } from "../../scripts/packaging/installer.ts";
import { type FakeAnswer, listenHttp } from "../support/fake_http.ts";
import { installed, linux, testWhere } from "../support/test_where.ts";

const good = "#!/bin/sh\necho nimlet 9.9.9\n";
const old = "#!/bin/sh\necho nimlet 1.0.0\n";
const name = "nimlet-9.9.9-linux-x86_64";
const programs = [
  "sh",
  "cp",
  "mktemp",
  "mkdir",
  "rm",
  "mv",
  "chmod",
  "cat",
  "grep",
  "ls",
  "sha256sum",
];

interface Options {
  /** What the server has, by the file's name; a text is sent whole. */
  readonly files?: Record<string, string | FakeAnswer>;
  readonly env?: (folder: string) => Record<string, string>;
  /** Programs of the test's own, as scripts, that stand before those of the system. */
  readonly stubs?: Record<string, string>;
  /** A program that is installed already. */
  readonly present?: string;
  readonly tools?: readonly string[];
}

const x86 = { uname: "case $1 in -s) echo Linux;; *) echo x86_64;; esac" };
const newGlibc = { getconf: "echo glibc 2.36" };

async function sums(text: string): Promise<string> {
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text));
  const hex = [...new Uint8Array(digest)].map((byte) => byte.toString(16).padStart(2, "0")).join(
    "",
  );
  return `# a comment\n${"0".repeat(64)}  nimlet-9.9.9-macos-aarch64\n${hex}  ${name}\n`;
}

async function get(options: Options = {}) {
  const folder = await Deno.realPath(await Deno.makeTempDir({ prefix: "nimlet get " }));
  const files = options.files ?? { [name]: good, SHA256SUMS: await sums(good) };
  const asked: string[] = [];
  const server = listenHttp(({ path }) => {
    asked.push(path);
    const file = files[path.replace("/r/v9.9.9/", "")];
    if (file === undefined) return { status: 404, body: "none" };
    return typeof file === "string" ? { body: file } : file;
  });
  try {
    const bin = `${folder}/programs`;
    await Deno.mkdir(bin);
    for (const tool of [...programs, ...options.tools ?? ["curl"]]) {
      const found = (Deno.env.get("PATH") ?? "").split(":").map((dir) => `${dir}/${tool}`)
        .find((path) => isFile(path));
      if (found !== undefined) await Deno.symlink(found, `${bin}/${tool}`);
    }
    for (const [stub, text] of Object.entries({ ...x86, ...newGlibc, ...options.stubs })) {
      await Deno.writeTextFile(`${bin}/${stub}`, `#!/bin/sh\n${text}\n`, { mode: 0o755 });
    }
    const home = `${folder}/home`, target = `${home}/.local/bin`;
    await Deno.mkdir(options.present === undefined ? home : target, { recursive: true });
    if (options.present !== undefined) {
      await Deno.writeTextFile(`${target}/nimlet`, options.present, { mode: 0o755 });
    }
    const child = new Deno.Command(`${bin}/sh`, {
      clearEnv: true,
      env: {
        HOME: home,
        PATH: bin,
        NIMLET_DOWNLOADS: `http://127.0.0.1:${server.port}/r`,
        ...options.env?.(folder),
      },
      cwd: folder,
      // as `curl | sh` does
      stdin: "piped",
      stdout: "piped",
      stderr: "piped",
    }).spawn();
    const writer = child.stdin.getWriter();
    await writer.write(new TextEncoder().encode(await installerText("9.9.9")));
    await writer.close();
    const { code, stdout, stderr } = await child.output();
    const [out, said] = [stdout, stderr].map((bytes) =>
      new TextDecoder().decode(bytes).replaceAll(home, "~").replaceAll(`:${server.port}`, "")
    );
    const there = isFolder(target) ? [...Deno.readDirSync(target)].map((entry) => entry.name) : [];
    const program = isFile(`${target}/nimlet`)
      ? await Deno.readTextFile(`${target}/nimlet`)
      : undefined;
    const shared = isFolder(`${home}/.local/share`) ? below(`${home}/.local/share`) : [];
    return { code, stdout: out!, stderr: said!, there, program, asked, shared };
  } finally {
    await server.close();
    await Deno.remove(folder, { recursive: true });
  }
}

/** A failure is one sentence, and leaves what was there. */
async function refused(options: Options, sentence: RegExp): Promise<string[]> {
  const result = await get({ present: old, ...options });
  assert.equal(result.code, 1, result.stdout);
  const [line, ...more] = result.stderr.trimEnd().split("\n").filter((one) =>
    !one.startsWith("curl:")
  );
  assert.match(line!, sentence);
  assert.deepEqual(more, []);
  assert.deepEqual([result.there, result.program, result.stdout], [["nimlet"], old, ""]);
  return result.asked;
}

const needs = [linux, installed("curl"), installed("sha256sum")];

testWhere(
  needs,
  "installer: fetches, checks and installs for this system, and explains PATH",
  async () => {
    const { code, stdout, stderr, there, program, asked } = await get();
    assert.deepEqual([code, stderr, there, program], [0, "", ["nimlet"], good]);
    assert.match(stdout, /^installed nimlet 9\.9\.9 as ~\/\.local\/bin\/nimlet\n/);
    assert.match(stdout, /\n {4}export PATH="~\/\.local\/bin:\$PATH"\n/);
    assert.deepEqual(asked, ["/r/v9.9.9/SHA256SUMS", `/r/v9.9.9/${name}`]);
  },
);

testWhere(
  needs,
  "installer: replaces an older one, in a folder of one's choice as well",
  async () => {
    assert.deepEqual((await get({ present: old })).program, good);
    const elsewhere = await get({ env: (folder) => ({ NIMLET_INSTALL_DIR: `${folder}/my bin` }) });
    assert.equal(elsewhere.code, 0, elsewhere.stderr);
    assert.match(elsewhere.stdout, /as .*\/my bin\/nimlet\n/);
  },
);

testWhere(
  needs,
  "installer: a folder may be relative and end in a slash, a version may begin with v",
  async () => {
    const { code, stdout, stderr, program, shared } = await get({
      env: () => ({ NIMLET_INSTALL_DIR: "home/.local/bin//", NIMLET_VERSION: "v9.9.9" }),
    });
    assert.deepEqual([code, stderr, program], [0, "", good]);
    assert.match(stdout, /^installed nimlet 9\.9\.9 as ~\/\.local\/bin\/nimlet\n/);
    assert.ok(shared.includes("bash-completion/completions/nimlet"), shared.join(", "));
  },
);

testWhere(
  needs,
  "installer: beside a folder that is not called bin nothing is written",
  async () => {
    const { code, stdout, shared } = await get({
      env: (folder) => ({ NIMLET_INSTALL_DIR: `${folder}/home/.local/tools` }),
    });
    assert.deepEqual([code, shared], [0, []]);
    assert.doesNotMatch(stdout, /man page/);
  },
);

testWhere(needs, "installer: another nimlet that comes first on PATH is named", async () => {
  const path = (folder: string) => ({ PATH: `${folder}/programs:${folder}/home/.local/bin` });
  const alone = await get({ env: path });
  assert.equal(alone.stdout, "installed nimlet 9.9.9 as ~/.local/bin/nimlet\n");
  const other = await get({ env: path, stubs: { nimlet: "echo nimlet 1.0.0" } });
  assert.match(other.stdout, /\nPATH finds \S.*\/programs\/nimlet first\n$/);
});

testWhere(needs, "installer: a folder in the program's place is told", async () => {
  const { code, stderr, asked } = await get({
    env: (folder) => {
      Deno.mkdirSync(`${folder}/home/.local/bin/nimlet`, { recursive: true });
      return {};
    },
  });
  assert.deepEqual([code, asked], [1, []]);
  assert.match(stderr, /^nimlet: ~\/\.local\/bin\/nimlet is a folder: name another folder/);
});

testWhere(
  [...needs, installed("wget")],
  "installer: wget does where there is no curl",
  async () => {
    const { code, stderr, program } = await get({ tools: ["wget"] });
    assert.deepEqual([code, stderr, program], [0, "", good]);
  },
);

testWhere(
  [...needs, installed("busybox", ["true"])],
  "installer: so does that of BusyBox",
  async () => {
    const { code, stderr, program } = await get({
      tools: ["busybox"],
      stubs: { wget: 'exec busybox wget "$@"' },
    });
    assert.deepEqual([code, stderr, program], [0, "", good]);
  },
);

testWhere(needs, "installer: a file of another sum changes nothing", async () => {
  const files = { [name]: `${good}# changed\n`, SHA256SUMS: await sums(good) };
  await refused(
    { files },
    /is not what SHA256SUMS says: expected [0-9a-f]{64}, found [0-9a-f]{64}/,
  );
});

testWhere(
  needs,
  "installer: half a file changes nothing, whether its length is known or not",
  async () => {
    const half = good.slice(0, 12);
    const all = await sums(good);
    await refused({ files: { [name]: half, SHA256SUMS: all } }, /is not what SHA256SUMS says/);
    const cut: FakeAnswer = {
      headers: { "content-length": String(good.length) },
      pieces: [half],
      ending: "cut",
    };
    await refused(
      { files: { [name]: cut, SHA256SUMS: all } },
      /could not be fetched; nothing was changed/,
    );
  },
);

testWhere(needs, "installer: no sums, or none for this system, change nothing", async () => {
  await refused({ files: { [name]: good } }, /SHA256SUMS could not be fetched/);
  const asked = await refused(
    { stubs: { uname: "case $1 in -s) echo Linux;; *) echo aarch64;; esac" } },
    /SHA256SUMS has no line for nimlet-9\.9\.9-linux-aarch64: there is none for this system/,
  );
  assert.equal(asked.length, 1);
});

testWhere(
  needs,
  "installer: a program that does not start changes nothing, and says what is needed",
  async () => {
    const broken = "#!/bin/sh\nexit 127\n";
    const files = { [name]: broken, SHA256SUMS: await sums(broken) };
    await refused(
      { files },
      /does not start on this system; nothing was changed\. nimlet needs Linux/,
    );
  },
);

testWhere(
  needs,
  "installer: musl, an old glibc and unknown systems are told before anything is fetched",
  async () => {
    const cases: [Record<string, string>, RegExp][] = [
      [
        { getconf: "exit 1", ldd: "echo 'musl libc (x86_64)' >&2; exit 1" },
        /found musl, as on Alpine/,
      ],
      [{ getconf: "echo glibc 2.17" }, /needs Linux with glibc 2\.27 or later.*found glibc 2\.17$/],
      [{ getconf: "echo glibc 1.99" }, /found glibc 1\.99$/],
      [
        { uname: "case $1 in -s) echo Linux;; *) echo riscv64;; esac" },
        /no nimlet for Linux on riscv64/,
      ],
      [{ uname: "case $1 in -s) echo FreeBSD;; *) echo amd64;; esac" }, /no nimlet for FreeBSD/],
      [
        { uname: "case $1 in -s) echo MINGW64_NT;; *) echo x86_64;; esac" },
        /on Windows install .* npm/,
      ],
    ];
    for (const [stubs, sentence] of cases) assert.deepEqual(await refused({ stubs }, sentence), []);
    assert.equal((await get({ stubs: { getconf: "echo glibc 3.0" } })).code, 0);
  },
);

testWhere(
  needs,
  "installer: a folder that cannot be made is told before anything is fetched",
  async () => {
    const env = () => ({ NIMLET_INSTALL_DIR: "/dev/null/bin" });
    const asked = await refused(
      { env },
      /the folder \/dev\/null\/bin cannot be made: name another/,
    );
    assert.deepEqual(asked, []);
  },
);

testWhere(needs, "installer: a folder that cannot be written is told", async () => {
  // nobody can make a file there, not even root
  const asked = await refused(
    { env: () => ({ NIMLET_INSTALL_DIR: "/proc" }) },
    /\/proc cannot be written: name another folder/,
  );
  assert.deepEqual(asked, []);
});

testWhere(needs, "installer: without an address it says that nothing is published", async () => {
  await refused({ env: () => ({ NIMLET_DOWNLOADS: "" }) }, /no release is published yet/);
});

testWhere(needs, "installer: a script that arrived in part does nothing", async () => {
  const text = await installerText("9.9.9");
  for (const part of [0.3, 0.6, 0.95]) {
    const folder = await Deno.makeTempDir();
    const child = new Deno.Command("sh", {
      args: ["-c", text.slice(0, text.length * part)],
      env: { HOME: folder, NIMLET_DOWNLOADS: "http://127.0.0.1:1" },
      stdout: "null",
      stderr: "null",
    });
    await child.output();
    assert.deepEqual([...Deno.readDirSync(folder)], []);
    await Deno.remove(folder);
  }
});

/** Paths of the files below a folder. */
function below(folder: string, from = folder): string[] {
  return [...Deno.readDirSync(folder)].flatMap(({ name, isDirectory }) =>
    isDirectory ? below(`${folder}/${name}`, from) : [`${folder}/${name}`.slice(from.length + 1)]
  ).sort();
}

function isFile(path: string): boolean {
  return kindOf(path) === "file";
}

function isFolder(path: string): boolean {
  return kindOf(path) === "folder";
}

function kindOf(path: string): "file" | "folder" | undefined {
  try {
    return Deno.statSync(path).isDirectory ? "folder" : "file";
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return undefined;
    throw error;
  }
}
