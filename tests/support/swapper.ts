/** Race tests: two names that another process exchanges while something runs. */
import { fileURLToPath } from "node:url";

const program = fileURLToPath(new URL("./swap_program.ts", import.meta.url));

/** Runs `use` while another process exchanges what is at `one` with what is at `other`. */
export async function whileSwapping<T>(
  one: string,
  other: string,
  use: () => Promise<T>,
): Promise<T> {
  const child = new Deno.Command(Deno.execPath(), {
    args: ["run", "-A", "--no-lock", program, one, other],
    stdout: "piped",
    stderr: "inherit",
  }).spawn();
  try {
    const reader = child.stdout.getReader();
    await reader.read();
    reader.releaseLock();
    return await use();
  } finally {
    child.kill("SIGKILL");
    await child.stdout.cancel();
    await child.status;
  }
}

/** Calls `once` until it was true and false `each` times, or for half a minute. */
export async function untilBoth(
  each: number,
  once: () => Promise<boolean>,
): Promise<{ readonly yes: number; readonly no: number }> {
  const deadline = Date.now() + 30_000;
  let yes = 0, no = 0;
  while ((yes < each || no < each) && Date.now() < deadline) {
    if (await once()) yes++;
    else no++;
  }
  return { yes, no };
}
