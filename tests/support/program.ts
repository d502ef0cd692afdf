/** The running of the whole program as a process: from source, or the binary in NIMLET_BIN. */
import { fromFileUrl } from "./streams.ts";

const root = fromFileUrl(new URL("../..", import.meta.url));
const v8Flags =
  "--v8-flags=--enable-experimental-regexp-engine-on-excessive-backtracks,--liftoff-only";

export interface ProgramOptions {
  cwd: string;
  /** Added to a small environment of PATH and a HOME of the test's own. */
  env?: Record<string, string>;
  /** Piped to stdin; without it stdin is /dev/null. */
  stdin?: string | Uint8Array;
  /** The program is killed after that long, and the test fails. */
  limitMs?: number;
  /** A line of shell that starts the program, `"$@"`, by `exec`. */
  shell?: string;
}

export interface ProgramResult {
  code: number;
  signal: string | null;
  stdout: string;
  stderr: string;
}

/** The command that starts the program: executable and first arguments. */
export function programCommand(): [string, ...string[]] {
  const binary = Deno.env.get("NIMLET_BIN");
  if (binary) return [binary];
  return [Deno.execPath(), "run", "--quiet", "--no-check", "-A", v8Flags, `${root}main.ts`];
}

/** The environment that tests start the program with: nothing of the machine's but PATH and caches. */
export function programEnv(home: string, extra: Record<string, string> = {}) {
  const env: Record<string, string> = { HOME: home, PATH: Deno.env.get("PATH") ?? "" };
  const denoDir = Deno.env.get("DENO_DIR") ?? defaultDenoDir();
  if (denoDir) env.DENO_DIR = denoDir;
  return { ...env, ...extra };
}

/** The cache stays where it is, though HOME moves. */
function defaultDenoDir(): string | undefined {
  const home = Deno.env.get("HOME");
  if (!home) return undefined;
  const caches = Deno.env.get("XDG_CACHE_HOME") ??
    (Deno.build.os === "darwin" ? `${home}/Library/Caches` : `${home}/.cache`);
  return `${caches}/deno`;
}

/** Runs the program to its end. */
export async function runProgram(args: string[], options: ProgramOptions): Promise<ProgramResult> {
  const child = startProgram(args, options);
  if (options.stdin !== undefined) {
    const bytes = typeof options.stdin === "string"
      ? new TextEncoder().encode(options.stdin)
      : options.stdin;
    // A program that does not read its stdin is the test's business, not a failure here.
    child.write(bytes).then(() => child.closeInput(), () => {});
  }
  return await child.ended;
}

export interface RunningProgram {
  readonly pid: number;
  write(data: string | Uint8Array): Promise<void>;
  closeInput(): Promise<void>;
  kill(signal: Deno.Signal): void;
  /** Closes the reading end of stdout: what the program writes then has no reader. */
  closeOutput(): Promise<void>;
  /** Stdout line by line, as it comes. */
  readonly lines: AsyncIterableIterator<string>;
  /** Resolves once the first line for which `test` holds has come; rejects at the end of stdout. */
  waitFor(test: (line: string) => boolean): Promise<string>;
  readonly ended: Promise<ProgramResult>;
}

