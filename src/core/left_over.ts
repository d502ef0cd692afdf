/** The line by which a call's result names the processes that outlived its program. */
import type { ProcessResult } from "./host.ts";

/** What became of left-over processes, as `background: left running: pid 4711`; none where none were. */
export function leftOverLines({ end, leftover, running, suspected }: ProcessResult): string[] {
  const lines: string[] = [];
  if (leftover === "ended") lines.push("background: left-over processes were ended");
  if (running !== undefined) {
    const why = end !== "exited" || leftover === "survived" ? "could not be ended" : "left running";
    lines.push(`background: ${why}: pid ${running.join(", ")}`);
  }
  if (suspected !== undefined) {
    lines.push(`background: may be of this call, and still runs: pid ${suspected.join(", ")}`);
  }
  return lines;
}
