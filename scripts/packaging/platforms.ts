/** The systems that a release is made for, by the names that each of its forms uses. */

export interface Platform {
  /** Deno's name for it. */
  readonly target: string;
  /** The end of its binary's name in a release. */
  readonly file: string;
  /** Node's names, and the end of its package's name: `nimlet-linux-x64`. */
  readonly os: "linux" | "darwin" | "win32";
  readonly cpu: "x64" | "arm64";
}

export const platforms: readonly Platform[] = [
  { target: "x86_64-unknown-linux-gnu", file: "linux-x86_64", os: "linux", cpu: "x64" },
  { target: "aarch64-unknown-linux-gnu", file: "linux-aarch64", os: "linux", cpu: "arm64" },
  { target: "x86_64-apple-darwin", file: "macos-x86_64", os: "darwin", cpu: "x64" },
  { target: "aarch64-apple-darwin", file: "macos-aarch64", os: "darwin", cpu: "arm64" },
  { target: "x86_64-pc-windows-msvc", file: "windows-x86_64.exe", os: "win32", cpu: "x64" },
];

/** What the binary for Linux needs of the C library; the runtime that it holds says so. */
export const minGlibc = "2.27";

/** The name of a platform's npm package. */
export function packageName({ os, cpu }: Platform): string {
  return `nimlet-${os}-${cpu}`;
}
