/**
 * The making of a release: a binary for each system, its packages, and checksums.
 *
 *     deno task release [--target <triple>]...
 *
 * Fills dist/release with `nimlet-<version>-<system>` files, SHA256SUMS, and in `npm` a folder for each
 * npm package that could be made. A target whose runtime
 * cannot be fetched is named with the reason, the others are made all the same; the exit status is 0
 * only where all were made. Only the one for this system starts from compiled code, and SHA256SUMS says
 * of each other that it does not. `DENORT_BIN` names the runtime for this machine's own target.
 */
import { Buffer } from "node:buffer";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { version } from "../src/lib/version.ts";
import { bundle } from "./bundle.ts";
import { compileProgram, reasonIn } from "./compile.ts";
import { withFolder } from "./compile_folder.ts";
import { startsFromCode } from "./compiled_code.ts";
import { removeEarlier } from "./packaging/earlier_release.ts";
import { licensesText } from "./packaging/licenses.ts";
import { packageRelease } from "./packaging/package_release.ts";
import { isPromised, neededGlibc } from "./packaging/needed_glibc.ts";
import { minGlibc, type Platform, platforms } from "./packaging/platforms.ts";

const root = fileURLToPath(new URL("..", import.meta.url));

async function release(targets: readonly string[]): Promise<number> {
  const chosen = platforms.filter(({ target }) => targets.includes(target));
  const unknown = targets.filter((target) =>
    chosen.every((platform) => platform.target !== target)
  );
  if (unknown.length > 0) {
    console.error(
      `release: no target is called ${unknown.join(", ")}; there are ${allTargets.join(", ")}`,
    );
    return 2;
  }
  const folder = `${root}dist/release`;
  await Deno.mkdir(folder, { recursive: true });
  const names = targets === allTargets ? [] : platforms.map(binaryName);
  await removeEarlier(folder, targets === allTargets ? "" : version, names);
  const made = new Map<Platform, string>();
  const { missing, notices } = await withFolder(async (scratch) => {
    const held = await bundle(root, scratch);
    const failed: string[] = [];
    for (const platform of chosen) {
      const path = `${folder}/${binaryName(platform)}`;
      const problem = await make(scratch, path, platform.target);
      const name = binaryName(platform);
      console.log(problem === undefined ? `made ${name}` : `NOT made ${name}: ${problem}`);
      if (problem === undefined) made.set(platform, path);
      else failed.push(platform.target);
    }
    return { missing: failed, notices: await licensesText(held) };
  });
  const packed = await packageRelease(folder, version, made, notices);
  for (const name of packed) console.log(`made ${name}`);
  const own = platforms.find(({ target }) => target === Deno.build.target);
  const ownName = own === undefined ? undefined : binaryName(own);
  await writeChecksums(
    folder,
    ownName !== undefined && await hasCode(`${folder}/${ownName}`) ? [ownName] : [],
  );
  if (missing.length === 0) return 0;
  console.error(
    `release: ${missing.length} of ${targets.length} were not made: ${missing.join(", ")}`,
  );
  return 1;
}

const allTargets = platforms.map(({ target }) => target);

function binaryName({ file }: Platform): string {
  return `nimlet-${version}-${file}`;
}

/** Makes one binary; gives what went wrong in one line. */
async function make(folder: string, output: string, target: string): Promise<string | undefined> {
  await removeOld(output);
  const { code, said } = await compileProgram(folder, output, { target, quiet: true });
  if (code !== 0) return reasonIn(said, target);
  const needed = target.includes("linux") ? await neededGlibc(output) : undefined;
  if (needed !== undefined && !isPromised(needed, minGlibc)) {
    return `it needs glibc ${needed}, and scripts/packaging/platforms.ts promises ${minGlibc}`;
  }
  if (target !== Deno.build.target) return undefined;
  const { success, stdout } = await new Deno.Command(output, { args: ["--version"] }).output();
  const shown = new TextDecoder().decode(stdout).trim();
  return success && shown === `nimlet ${version}` ? undefined : "it does not start";
}

/** Removes a file, where there is one. */
async function removeOld(path: string): Promise<void> {
  try {
    await Deno.remove(path);
  } catch (error) {
    if (!(error instanceof Deno.errors.NotFound)) throw error;
  }
}

/** Whether there is such a binary of this system, and it starts from compiled code. */
async function hasCode(path: string): Promise<boolean> {
  try {
    await Deno.stat(path);
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return false;
    throw error;
  }
  return await startsFromCode(path);
}

/**
 * SHA256SUMS over every file of the folder that is part of the release, in the form of sha256sum, with a
 * comment above each binary: the deno that made it, and whether it starts from compiled code, as those of
 * `withCode` do.
 */
export async function writeChecksums(folder: string, withCode: readonly string[]): Promise<void> {
  const names = [...Deno.readDirSync(folder)].map(({ name }) => name)
    .filter((name) => /^nimlet[-.]|^get\.sh$/.test(name)).sort();
  const lines = await Promise.all(names.map(async (name) => {
    const digest = await crypto.subtle.digest("SHA-256", await Deno.readFile(`${folder}/${name}`));
    const start = withCode.includes(name) ? "from" : "without";
    const comment = name.startsWith("nimlet-")
      ? `# ${name}: made by deno ${Deno.version.deno}, starts ${start} compiled code\n`
      : "";
    return `${comment}${Buffer.from(digest).toString("hex")}  ${name}\n`;
  }));
  await Deno.writeTextFile(`${folder}/SHA256SUMS`, lines.join(""));
}

async function main(args: string[]): Promise<number> {
  const { values } = parseArgs({ args, options: { target: { type: "string", multiple: true } } });
  return await release(values.target ?? allTargets);
}

if (import.meta.main) {
  Deno.exit(
    await main(Deno.args).catch((error) => {
      console.error(`release: ${error instanceof Error ? error.message : error}`);
      return 1;
    }),
  );
}
