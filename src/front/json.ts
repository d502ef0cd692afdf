/** JSON mode: events as records, one line and one write each, from the first to the last. */
import type { AgentEvent, EventIds, RunStatus, Sink } from "../core/event.ts";
import type { Terminal } from "../core/host.ts";
import { toLine, toLinePieces } from "../lib/jsonl.ts";
import { visible } from "../lib/visible.ts";

/** How a run ended that did not come to its own last records. */
export interface AbruptEnd {
  readonly status: RunStatus;
  readonly code: string;
  readonly message: string;
  readonly exitCode: number;
  /** For a stream that has no first record yet. */
  readonly workspace: string;
  readonly mode: "act" | "plan";
}

export interface RecordStream {
  /** Writes version 1 records to stdout, warnings and failures to stderr too; nothing follows `session_end`. */
  readonly sink: Sink;
  /** Writes the records that are missing at the end, and before them the first where it is; on stdout alone. */
  close(end: AbruptEnd): Promise<void>;
}

export function recordStream(terminal: Pick<Terminal, "writeOut" | "writeErr">): RecordStream {
  let state: "new" | "open" | "closed" = "new";
  let ids: EventIds = {};
  let running = false, steps = 0;

  function note(event: AgentEvent, eventIds: EventIds): void {
    switch (event.type) {
      case "session_start":
        state = "open";
        break;
      case "run_start":
        running = true;
        steps = 0;
        break;
      case "step_start":
        steps = event.step;
        break;
      case "run_end":
        running = false;
        break;
      case "session_end":
        state = "closed";
        break;
    }
    ids = eventIds;
  }

  const write = aheadWriter(terminal);
  const record: Sink = async (event, eventIds) => {
    if (state === "closed") return;
    // before the wait: what comes meanwhile has to know
    note(event, eventIds);
    const { type, ...rest } = event;
    const whole = { version: 1, type, ...eventIds, ...rest };
    await ("delta" in event && event.delta.length <= maxAheadLength
      ? write.ahead(toLine(whole))
      : write.through(toLinePieces(whole)));
  };
  const sink: Sink = async (event, eventIds) => {
    if (state === "closed") return;
    await record(event, eventIds);
    // whoever started the run may keep the records for a program alone
    if (event.type === "error" || event.type === "diagnostic" && event.level !== "info") {
      await terminal.writeErr(`nimlet: ${visible(event.message)}\n`);
    }
  };

  return {
    sink,
    async close({ status, code, message, exitCode, workspace, mode }) {
      if (state === "closed") return;
      // at once: what is still running has no more to say
      const lines: [AgentEvent, EventIds][] = [];
      if (state === "new") lines.push([{ type: "session_start", workspace, mode }, {}]);
      lines.push([{ type: "error", message: message.toWellFormed(), code }, ids]);
      if (running) {
        lines.push([{ type: "run_end", usage: {}, status, steps, denials: 0 }, ids]);
      }
      lines.push([
        { type: "session_end", success: false, status, exit_code: exitCode },
        ids.session_id === undefined ? {} : { session_id: ids.session_id },
      ]);
      await Promise.all(lines.map(([event, eventIds]) => record(event, eventIds)));
    },
  };
}

/** What may wait for a slow reader before deltas wait for it, too. */
const maxAheadLength = 64 * 1024;

/** Lets deltas run a little ahead of the reader; every other line waits for all before it. */
function aheadWriter({ writeOut }: Pick<Terminal, "writeOut">) {
  let waitingLength = 0;
  let failure: { readonly error: unknown } | undefined;
  const through = async (line: string | Iterable<string>) => {
    if (failure) throw failure.error;
    await writeOut(line);
  };
  return {
    through,
    async ahead(line: string): Promise<void> {
      if (failure) throw failure.error;
      waitingLength += line.length;
      const written = writeOut(line).then(() => void (waitingLength -= line.length));
      written.catch((error) => failure ??= { error });
      if (waitingLength > maxAheadLength) await written;
    },
  };
}
