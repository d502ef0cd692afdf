/** The packages whose code or files a bundle really holds, with their licences. */

export interface BundledPackage {
  readonly name: string;
  readonly version: string;
  /** As `MIT`. */
  readonly license: string;
  /** The text that the package ships; undefined where it ships none. */
  readonly text: string | undefined;
}

/** What is used of esbuild's account of a build. */
interface BuildAccount {
  readonly outputs: Readonly<
    Record<
      string,
      { readonly inputs: Readonly<Record<string, { readonly bytesInOutput: number }>> }
    >
  >;
}

const licenseFile = /^(?:licen[cs]e|copying)(?:\.(?:md|txt))?$/i;

/**
 * The packages of which a build took a byte, or one of `assets`, in the order of their names.
 * Throws where one is not what the lock file says.
 */
export async function bundledPackages(
  accounts: readonly BuildAccount[],
  assets: readonly string[],
  nodeModules: string,
  lock: { readonly npm: Readonly<Record<string, unknown>> },
): Promise<BundledPackage[]> {
  const inputs = accounts.flatMap(({ outputs }) =>
    Object.values(outputs).flatMap(({ inputs }) =>
      Object.entries(inputs).filter(([, { bytesInOutput }]) => bytesInOutput > 0)
        .map(([path]) => path)
    )
  );
  const paths = [...inputs, ...assets.map((asset) => `node_modules/${asset}`)];
  const names = new Set(paths.map(packageOf).filter((name) => name !== undefined));
  return await Promise.all([...names].sort().map((name) => read(name, nodeModules, lock)));
}

/** The package of a path: what follows its last `node_modules`. */
function packageOf(path: string): string | undefined {
  return /.*node_modules[/\\]((?:@[^/\\]+[/\\])?[^/\\]+)[/\\]/.exec(path)?.[1]?.replace("\\", "/");
}

async function read(
  name: string,
  nodeModules: string,
  lock: { readonly npm: Readonly<Record<string, unknown>> },
): Promise<BundledPackage> {
  const folder = `${nodeModules}/${name}`;
  const { version, license } = JSON.parse(await Deno.readTextFile(`${folder}/package.json`));
  if (lock.npm[`${name}@${version}`] === undefined) {
    throw new Error(`${name} ${version} is bundled, and not the version that deno.lock has`);
  }
  const [file] = [...Deno.readDirSync(folder)].map((entry) => entry.name)
    .filter((entry) => licenseFile.test(entry)).sort();
  const text = file === undefined ? undefined : await Deno.readTextFile(`${folder}/${file}`);
  return { name, version, license, text };
}
