/** The count over recorded provider streams, where they lie beside the repository. */
import { isDeepStrictEqual } from "node:util";
import { fileURLToPath } from "node:url";
import type { Json, JsonObject } from "../src/core/json.ts";
import { ModelError } from "../src/core/model.ts";
import type { Usage } from "../src/core/usage.ts";
import { createModel } from "../src/providers/create_model.ts";

interface Expected {
  readonly text: string;
  readonly refusal: string | null;
  readonly tool_calls: readonly JsonObject[];
  readonly reasoning: boolean;
  readonly reasoning_text: string;
  readonly error: JsonObject | null;
  readonly usage: Record<string, number | null> | null;
}

export interface StreamEntry {
  readonly file: string;
  readonly api: string;
  readonly expected: Expected;
  readonly event_names?: Record<string, string>;
}

/** The ways a stream is cut and dressed; each must read the same. */
export const variants = [
  "plain",
  "single bytes",
  "CRLF",
  "comments",
  "no event lines",
  "no space after data:",
  "no [DONE]",
  "bytes after the end",
  "byte order mark",
] as const;
export type Variant = typeof variants[number];

const folder = new URL("../../shared/conformance/streams/", import.meta.url);

/** The entries, or undefined where the recorded streams are not at hand. */
export async function loadEntries(): Promise<StreamEntry[] | undefined> {
  try {
    return JSON.parse(await Deno.readTextFile(new URL("index.json", folder))) as StreamEntry[];
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return undefined;
    throw error;
  }
}

const providerOf: Record<string, string> = {
  "openai-responses": "openai",
  "openai-chat": "openai-compatible",
  "anthropic-messages": "anthropic",
  "google-generative": "google",
};

/** Reads one stream; returns the fields that disagree, with what was read. */
export async function checkStream(entry: StreamEntry, variant: Variant): Promise<string[]> {
  const lines = (await Deno.readTextFile(new URL(entry.file, folder))).split("\n")
    .filter((line) => line.trim() !== "");
  const bytes = new TextEncoder().encode(dressed(lines, entry, variant));
  const provider = entry.file.includes("-mistral.") ? "mistral" : providerOf[entry.api]!;
  const read = await readStream(provider, bytes, variant === "single bytes" ? 1 : 16_384);
  return differences(entry, read);
}

function dressed(lines: readonly string[], entry: StreamEntry, variant: Variant): string {
  const end = variant === "CRLF" ? "\r\n" : "\n";
  const space = variant === "no space after data:" ? "" : " ";
  const named = entry.api === "openai-responses" || entry.api === "anthropic-messages";
  let text = variant === "byte order mark" ? "\ufeff" : "";
  lines.forEach((line, index) => {
    if (variant === "comments") text += `: ping${end}${index % 2 === 0 ? end : ""}:${end}`;
    const name = entry.event_names?.[String(index + 1)] ??
      (named ? (JSON.parse(line) as { type: string }).type : undefined);
    if (name !== undefined && variant !== "no event lines") text += `event: ${name}${end}`;
    text += `data:${space}${line}${end}${end}`;
  });
  if (entry.api === "openai-chat" && variant !== "no [DONE]") text += `data: [DONE]${end}${end}`;
  if (variant === "bytes after the end" && entry.api === "openai-chat") {
    text += `data: {"choices":[{"index":0,"delta":{"content":"late"}}]}${end}${end}`;
  }
  return text;
}

interface Read {
  text: string;
  thinking: string;
  thought: boolean;
  calls: { name: string; text: string }[];
  refusal: string | undefined;
  failed: boolean;
  usage: Usage | undefined;
}

