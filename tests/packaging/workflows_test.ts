/** The tests of the workflow files: their form, their rights, and that they know what there is. */
import assert from "node:assert/strict";
import { parseDocument } from "yaml";
import { packageRelease } from "../../scripts/packaging/package_release.ts";
import { platforms } from "../../scripts/packaging/platforms.ts";
import { writeChecksums } from "../../scripts/release.ts";
import { fromFileUrl } from "../support/streams.ts";
import { installed, testWhere } from "../support/test_where.ts";

const root = fromFileUrl(new URL("../..", import.meta.url)).replace(/\/$/, "");

interface Job {
  readonly permissions?: Record<string, string>;
  readonly strategy?: { matrix: { include?: { target: string }[] } };
  readonly steps: { uses?: string; run?: string }[];
}

interface Workflow {
  readonly permissions: Record<string, string>;
  readonly jobs: Record<string, Job>;
}

function read(name: string): Workflow {
  const text = Deno.readTextFileSync(`${root}/scripts/packaging/workflows/${name}.yml`);
  const document = parseDocument(text);
  assert.deepEqual([document.errors, document.warnings], [[], []], name);
  return document.toJS();
}

for (const name of ["ci", "release"]) {
  Deno.test(`workflow ${name}: reads alone but where it says, and its steps are known`, () => {
    const { permissions, jobs } = read(name);
    assert.deepEqual(permissions, { contents: "read" });
    for (const { steps } of Object.values(jobs)) {
      for (const { uses, run } of steps) {
        assert.ok((uses === undefined) !== (run === undefined));
        if (uses !== undefined) assert.match(uses, /^actions\/[\w-]+@v\d+$/);
        // what strangers name (branches, titles) is no text of a script
        for (const [, name] of (run ?? "").matchAll(/\$\{\{ ([\w.-]+) \}\}/g)) {
          assert.match(name!, /^matrix\./);
        }
      }
    }
  });

  testWhere(installed("bash"), `workflow ${name}: its scripts are those of bash`, async () => {
    for (const { steps } of Object.values(read(name).jobs)) {
      for (const { run } of steps) {
        if (run === undefined) continue;
        const { code, stderr } = await new Deno.Command("bash", { args: ["-n", "-c", run] })
          .output();
        assert.deepEqual([code, new TextDecoder().decode(stderr)], [0, ""]);
      }
    }
  });
}

Deno.test("workflow ci: runs all that a change must pass", () => {
  const [job] = Object.values(read("ci").jobs);
  assert.ok(job!.steps.some(({ run }) => run === ".ci/run"));
  const script = Deno.readTextFileSync(`${root}/.ci/run`);
  const programs = [...script.matchAll(/for (?:program|package) in ([\w ]+);/g)]
    .flatMap(([, names]) => names!.split(" "));
  assert.ok(programs.length > 5);
  const words = job!.steps.flatMap(({ run }) => run?.split(/\s+/) ?? []);
  for (const program of programs) assert.ok(words.includes(program), program);
});

Deno.test("workflow release: each system of a release, started there and attested", () => {
  const { build } = read("release").jobs;
  const targets = build!.strategy!.matrix.include!.map(({ target }) => target);
  assert.deepEqual(targets, platforms.map(({ target }) => target));
  const steps = JSON.stringify(build!.steps);
  for (const words of ["task release --target", "--version", "attest-build-provenance"]) {
    assert.ok(steps.includes(words), words);
  }
  const rights = { contents: "read", "id-token": "write", attestations: "write" };
  assert.deepEqual(build!.permissions, rights);
});

testWhere(
  installed("bash"),
  "workflow release: its start of the binary works with a binary",
  async () => {
    const step = read("release").jobs.build!.steps.find(({ run }) => run?.includes("--licenses"))!;
    const folder = await Deno.makeTempDir();
    try {
      const { programOnPath } = await import("../support/shell.ts");
      const { programEnv } = await import("../support/program.ts");
      await Deno.mkdir(`${folder}/dist/release`, { recursive: true });
      await Deno.symlink(
        `${await programOnPath(folder)}/nimlet`,
        `${folder}/dist/release/nimlet-1-x`,
      );
      const { code, stdout, stderr } = await new Deno.Command("bash", {
        args: ["-eo", "pipefail", "-c", step.run!],
        cwd: folder,
        clearEnv: true,
        env: { ...programEnv(folder), RUNNER_TEMP: folder },
        stdin: "null",
      }).output();
      const [out, said] = [stdout, stderr].map((bytes) => new TextDecoder().decode(bytes));
      assert.equal(code, 0, `${out}${said}`);
      assert.match(out!, /^nimlet \d/);
    } finally {
      await Deno.remove(folder, { recursive: true });
    }
  },
);

testWhere(
  [installed("bash"), installed("npm"), installed("sha256sum")],
  "workflow release: what each system made becomes one folder, with a sum for each file",
  async () => {
    const folder = await Deno.makeTempDir();
    try {
      const step = read("release").jobs.draft!.steps.find(({ run }) => run?.includes("npm pack"))!;
      const made = [["linux", "linux-x86_64"], ["windows", "windows-x86_64.exe"]] as const;
      for (const [system, file] of made) {
        const place = `${folder}/made/${system}`;
        const platform = platforms.find((one) => one.file === file)!;
        await Deno.mkdir(place, { recursive: true });
        const binary = `${place}/nimlet-9.9.9-${file}`;
        await Deno.writeTextFile(binary, system);
        await packageRelease(place, "9.9.9", new Map([[platform, binary]]));
        await writeChecksums(place, []);
        // as an artifact has them
        await Deno.chmod(`${place}/npm/nimlet/bin/nimlet`, 0o644);
      }
      const { code, stdout, stderr } = await new Deno.Command("bash", {
        args: ["-eo", "pipefail", "-c", step.run!],
        cwd: folder,
        env: { HOME: folder },
        stdin: "null",
      }).output();
      const said = new TextDecoder().decode(stdout) + new TextDecoder().decode(stderr);
      assert.equal(code, 0, said);
      const names = [...Deno.readDirSync(`${folder}/release`)].map(({ name }) => name).sort();
      assert.deepEqual(names, [
        "SHA256SUMS",
        "get.sh",
        "nimlet-9.9.9-linux-x86_64",
        "nimlet-9.9.9-windows-x86_64.exe",
        "nimlet-9.9.9.tgz",
        "nimlet-linux-x64-9.9.9.tgz",
        "nimlet-win32-x64-9.9.9.tgz",
        "nimlet.1",
      ]);
      const sums = (await Deno.readTextFile(`${folder}/release/SHA256SUMS`)).trim().split("\n")
        .filter((line) => !line.startsWith("#")).map((line) => line.split("  ")[1]!);
      assert.deepEqual(sums.sort(), names.slice(1), "each once");
      const listed = await new Deno.Command("tar", {
        args: ["-tvzf", `${folder}/release/nimlet-9.9.9.tgz`, "package/bin/nimlet"],
      }).output();
      assert.match(new TextDecoder().decode(listed.stdout), /^-rwxr-xr-x/);
    } finally {
      await Deno.remove(folder, { recursive: true });
    }
  },
);
