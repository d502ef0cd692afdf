/** Packages from npm that a test runs against: installed once by the test itself, outside the project. */
import type { Need } from "./test_where.ts";

export interface NpmPackages {
  readonly need: Need;
  /** Path of a file in the folder of packages. */
  path(file: string): string;
}

/**
 * Installs `packages`, each with its exact version, into a folder for temporary files; what is there from
 * an earlier run is used again. Without a network, or without npm, the need is not met.
 */
export function npmPackages(name: string, packages: readonly string[]): NpmPackages {
  const user = Deno.build.os === "windows" ? "" : `-${Deno.uid()}`;
  const folder = `${Deno.env.get("TMPDIR") ?? "/tmp"}/nimlet-npm-${name}${user}`;
  return {
    need: {
      met: isInstalled(folder, packages) || install(folder, packages),
      reason: `needs ${packages.join(" ")}: npm could not install them`,
    },
    path: (file) => `${folder}/node_modules/${file}`,
  };
}

/** Each package with the version that is wanted. */
function isInstalled(folder: string, packages: readonly string[]): boolean {
  return packages.every((wanted) => {
    const at = wanted.lastIndexOf("@");
    try {
      const path = `${folder}/node_modules/${wanted.slice(0, at)}/package.json`;
      return JSON.parse(Deno.readTextFileSync(path)).version === wanted.slice(at + 1);
    } catch {
      return false;
    }
  });
}

const installMs = 180_000;

function install(folder: string, packages: readonly string[]): boolean {
  try {
    Deno.mkdirSync(folder, { recursive: true, mode: 0o700 });
    // made by somebody else it is not used
    if (Deno.build.os !== "windows" && Deno.lstatSync(folder).uid !== Deno.uid()) return false;
    const { success } = new Deno.Command("timeout", {
      args: [
        ...[
          `${installMs / 1000}`,
          "npm",
          "install",
          "--prefix",
          folder,
          "--no-save",
          "--ignore-scripts",
        ],
        ...["--no-audit", "--no-fund", "--fetch-retries=0", "--silent", ...packages],
      ],
      stdin: "null",
      stdout: "null",
      stderr: "null",
    }).outputSync();
    return success && isInstalled(folder, packages);
  } catch {
    return false;
  }
}
