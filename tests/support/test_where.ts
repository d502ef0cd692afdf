/** Tests that need something of the machine: ignored where it is missing, with the reason in their name. */

export interface Need {
  readonly met: boolean;
  /** As "needs jq". */
  readonly reason: string;
}

export const linux: Need = { met: Deno.build.os === "linux", reason: "needs Linux" };

/** Permission bits, pipes with a name, a shell. */
export const posix: Need = { met: Deno.build.os !== "windows", reason: "needs a POSIX system" };

export const superuser: Need = { met: Deno.uid() === 0, reason: "needs root" };

export const ordinaryUser: Need = {
  met: Deno.uid() !== 0,
  reason: "needs a user other than root, who may read and write everything",
};

/** A program on PATH that starts; `args` are those that make it end at once. */
export function installed(program: string, args: readonly string[] = ["--version"]): Need {
  return { met: starts(program, args), reason: `needs ${program}` };
}

function starts(program: string, args: readonly string[]): boolean {
  try {
    const command = new Deno.Command(program, { args: [...args], stdout: "null", stderr: "null" });
    return command.outputSync().success;
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return false;
    throw error;
  }
}

/** `Deno.test`, ignored where a need is not met; the closing lines of a run list such tests. */
export function testWhere(
  needs: Need | readonly Need[],
  name: string,
  run: () => void | Promise<void>,
  options: Pick<Deno.TestDefinition, "sanitizeResources"> = {},
): void {
  const missing = [needs].flat().filter(({ met }) => !met).map(({ reason }) => reason);
  const shown = missing.length === 0 ? name : `${name} [ignored: it ${missing.join(" and ")}]`;
  Deno.test({ ...options, name: shown, ignore: missing.length > 0, fn: run });
}
