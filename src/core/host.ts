/** The ports to the machine: clock, environment, terminal, processes. */

export interface Host {
  readonly platform: "linux" | "darwin" | "windows";
  readonly pid: number;
  readonly env: Environment;
  readonly clock: Clock;
  readonly terminal: Terminal;
  readonly processes: Processes;
  readonly watchdog: Watchdog;
  /**
   * The compiled code that is kept in the binary: used, refused by the runtime, or none, as from source
   * and in a binary that was made on another system.
   */
  readonly compiledCode: "used" | "refused" | "none";
  /** A new random id of lower-case letters and digits. */
  randomId(length: number): string;
}

export interface Environment {
  get(name: string): string | undefined;
  /** All variables; a fresh object. */
  all(): Record<string, string>;
  /** The user's home folder, or undefined where none is set. */
  readonly home: string | undefined;
  /** The folder the program was started in. */
  readonly cwd: string;
}

export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number;
  /** Milliseconds from a clock that never goes back. */
  monotonic(): number;
  /** Resolves after `ms`; rejects with the signal's reason when it aborts first. */
  delay(ms: number, signal?: AbortSignal): Promise<void>;
}

/** The program's own three streams. Writers resolve when the bytes are taken (backpressure). */
export interface Terminal {
  /**
   * Throws `RunFailure("output")` where stdout cannot be written; a closed pipe is `ClosedOutput`.
   * Pieces are one text: nothing comes between them.
   */
  writeOut(text: string | Iterable<string>): Promise<void>;
  /**
   * Writes a short line after all that was written before. There is something to wait for only where
   * a reader is far behind; a failure is thrown by the next call.
   */
  writeAhead(line: string): Promise<void> | undefined;
  /** Never throws: a person's stream that is gone is no reason to fail. */
  writeErr(text: string): Promise<void>;
  readonly stdinKind: "terminal" | "pipe" | "file" | "null" | "closed";
  readonly stdoutIsTerminal: boolean;
  readonly stderrIsTerminal: boolean;
  /** Columns of the terminal; 80 where unknown. */
  readonly columns: number;
  /** Rows of the terminal; 24 where unknown. */
  readonly rows: number;
  /** stdin's bytes in pieces, to its end. */
  readIn(signal?: AbortSignal): AsyncIterable<Uint8Array>;
}

/** Thrown by `writeOut` when the reader of stdout has gone: the run ends quietly. */
export class ClosedOutput extends Error {
  override readonly name = "ClosedOutput";
}

export interface ProcessSpec {
  /** The executable, looked up on PATH where it holds no slash; never parsed by a shell. */
  readonly file: string;
  readonly args: readonly string[];
  /** Absolute. */
  readonly cwd: string;
  /** The whole environment of the child. */
  readonly env: Record<string, string>;
  /** Bytes for stdin; without it stdin is empty. A child that does not read it is no error. */
  readonly input?: Uint8Array;
  readonly timeoutMs?: number;
  /**
   * Where nothing of the child's session runs or writes for so long, it is killed and `end` is "idle"; only
   * where the system tells what processes do.
   */
  readonly idleMs?: number;
  /** TERM, then KILL after this grace; default 2000. */
  readonly killGraceMs?: number;
  /** Bytes kept of each stream; the middle is left out beyond it. */
  readonly maxOutputBytes: number;
  /** Bytes kept of both streams together, where given; each is sure of half if it needs it. */
  readonly maxTotalBytes?: number;
  /** Of what a carriage return overwrites in a line only the last is kept. */
  readonly foldsFrames?: boolean;
  /** Beyond this many bytes of stdout the group is killed and `end` is "overflow". */
  readonly stdoutLimitBytes?: number;
  /** Called with decoded text as it arrives. */
  readonly onOutput?: (stream: "stdout" | "stderr", delta: string) => void;
}

/** What is kept of a stream: its start and end, cut only between characters. */
export interface CapturedOutput {
  /** Decoded text with `[... N bytes omitted ...]` where the middle is left out. */
  readonly text: string;
  readonly totalBytes: number;
  readonly omittedBytes: number;
  /** True where bytes were not UTF-8 and were replaced. */
  readonly replaced: boolean;
  /** Frames that a carriage return overwrote and that were left out; absent for none. */
  readonly overwritten?: number;
}