/** Starts the program with piped streams. */
export function startProgram(args: string[], options: ProgramOptions): RunningProgram {
  const { shell } = options;
  const [file, ...first] = shell === undefined
    ? programCommand()
    : ["sh", "-c", shell, "sh", ...programCommand()] as const;
  const child = new Deno.Command(file, {
    args: [...first, ...args],
    cwd: options.cwd,
    clearEnv: true,
    env: programEnv(`${options.cwd}/../home`, options.env),
    stdin: options.stdin === undefined ? "null" : "piped",
    stdout: "piped",
    stderr: "piped",
  }).spawn();
  const limitMs = options.limitMs ?? 60_000;
  let expired = false;
  const timer = setTimeout(() => {
    expired = true;
    child.kill("SIGKILL");
  }, limitMs);
  const writer = options.stdin === undefined ? undefined : child.stdin.getWriter();
  const text: string[] = [];
  const reading = new AbortController();
  const collected = Promise.withResolvers<void>();
  const lineIterator = collectLines(child.stdout, text, reading.signal, collected.resolve);
  const ended = (async (): Promise<ProgramResult> => {
    const [stderr, status] = await Promise.all([
      new Response(child.stderr).text(),
      child.status,
      collected.promise,
    ]);
    const stdout = text.join("");
    clearTimeout(timer);
    // a test that never closed it leaves nothing open
    await writer?.close().catch(() => {});
    if (expired) {
      throw new Error(
        `nimlet ${args.join(" ")} did not end within ${limitMs} ms\nstdout: ${
          stdout.slice(-2000)
        }\nstderr: ${stderr.slice(-2000)}`,
      );
    }
    return { code: status.code, signal: status.signal, stdout, stderr };
  })();
  return {
    pid: child.pid,
    async write(data) {
      await writer!.write(typeof data === "string" ? new TextEncoder().encode(data) : data);
    },
    closeInput: () => writer!.close(),
    kill: (signal) => child.kill(signal),
    async closeOutput() {
      reading.abort();
      await collected.promise;
    },
    lines: lineIterator,
    async waitFor(test) {
      for (;;) {
        const next = await lineIterator.next();
        if (next.done) throw new Error("stdout ended before the expected line");
        if (test(next.value)) return next.value;
      }
    },
    ended,
  };
}

/** Reads all of `stream` whoever asks for lines, and gives its lines as they come. */
function collectLines(
  stream: ReadableStream<Uint8Array<ArrayBuffer>>,
  text: string[],
  signal: AbortSignal,
  done: () => void,
): AsyncIterableIterator<string> {
  const waiting: string[] = [];
  let rest = "", ended = false, wake: () => void = () => {};
  (async () => {
    const decoder = new TextDecoder();
    const reader = stream.getReader();
    signal.addEventListener("abort", () => reader.cancel(), { once: true });
    for (let next = await reader.read(); !next.done; next = await reader.read()) {
      const piece = decoder.decode(next.value, { stream: true });
      text.push(piece);
      const parts = (rest + piece).split("\n");
      rest = parts.pop()!;
      waiting.push(...parts);
      wake();
    }
    if (rest !== "") waiting.push(rest);
    ended = true;
    wake();
    done();
  })();
  return (async function* () {
    while (true) {
      if (waiting.length > 0) yield waiting.shift()!;
      else if (ended) return;
      else await new Promise<void>((resolve) => wake = resolve);
    }
  })();
}

/** Starts the program with an open stdin, as a client of the RPC mode does. */
export function startWithInput(
  args: string[],
  options: Omit<ProgramOptions, "stdin">,
): RunningProgram {
  return startProgram(args, { ...options, stdin: "" });
}

/** A scratch root with a workspace `W`, a folder outside it `O` and an empty HOME; removed at the end. */
export async function withScratch<T>(
  use: (scratch: { root: string; workspace: string; outside: string; home: string }) => Promise<T>,
): Promise<T> {
  const scratch = await Deno.realPath(await Deno.makeTempDir({ prefix: "nimlet-e2e-" }));
  const places = {
    root: scratch,
    workspace: `${scratch}/W`,
    outside: `${scratch}/O`,
    home: `${scratch}/home`,
  };
  try {
    for (const folder of [places.workspace, places.outside, places.home]) await Deno.mkdir(folder);
    return await use(places);
  } finally {
    await Deno.remove(scratch, { recursive: true });
  }
}

/** Every line of JSON mode's stdout, parsed; throws where one is no JSON object. */
export function recordsOf(stdout: string): Record<string, unknown>[] {
  return stdout.split("\n").filter((line) => line !== "").map((line) => {
    const value = JSON.parse(line);
    if (typeof value !== "object" || value === null || Array.isArray(value)) {
      throw new Error(`expected a JSON object a line, found ${line}`);
    }
    return value;
  });
}