async function readStream(provider: string, bytes: Uint8Array, step: number): Promise<Read> {
  const answer = () => {
    let at = 0;
    const body = new ReadableStream<Uint8Array>({
      pull(controller) {
        if (at >= bytes.length) return controller.close();
        controller.enqueue(bytes.slice(at, at + step));
        at += step;
      },
    });
    return Promise.resolve(
      new Response(body, { headers: { "content-type": "text/event-stream" } }),
    );
  };
  const model = await createModel({
    provider,
    model: "conformance",
    endpoint: "http://127.0.0.1:9/v1",
    apiKey: "none",
    fetch: answer,
  });
  const read: Read = {
    text: "",
    thinking: "",
    thought: false,
    calls: [],
    refusal: undefined,
    failed: false,
    usage: undefined,
  };
  const request = {
    system: "s",
    messages: [{ role: "user", content: [{ type: "text", text: "hi" }] }],
    tools: [],
    maxOutputTokens: 100,
  } as const;
  try {
    for await (const batch of model.stream(request, new AbortController().signal)) {
      for (const event of batch) {
        if (event.type === "text") read.text += event.delta;
        if (event.type === "thinking") {
          read.thinking += event.delta;
          read.thought = true;
        }
        if (event.type === "tool_call") {
          read.calls.push({ name: event.name, text: event.inputText });
        }
        if (event.type === "finish") {
          read.usage = event.usage;
          if (event.rawReason?.startsWith("refusal: ")) {
            read.refusal = event.rawReason.slice("refusal: ".length);
          }
        }
      }
    }
  } catch (error) {
    if (!(error instanceof ModelError)) throw error;
    read.failed = true;
  }
  return read;
}

function differences(entry: StreamEntry, read: Read): string[] {
  const { expected } = entry;
  const wrong: string[] = [];
  const check = (field: string, got: unknown, want: unknown) => {
    if (!isDeepStrictEqual(got, want)) {
      wrong.push(`${field}: got ${JSON.stringify(got)}, expected ${JSON.stringify(want)}`);
    }
  };
  check("text", read.text, expected.text);
  if (expected.refusal !== null) check("refusal", read.refusal, expected.refusal);
  // Arguments that were cut come out as text that is no JSON: such a call never runs.
  const whole = expected.tool_calls.filter((call) => call.arguments !== null);
  check(
    "tool_calls",
    read.calls.filter(({ text }) => isArguments(text)).map(({ name, text }) => ({
      name,
      input: text === "" ? {} : JSON.parse(text),
    })),
    whole.map((call) => ({ name: call.name, input: call.input ?? call.arguments })),
  );
  check("reasoning", read.thought, expected.reasoning);
  check("reasoning_text", read.thinking, expected.reasoning_text);
  check("error", read.failed, expected.error !== null);
  if (expected.error === null) check("usage", read.usage, expectedUsage(entry));
  return wrong;
}

function isArguments(text: string): boolean {
  try {
    return text === "" || JSON.parse(text) !== undefined;
  } catch {
    return false; // cut
  }
}

/** The expected numbers in our own counting: cached input within input, reasoning within output. */
function expectedUsage({ api, expected }: StreamEntry): Json {
  const { input, output, cached_input, cache_write, reasoning, total } = expected.usage ?? {};
  const beside = api === "google-generative" ||
    (api === "openai-chat" && Boolean(reasoning) &&
      total === (input ?? 0) + (output ?? 0) + reasoning!);
  const cached = api === "anthropic-messages" ? (cached_input ?? 0) + (cache_write ?? 0) : 0;
  const counts = {
    input_tokens: input === null ? null : (input ?? 0) + cached,
    output_tokens: output === null ? null : (output ?? 0) + (beside ? reasoning ?? 0 : 0),
    cache_read_tokens: cached_input ?? null,
    cache_write_tokens: cache_write ?? null,
    reasoning_tokens: reasoning ?? null,
  };
  return Object.fromEntries(Object.entries(counts).filter(([, count]) => count !== null));
}

if (import.meta.main) {
  const entries = await loadEntries();
  if (entries === undefined) {
    console.log(`no recorded streams at ${fileURLToPath(folder)}; nothing was checked`);
    Deno.exit(0);
  }
  let failures = 0;
  for (const variant of variants) {
    let passed = 0;
    for (const entry of entries) {
      const wrong = await checkStream(entry, variant);
      if (wrong.length === 0) passed++;
      for (const problem of wrong) {
        console.log(`${entry.file} (${variant}): ${problem.slice(0, 400)}`);
      }
    }
    failures += entries.length - passed;
    console.log(`${variant}: ${passed} of ${entries.length} streams read exactly`);
  }
  Deno.exit(failures === 0 ? 0 : 1);
}
