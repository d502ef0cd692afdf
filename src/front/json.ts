/** JSON mode: events as records, one line and one write each, from the first to the last. */
import type { AgentEvent, EventIds, RunStatus, Sink } from "../core/event.ts";
import type { Terminal } from "../core/host.ts";
import { toLine, toLinePieces, toText } from "../lib/jsonl.ts";
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
  /**
   * Writes the records that are missing at the end, results of calls that have none among them, and before
   * them the first where it is; on stdout alone.
   */
  close(end: AbruptEnd): Promise<void>;
  /** Whether the last run has said so itself. */
  hasTold(message: string): boolean;
}

export function recordStream(
  terminal: Pick<Terminal, "writeOut" | "writeAhead" | "writeErr">,
): RecordStream {
  let state: "new" | "open" | "closed" = "new";
  let ids: EventIds = {};
  let running = false, steps = 0;
  let told: string | undefined;
  const files = new Set<string>();
  /** Calls without a result yet, by their ids. */
  const calls = new Map<string, [AgentEvent & { readonly type: "tool_call" }, EventIds]>();

  function note(event: AgentEvent, eventIds: EventIds): void {
    switch (event.type) {
      case "session_start":
        state = "open";
        break;
      case "run_start":
        running = true;
        steps = 0;
        told = undefined;
        files.clear();
        break;
      case "step_start":
        steps = event.step;
        break;
      case "tool_call":
        calls.set(event.tool_id, [event, eventIds]);
        break;
      case "tool_result":
        calls.delete(event.tool_id);
        for (const file of event.files_changed ?? []) files.add(file);
        break;
      case "error":
        told = event.message;
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

  const lineOfDelta = deltaLines();
  const record: Sink = (event, eventIds) => {
    if (state === "closed") return undefined;
    // before the wait: what comes meanwhile has to know
    note(event, eventIds);
    const isShort = "delta" in event && event.delta.length <= maxAheadLength;
    if (isShort && event.type !== "tool_output_delta") {
      return terminal.writeAhead(lineOfDelta(event, eventIds));
    }
    const { type, ...rest } = event;
    const whole = { version: 1, type, ...eventIds, ...rest };
    return isShort ? terminal.writeAhead(toLine(whole)) : terminal.writeOut(toLinePieces(whole));
  };
  const sink: Sink = (event, eventIds) =>
    event.type === "error" || event.type === "diagnostic" && event.level !== "info"
      ? tellPerson(event, eventIds)
      : record(event, eventIds);
  const tellPerson = async (
    event: AgentEvent & { readonly type: "error" | "diagnostic" },
    eventIds: EventIds,
  ) => {
    if (state === "closed") return;
    await record(event, eventIds);
    // whoever started the run may keep the records for a program alone
    await terminal.writeErr(`nimlet: ${visible(event.message)}\n`);
  };

  return {
    sink,
    async close({ status, code, message, exitCode, workspace, mode }) {
      if (state === "closed") return;
      // at once: what is still running has no more to say
      const lines: [AgentEvent, EventIds][] = [];
      if (state === "new") lines.push([{ type: "session_start", workspace, mode }, {}]);
      for (const [{ step, tool_id, tool_name }, callIds] of calls.values()) {
        const output = `INTERRUPTED (${message.toWellFormed()})`;
        const type = "tool_result";
        lines.push([{ type, step, tool_id, tool_name, output, is_error: true }, callIds]);
      }
      if (told !== message) {
        lines.push([{ type: "error", message: message.toWellFormed(), code }, ids]);
      }
      if (running) {
        lines.push([{
          type: "run_end",
          status,
          exit_code: exitCode,
          error: { code, message: message.toWellFormed() },
          usage: {},
          steps,
          denials: 0,
          files_changed: [...files].sort(),
        }, ids]);
      }
      lines.push([
        { type: "session_end", success: false, status, exit_code: exitCode },
        ids.session_id === undefined ? {} : { session_id: ids.session_id },
      ]);
      await Promise.all(lines.map(([event, eventIds]) => record(event, eventIds)));
    },
    hasTold: (message) => told === message,
  };
}

/** Deltas are written without a wait up to this length. */
const maxAheadLength = 64 * 1024;

type Delta = AgentEvent & { readonly type: "message_delta" | "thinking_delta" };

/** Lines of deltas, which differ in the delta alone: what is around it is made once. */
function deltaLines(): (event: Delta, ids: EventIds) => string {
  let last: { readonly event: Delta; readonly ids: EventIds } | undefined;
  let head = "", tail = "";
  return (event, ids) => {
    const { type, step, model, delta } = event;
    const same = last !== undefined && last.event.type === type && last.event.step === step &&
      last.event.model === model && last.ids.session_id === ids.session_id &&
      last.ids.run_id === ids.run_id && last.ids.turn_id === ids.turn_id;
    if (!same) {
      last = { event, ids };
      head = `${toLine({ version: 1, type, ...ids, step }).slice(0, -2)},"delta":`;
      tail = `,${toLine({ model }).slice(1)}`;
    }
    return head + toText(delta) + tail;
  };
}
