/** Checks values against foreign JSON Schemas, in bounded time and memory. */
import type { Json, JsonObject } from "../core/json.ts";
import { residentBytes } from "../host/resident_bytes.ts";
import type { SchemaCheck, SchemaDraft } from "../lib/json_schema.ts";
import type { SchemaWork } from "../lib/schema_work.ts";
import type { SchemaQuestion, SchemaVerdict } from "./schema_worker.ts";

/** Both reject with the signal's reason when it aborts. */
export interface BoundedCheck {
  /** What the schema cannot be used for, in one sentence; undefined where it can be used. */
  fault(signal?: AbortSignal): Promise<string | undefined>;
  /** The problems of a value, each `<key path>: <what is wrong>`; or the fault of the schema. */
  check(value: Json, signal?: AbortSignal): Promise<SchemaVerdict>;
}

/** For a thread that is started on a busy machine, and more work than any real schema makes. */
const usualLimits = { seconds: 10, extraMebibytes: 128 };
const lookMs = 20;
/** About a tenth of a second: what is less is done at once, what is more by a thread that can be ended. */
const maxWorkHere = 30_000;

/** `schema` must be well formed; `root` names the whole value in problems. */
export function boundedCheck(
  schema: JsonObject,
  draft: SchemaDraft,
  root = "arguments",
  limits = usualLimits,
): BoundedCheck {
  let work: SchemaWork | undefined;
  let checkHere: SchemaCheck | undefined;

  async function answer(value?: Json, signal?: AbortSignal): Promise<SchemaVerdict> {
    signal?.throwIfAborted();
    work ??= (await import("../lib/schema_work.ts")).schemaWork(schema);
    const expected = work.toRead + (value === undefined ? 0 : work.toCheck(value));
    // also where the estimate is no number
    if (!(expected <= maxWorkHere)) {
      return await askWorker({ schema, draft, root, value }, limits, signal);
    }
    const { compileSchema, SchemaError } = await import("../lib/json_schema.ts");
    try {
      checkHere ??= compileSchema(schema, draft, root);
    } catch (error) {
      if (!(error instanceof SchemaError)) throw error;
      return { fault: error.message };
    }
    return { problems: value === undefined ? [] : checkHere(value) };
  }

  return {
    async fault(signal) {
      const verdict = await answer(undefined, signal);
      return "fault" in verdict ? verdict.fault : undefined;
    },
    check: answer,
  };
}

function askWorker(
  question: SchemaQuestion,
  limits: typeof usualLimits,
  signal?: AbortSignal,
): Promise<SchemaVerdict> {
  const { seconds, extraMebibytes } = limits;
  const { promise, resolve, reject } = Promise.withResolvers<SchemaVerdict>();
  const worker = new Worker(workerUrl(), { type: "module", name: "schema" });
  const giveUp = (limit: string) =>
    resolve(
      question.value === undefined
        ? { fault: `takes more than ${limit} to be read` }
        : { problems: [`${question.root}: the check took more than ${limit} and was ended`] },
    );
  const onAbort = () => reject(signal?.reason);
  signal?.addEventListener("abort", onAbort, { once: true });
  const timer = setTimeout(() => giveUp(`${seconds} seconds`), seconds * 1000);
  const before = residentBytes();
  const watch = setInterval(() => {
    const extra = (residentBytes() - before) / 2 ** 20;
    if (extra > extraMebibytes) giveUp(`${extraMebibytes} MiB of memory`);
  }, lookMs);
  worker.onmessage = ({ data }: MessageEvent<SchemaVerdict>) => resolve(data);
  worker.onerror = (event) => {
    // without this the failure would end the whole program
    event.preventDefault();
    reject(new Error(event.message));
  };
  worker.postMessage(question);
  return promise.finally(() => {
    worker.terminate();
    clearTimeout(timer);
    clearInterval(watch);
    signal?.removeEventListener("abort", onAbort);
  });
}

/** In a bundle the worker lies beside this module, under its own name. */
function workerUrl(): URL {
  const isBundle = import.meta.url.endsWith(".js");
  return new URL(isBundle ? "./schema_worker.js" : "./schema_worker.ts", import.meta.url);
}
