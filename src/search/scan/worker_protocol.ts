/** The messages between a search and its workers. */
import type { BatchResult } from "./batch.ts";
import type { Query } from "../engine/query.ts";

export type ToWorker =
  /** A search begins; its batches follow. */
  | {
    readonly kind: "search";
    readonly search: number;
    readonly thread: number;
    readonly board: SharedArrayBuffer;
    readonly query: Query;
    readonly maxLines: number;
    /** What the files are below, with a final slash. */
    readonly root: string;
  }
  /** Free to take; for `files` see `FileBatch`. */
  | {
    readonly kind: "batch";
    readonly search: number;
    readonly batch: number;
    readonly files: Uint8Array;
  }
  /** To be done by this worker, without the files (places in the batch) that hold it up. */
  | {
    readonly kind: "again";
    readonly search: number;
    readonly batch: number;
    readonly files: Uint8Array;
    readonly without: readonly number[];
  }
  | { readonly kind: "end"; readonly search: number };

export type FromWorker =
  | {
    readonly kind: "answer";
    readonly search: number;
    readonly batch: number;
    readonly result: BatchResult;
  }
  /** Nothing has come for a while. */
  | { readonly kind: "idle" };
