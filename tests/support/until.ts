/** Waiting for what a test expects to come about. */

/** True while a process lives; a zombie has ended. */
export function isAlive(pid: number): boolean {
  try {
    const stat = Deno.readTextFileSync(`/proc/${pid}/stat`);
    return !/^[ZX]/.test(stat.slice(stat.lastIndexOf(")") + 2));
  } catch {
    return false;
  }
}

/** Waits until `holds`, at most `limitMs`; fails with `what` otherwise. */
export async function until(
  holds: () => boolean | Promise<boolean>,
  what: string,
  limitMs = 10_000,
): Promise<void> {
  const deadline = Date.now() + limitMs;
  while (!await holds()) {
    if (Date.now() > deadline) throw new Error(`not within ${limitMs} ms: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}

/** Processes that have `mark` in their environment, by number. */
export function marked(mark: string): number[] {
  return [...Deno.readDirSync("/proc")].map(({ name }) => Number(name)).filter((pid) => {
    try {
      return Deno.readTextFileSync(`/proc/${pid}/environ`).includes(mark) && isAlive(pid);
    } catch {
      return false;
    }
  }).sort((a, b) => a - b);
}
