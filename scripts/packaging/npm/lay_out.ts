/** The npm packages of a release: `nimlet`, and one with the program for each system. */
import { fileURLToPath } from "node:url";
import { minGlibc, packageName, type Platform, platforms } from "../platforms.ts";

const here = fileURLToPath(new URL(".", import.meta.url));

export interface PackageSources {
  readonly version: string;
  /** Paths of the binaries that were made. */
  readonly binaries: ReadonlyMap<Platform, string>;
  /** Files that every package has beside the program, by their name: licences. */
  readonly shared: ReadonlyMap<string, string>;
  /** Files of `nimlet` alone, by their path in it: the man page, completions. */
  readonly own: ReadonlyMap<string, string>;
}

/** Writes a folder for each package into `folder`, and gives their names, that of `nimlet` first. */
export async function layOutPackages(folder: string, sources: PackageSources): Promise<string[]> {
  await writeMain(`${folder}/nimlet`, sources);
  const names = ["nimlet"];
  for (const [platform, binary] of sources.binaries) {
    const name = packageName(platform);
    await writePlatform(`${folder}/${name}`, platform, binary, sources);
    names.push(name);
  }
  return names;
}

async function writeMain(folder: string, sources: PackageSources): Promise<void> {
  await emptyFolder(`${folder}/bin`);
  const program = (await Deno.readTextFile(`${here}program.cjs`))
    .replace('{ "%PACKAGES%": "" }', JSON.stringify(packagesBySystem()))
    .replace("%MIN_GLIBC%", minGlibc);
  await Deno.writeTextFile(`${folder}/program.cjs`, program);
  await Deno.copyFile(`${here}postinstall.cjs`, `${folder}/postinstall.cjs`);
  await Deno.copyFile(`${here}launcher.cjs`, `${folder}/bin/nimlet`);
  await Deno.chmod(`${folder}/bin/nimlet`, 0o755);
  await Deno.copyFile(`${here}README.md`, `${folder}/README.md`);
  await writeFiles(folder, sources.shared);
  await writeFiles(folder, sources.own);
  const man = [...sources.own.keys()].filter((path) => path.endsWith(".1"));
  await writeManifest(folder, {
    ...about("nimlet", "A coding agent for the shell", sources.version),
    bin: { nimlet: "bin/nimlet" },
    ...man.length === 0 ? {} : { man },
    scripts: { postinstall: "node postinstall.cjs" },
    optionalDependencies: Object.fromEntries(
      platforms.map((platform) => [packageName(platform), sources.version]),
    ),
  });
}

async function writePlatform(
  folder: string,
  platform: Platform,
  binary: string,
  { version, shared }: PackageSources,
): Promise<void> {
  const { os, cpu } = platform;
  const file = os === "win32" ? "nimlet.exe" : "nimlet";
  await emptyFolder(`${folder}/bin`);
  await Deno.copyFile(binary, `${folder}/bin/${file}`);
  if (Deno.build.os !== "windows") await Deno.chmod(`${folder}/bin/${file}`, 0o755);
  await writeFiles(folder, shared);
  await writeManifest(folder, {
    ...about(packageName(platform), `The program of nimlet for ${os} on ${cpu}`, version),
    os: [os],
    cpu: [cpu],
    ...os === "linux" ? { libc: ["glibc"] } : {},
    preferUnplugged: true,
  });
}

function about(name: string, description: string, version: string) {
  return { name, version, description, license: "MIT", engines: { node: ">=18" } };
}

/** The launcher knows a system by Node's names for it. */
function packagesBySystem(): Record<string, string> {
  return Object.fromEntries(
    platforms.map((platform) => [`${platform.os}-${platform.cpu}`, packageName(platform)]),
  );
}

async function emptyFolder(path: string): Promise<void> {
  const folder = path.slice(0, path.lastIndexOf("/"));
  await Deno.remove(folder, { recursive: true }).catch((error) => {
    if (!(error instanceof Deno.errors.NotFound)) throw error;
  });
  await Deno.mkdir(path, { recursive: true });
}

async function writeFiles(folder: string, files: ReadonlyMap<string, string>): Promise<void> {
  for (const [path, text] of files) {
    await Deno.mkdir(`${folder}/${path}`.replace(/\/[^/]*$/, ""), { recursive: true });
    await Deno.writeTextFile(`${folder}/${path}`, text);
  }
}

async function writeManifest(folder: string, manifest: object): Promise<void> {
  await Deno.writeTextFile(`${folder}/package.json`, `${JSON.stringify(manifest, null, 2)}\n`);
}
