/** What a tool is: a plain object that the dispatcher runs. */
import type { Capability } from "./capability.ts";
import type { FileBounds } from "./file_bounds.ts";
import type { FileChange } from "./file_change.ts";
import type { Host } from "./host.ts";
import type { Json, JsonObject } from "./json.ts";
import type { ImagePart } from "./message.ts";
import type { Sandbox } from "./sandbox.ts";

/** A tool's arguments: the schema the model is shown, and the check of what it sends. */
export interface InputShape<Input> {
  readonly jsonSchema: JsonObject;
  /**
   * Checks arguments that were already coerced; what the check needs is loaded by the first one.
   * May reject with the signal's reason when it aborts.
   */
  parse(raw: Json, signal?: AbortSignal): Promise<ParsedInput<Input>>;
}

export type ParsedInput<Input> =
  | { readonly input: Input }
  /** Each problem is `<key path>: <what is wrong>`. */
  | { readonly problems: readonly string[] };

export interface ToolOutput {
  readonly text: string;
  readonly images?: readonly ImagePart[];
  /** Files whose content the call has changed, as paths within the workspace. */
  readonly filesChanged?: readonly string[];
  /** Of a command that ended by itself. */
  readonly exitStatus?: number;
}

/** What a call may use. No settings, no session, no other tools. */
export interface ToolContext extends FileBounds {
  readonly host: Host;
  /** Aborts when the run is interrupted; every wait must listen. */
  readonly signal: AbortSignal;
  /** The environment that a child process gets: without providers' keys. */
  readonly childEnv: Record<string, string>;
  /** Where programs of the call run; absent where none was asked for. */
  readonly sandbox?: Sandbox | undefined;
  /** Live output, already text; may be called at any rate. */
  progress(delta: string): void;
  readonly limits: { readonly maxOutputBytes: number };
  /**
   * The grant key that the call was permitted for, "" where it needed no permission; absent where
   * everything is permitted. What a call needs can change until it runs.
   */
  readonly permittedKey?: string;
  /** The id of the call, as in its events; absent outside of a run. */
  readonly callId?: string;
  /** Takes note of what a call did to a file; absent where nobody shows or takes back changes. */
  readonly fileChanged?: (change: FileChange) => void;
}

export interface Tool<Input = unknown> {
  readonly name: string;
  /** For the model: one or two exact sentences. */
  readonly description: string;
  readonly capabilities: readonly Capability[];
  readonly input: InputShape<Input>;
  /** Neighbouring calls of parallel tools run together. */
  readonly parallel: boolean;
  /** Where the tool comes from, for lists. */
  readonly origin: ToolOrigin;
  /**
   * What a remembered permission is filed under; absent, or undefined for an input: needs no approval in
   * act mode.
   */
  grantKey?(input: Input, bounds: FileBounds): string | undefined;
  /** Returns the result, or throws `ToolFailure` for what the model can answer. */
  run(input: Input, context: ToolContext): Promise<ToolOutput>;
}

export type ToolOrigin =
  | { readonly kind: "built-in" }
  | {
    readonly kind: "external";
    readonly scope: "global" | "project";
    /** Path of the manifest. */
    readonly manifest: string;
    /** Manifests of the same name that this one replaced. */
    readonly shadows: readonly string[];
  }
  | {
    readonly kind: "extension";
    readonly scope: "global" | "project";
    readonly name: string;
    readonly folder: string;
  }
  | {
    readonly kind: "mcp";
    readonly server: string;
    readonly scope: "global" | "project";
    /** Path of the file that names the server. */
    readonly file: string;
    /** The server's own name for it. */
    readonly tool: string;
    /** What the server says of it, as `readOnlyHint`: shown, and believed nowhere. */
    readonly hints: readonly string[];
  };

/**
 * True for an external tool that the settings, by its name, take out of the sandbox: not for one of the
 * project that took the name of the person's own.
 */
export function isTakenOut(
  origin: ToolOrigin,
  name: string,
  outside: readonly string[],
): boolean {
  if (origin.kind !== "external" || !outside.includes(name)) return false;
  return origin.scope !== "project" || origin.shadows.length === 0;
}

/** A tool of any input type, as kept in lists: `run` must only see what its `input.parse` gave. */
// deno-lint-ignore no-explicit-any -- the input type is private to each tool; dispatch pairs parse and run
export type AnyTool = Tool<any>;