export interface ProcessResult {
  /**
   * exited: by itself · timeout: killed after `timeoutMs` · aborted: killed by the signal ·
   * overflow: killed for too much stdout · idle: killed for doing nothing
   */
  readonly end: "exited" | "timeout" | "aborted" | "overflow" | "idle";
  /** 0..255; 128 + number after a signal. */
  readonly exitCode: number;
  /** The signal that ended the process, as `SIGKILL`, or undefined. */
  readonly signal?: string;
  readonly durationMs: number;
  readonly stdout: CapturedOutput;
  readonly stderr: CapturedOutput;
  /** Processes of the session that were left behind, and what became of them. */
  readonly leftover?: "ended" | "survived";
  /** Left-over processes that still run: in sessions of their own, or not to be ended. */
  readonly running?: readonly number[];
  /** After a call that was ended: processes that may be of it and cannot be told for sure. */
  readonly suspected?: readonly number[];
}

/** A program that stays until it is ended. */
export interface OpenProcessSpec extends Pick<ProcessSpec, "file" | "args" | "cwd" | "env"> {
  /**
   * Called with stdout's bytes, which are only there during the call; the next ones are read when it has
   * settled.
   */
  onOutput(bytes: Uint8Array): void | Promise<void>;
  /** Bytes kept of the end of stderr. */
  readonly maxErrorBytes: number;
  /** How long it has after the end of its stdin before TERM; default 300. */
  readonly inputGraceMs?: number;
  /** From TERM to KILL; default 1000. */
  readonly killGraceMs?: number;
}

export interface OpenProcess {
  /** Resolves when the bytes are taken; rejects where the program reads no more. */
  write(bytes: Uint8Array): Promise<void>;
  /** The end of what it has written to stderr so far. */
  readonly errorText: string;
  /** Resolves when its stdout has ended, which may be before its own end. */
  readonly outputEnded: Promise<void>;
  /** How it ended, once its output has been read, too. Never rejects. */
  readonly exited: Promise<ProcessExit>;
  /**
   * Closes stdin, then sends TERM and KILL to what is left of it and of all that it has started. Resolves
   * when nothing is left; may be called twice.
   */
  end(): Promise<void>;
}

export type ProcessExit = Pick<ProcessResult, "exitCode" | "signal">;

export interface Processes {
  /**
   * Runs one program in a session and process group of its own, without a controlling terminal.
   * Throws `ProcessStartError` where it cannot be started; everything later is in the result.
   */
  run(spec: ProcessSpec, signal: AbortSignal): Promise<ProcessResult>;
  /**
   * Starts one program that stays, in a session of its own as `run` does. It ends by itself, by `end`,
   * with the signal, or with `endAll`; what it has started ends with it in each case.
   * Throws `ProcessStartError`, or the reason of a signal that has aborted.
   */
  open(spec: OpenProcessSpec, signal: AbortSignal): OpenProcess;
  /** How many programs run now. */
  readonly running: number;
  /** Ends every group that is still running; for the program's own end. */
  endAll(): Promise<void>;
}

export class ProcessStartError extends Error {
  override readonly name = "ProcessStartError";
  constructor(
    readonly reason: "not_found" | "not_executable" | "too_long" | "other",
    message: string,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}

/** Ends the program where a signal or the time limit finds it too busy to end by itself. */
export interface Watchdog {
  /** What is to be watched for, once it is started. */
  plan(plan: WatchPlan): void;
  /**
   * Begins to watch after so many milliseconds, in a thread of its own, which takes some 20 ms and 15 MB.
   * Once it watches, and without a plan, this does nothing.
   */
  start(inMs?: number): void;
  /** Says that the program has heard what it is to end for, and ends by itself. */
  endsByItself(): void;
  /** For the end of the program. */
  release(): void;
}

export interface WatchPlan {
  readonly platform: Host["platform"];
  /** When the time limit is over, in milliseconds since the epoch; absent for none. */
  readonly deadline?: number;
  /** What stdout is to end with: the last records, or the one object of result mode. */
  readonly lastWords: "records" | "result" | "none";
  readonly endings: Readonly<Record<"SIGINT" | "SIGTERM" | "SIGHUP" | "timeout", WatchEnding>>;
}

export interface WatchEnding {
  /** Why, as the start of a sentence. */
  readonly message: string;
  readonly code: "interrupted" | "limit";
  /** The program's exit status. */
  readonly status: number;
}
