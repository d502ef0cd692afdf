/** The running of shell lines in which `nimlet` is the program under test. */
import { programCommand, programEnv, type ProgramResult } from "./program.ts";

export interface ShellOptions {
  /** The scratch root; `nimlet` is put into its `bin`. */
  readonly root: string;
  readonly cwd: string;
  readonly env?: Record<string, string>;
  readonly limitMs?: number;
}

/** Runs `script` with bash to its end; stdin is /dev/null. */
export async function runShell(script: string, options: ShellOptions): Promise<ProgramResult> {
  const { root, cwd, env } = options;
  const bin = await programOnPath(root);
  const all = programEnv(`${root}/home`, env);
  const child = new Deno.Command("bash", {
    args: ["-c", script],
    cwd,
    clearEnv: true,
    env: { ...all, PATH: `${bin}:${all.PATH}` },
    stdin: "null",
    stdout: "piped",
    stderr: "piped",
  }).spawn();
  const limitMs = options.limitMs ?? 60_000;
  let expired = false;
  const timer = setTimeout(() => {
    expired = true;
    try {
      child.kill("SIGKILL");
    } catch {
      // the shell has ended, and something it left behind holds its output
    }
  }, limitMs);
  const { code, signal, stdout, stderr } = await child.output();
  clearTimeout(timer);
  if (expired) throw new Error(`${script}\ndid not end within ${limitMs} ms`);
  const decoder = new TextDecoder();
  return { code, signal, stdout: decoder.decode(stdout), stderr: decoder.decode(stderr) };
}

/** A folder with an executable `nimlet` in it. */
export async function programOnPath(root: string): Promise<string> {
  const bin = `${root}/bin`;
  await Deno.mkdir(bin, { recursive: true });
  const words = programCommand().map((word) => `'${word.replaceAll("'", `'\\''`)}'`).join(" ");
  const draft = `${bin}/${crypto.randomUUID()}`;
  await Deno.writeTextFile(draft, `#!/bin/sh\nexec ${words} "$@"\n`, { mode: 0o755 });
  // at once, for another shell may be starting it
  await Deno.rename(draft, `${bin}/nimlet`);
  return bin;
}
