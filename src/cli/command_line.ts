/** What a command line says, once it is read. */
import type { RunOptions } from "../app/run_options.ts";
import type { SchemaName, ShellName } from "./choices.ts";

/** Absent means not given; what a run is made of is in `RunOptions`. */
export interface Options extends RunOptions {
  readonly print: boolean;
  readonly mode?: "json" | "rpc";
  /** File that the final answer goes to as well. */
  readonly output?: string;
  /** File with the JSON Schema that the final answer must fit. */
  readonly outputSchema?: string;
  readonly interactive: boolean;
  readonly timeoutMs?: number;
  readonly noStdin: boolean;
  readonly listTools: boolean;
  /** `input` is JSON text, `@<file>` or `-` for stdin; `{}` where it was left out. */
  readonly callTool?: { readonly name: string; readonly input: string };
  readonly doctor: boolean;
  readonly showConfig: boolean;
  readonly schema?: SchemaName;
  readonly completions?: ShellName;
  readonly refreshModels: boolean;
  readonly help: boolean;
  readonly version: boolean;
  /** The prompt words. */
  readonly words: readonly string[];
}
