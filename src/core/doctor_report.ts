/** What `--doctor` says, in the form that programs get. */
import type { HookFacts } from "./hook_facts.ts";
import type { Host } from "./host.ts";
import type { Probe } from "./probe.ts";

export interface DoctorReport {
  /** Whether a run could start. */
  readonly ok: boolean;
  /** Null where the settings cannot be used, or name no provider that is known. */
  readonly provider: string | null;
  readonly model: string | null;
  /** Without credentials and query. */
  readonly endpoint: string | null;
  /** Those that exist. */
  readonly config: readonly {
    readonly path: string;
    readonly scope: "user" | "project";
    readonly state: "read" | "untrusted";
  }[];
  /** Null where none is asked for. */
  readonly sandbox: {
    readonly mode: string;
    readonly net: string;
    /** Name and text of each line about it; none where it cannot be had. */
    readonly lines: readonly (readonly [string, string])[];
  } | null;
  /** Those that are named and can be used; none is started. */
  readonly mcp_servers: readonly {
    readonly name: string;
    readonly scope: "user" | "project";
    readonly file: string;
    readonly transport: "stdio" | "http";
    /** Command or address, without what may be secret. */
    readonly target: string;
    readonly startup_timeout_seconds: number;
    readonly call_timeout_seconds: number;
    readonly required: boolean;
    /** When the remembered list of its tools was made; null where none counts. */
    readonly tools_listed_at: string | null;
  }[];
  /** In their order; none is run. */
  readonly hooks: readonly HookFacts[];
  /** Those that would be started. */
  readonly extensions: readonly {
    readonly name: string;
    readonly scope: "user" | "project";
    readonly folder: string;
    readonly command: readonly string[];
    readonly guards: boolean;
  }[];
  /** The config.json that settings are saved to. */
  readonly settings_saved_to: string | null;
  /** Never the key itself. */
  readonly key_source: string | null;
  readonly key_variables: readonly string[];
  readonly compiled_code: Host["compiledCode"];
  readonly warnings: readonly string[];
  /** What keeps a run from starting. */
  readonly problem: string | null;
  /** What `--doctor test` tried: the model, then each MCP server; absent without. */
  readonly tests?: readonly Probe[];
  /** What to do next. */
  readonly next: string;
}
