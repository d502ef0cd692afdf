/** The search worker's side: takes offered batches and answers each with its result. */
import { pcre2ForThread } from "../assets.ts";
import { searchBatch, type Searcher, searcherOf } from "./batch.ts";
import { createLateMatcher, planQuery } from "../engine/query.ts";
import { createScanBoard, type ScanBoard } from "./scan_board.ts";
import { createTextReader } from "./text_file.ts";
import type { FromWorker, ToWorker } from "./worker_protocol.ts";

interface Search {
  readonly board: ScanBoard;
  readonly thread: number;
  readonly searcher: Searcher;
  readonly maxLines: number;
  readonly root: string;
}

const scope = self as unknown as {
  onmessage: (event: MessageEvent<ToWorker>) => void;
  postMessage(message: FromWorker): void;
};
const searches = new Map<number, Search>();
const reader = createTextReader();
const pcre2 = pcre2ForThread();

/** How long a worker waits for the next search before it says so. */
const idleMs = 5_000;
let idleTimer: ReturnType<typeof setTimeout> | undefined;

scope.onmessage = ({ data: message }) => {
  clearTimeout(idleTimer);
  handle(message);
  // The timer is the worker's own, so that the main thread has none that outlives a search.
  idleTimer = setTimeout(() => scope.postMessage({ kind: "idle" }), idleMs);
};

function handle(message: ToWorker) {
  if (message.kind === "search") {
    const plan = planQuery(message.query);
    // The main thread has compiled the pattern before it starts workers.
    const matcher = createLateMatcher(plan, pcre2);
    const { thread, maxLines, root } = message;
    const board = createScanBoard(message.board);
    const searcher = searcherOf(plan, reader, matcher);
    searches.set(message.search, { board, thread, searcher, maxLines, root });
    return;
  }
  if (message.kind === "end") {
    searches.delete(message.search);
    return;
  }
  const search = searches.get(message.search);
  if (!search || search.board.isOver()) return;
  const { board, thread, searcher, maxLines, root } = search;
  if (message.kind === "batch" && !board.take(message.batch, thread)) return;
  const without = new Set(message.kind === "again" ? message.without : []);
  const result = searchBatch(message.files, root, searcher, maxLines, (file) => {
    board.enter(thread, message.batch, file);
    return !board.isOver() && !without.has(file);
  });
  board.enter(thread, -1, 0);
  scope.postMessage({ kind: "answer", search: message.search, batch: message.batch, result });
}
