/** The model of the measurements: a server on loopback that notes when requests come and answers end. */
import { joinBytes } from "../src/lib/join_bytes.ts";

/** The steps of a run: each is the body of one streamed answer. */
export type Answer = Uint8Array;

export interface Served {
  /** When the first byte of each request came, in `performance.now()` terms. */
  readonly arrivals: number[];
  /** When the last byte of each answer had been handed to the machine. */
  readonly ends: number[];
  readonly bodies: string[];
}

export interface ServeOptions {
  /** Waited for before each answer. */
  readonly before?: () => Promise<unknown>;
  /** Several runs of one call a step at once: each gets the answer for the results it has. */
  readonly sideBySide?: boolean;
  /** For runs whose requests would fill the memory. */
  readonly forgetBodies?: boolean;
}

export interface BenchServer {
  /** For `providers.openai-compatible.endpoint`. */
  readonly url: string;
  /** Forgets what was noted, and answers the next requests with `answers` in order. */
  play(answers: readonly Answer[], options?: ServeOptions): Served;
  close(): void;
}

export function startBenchServer(): BenchServer {
  const listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  let script: readonly Answer[] = [];
  let how: ServeOptions = {};
  let served: Served = { arrivals: [], ends: [], bodies: [] };

  const serve = async (connection: Deno.TcpConn) => {
    connection.setNoDelay(true);
    for (;;) {
      const request = await readRequest(connection);
      if (request === undefined) return;
      served.arrivals.push(request.at);
      if (how.forgetBodies !== true) served.bodies.push(request.body);
      const step = how.sideBySide === true
        ? request.body.split('"role":"tool"').length - 1
        : served.arrivals.length - 1;
      const answer = script[step] ?? say("The script is over.");
      await how.before?.();
      await writeAll(connection, answerHead);
      for (let done = 0; done < answer.length; done += pieceBytes) {
        const piece = answer.subarray(done, done + pieceBytes);
        await writeAll(connection, encode(`${piece.length.toString(16)}\r\n`), piece, lineEnd);
      }
      await writeAll(connection, lastChunk);
      served.ends.push(performance.now());
    }
  };
  const listen = async () => {
    for await (const connection of listener) {
      // a program that ends in the middle of an answer is measured, too
      serve(connection).catch(() => {}).finally(() => connection.close());
    }
  };
  listen().catch(() => {});
  return {
    url: `http://127.0.0.1:${listener.addr.port}/v1`,
    play(answers, options = {}) {
      script = answers;
      how = options;
      served = { arrivals: [], ends: [], bodies: [] };
      return served;
    },
    close: () => listener.close(),
  };
}

/** An answer that ends the turn; the text comes in `deltas` equal pieces. */
export function say(text: string, deltas = 1): Answer {
  return answerOf(text, deltas, []);
}

export type Call = readonly [name: string, input: Record<string, unknown>];

/** An answer that asks for tools. */
export function callTools(...calls: Call[]): Answer {
  return answerOf("", 0, calls);
}

function answerOf(text: string, deltas: number, calls: readonly Call[]): Answer {
  const choice = (delta: unknown, reason: string | null = null) =>
    event({
      id: "chatcmpl-1",
      object: "chat.completion.chunk",
      created: 1_700_000_000,
      model: "m",
      choices: [{ index: 0, delta, finish_reason: reason }],
    });
  const piece = encode(choice({ content: text }));
  const body = new Uint8Array(piece.length * deltas);
  for (let index = 0; index < deltas; index++) body.set(piece, index * piece.length);
  const rest = calls.map(([name, input], index) =>
    choice({
      tool_calls: [{
        index,
        id: `call_${index}_${crypto.randomUUID()}`,
        type: "function",
        function: { name, arguments: JSON.stringify(input) },
      }],
    })
  );
  rest.push(
    choice({}, calls.length > 0 ? "tool_calls" : "stop"),
    event({ choices: [], usage: { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 } }),
    "data: [DONE]\n\n",
  );
  return joinBytes([body, encode(rest.join(""))]);
}

function event(value: unknown): string {
  return `data: ${JSON.stringify(value)}\n\n`;
}

const pieceBytes = 65_536;
const lineEnd = encode("\r\n");
const lastChunk = encode("0\r\n\r\n");
const answerHead = encode(
  "HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\ntransfer-encoding: chunked\r\n\r\n",
);

function encode(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}

async function writeAll(connection: Deno.TcpConn, ...parts: Uint8Array[]): Promise<void> {
  const bytes = joinBytes(parts);
  for (let done = 0; done < bytes.length;) done += await connection.write(bytes.subarray(done));
}

/** One request with its whole body; undefined where the connection has ended. */
async function readRequest(
  connection: Deno.TcpConn,
): Promise<{ at: number; body: string } | undefined> {
  const buffer = new Uint8Array(65_536);
  let bytes = new Uint8Array(0), at = 0;
  for (;;) {
    const count = await connection.read(buffer);
    if (count === null) return undefined;
    if (at === 0) at = performance.now();
    bytes = joinBytes([bytes, buffer.subarray(0, count)]) as Uint8Array<ArrayBuffer>;
    const [head, ...rest] = new TextDecoder("latin1").decode(bytes).split("\r\n\r\n");
    if (rest.length === 0) continue;
    const length = Number(/^content-length: *(\d+)/im.exec(head!)?.[1] ?? 0);
    const start = head!.length + 4;
    if (bytes.length < start + length) continue;
    return { at, body: new TextDecoder().decode(bytes.subarray(start, start + length)) };
  }
}
