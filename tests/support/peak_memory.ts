/** The memory that a process has taken, as Linux tells it. */

/** The most of a living process's memory that was resident at any time, in MiB. */
export function peakMiB(pid: number): number {
  const status = Deno.readTextFileSync(`/proc/${pid}/status`);
  return Math.round(Number(/VmHWM:\s+(\d+)/.exec(status)?.[1]) / 1024);
}
