/** The options of a run that the app takes from the command line. */
import type { ThinkingLevel } from "../core/model.ts";
import type { SandboxMode } from "../core/sandbox.ts";

/** Absent means not given: settings and defaults decide. */
export interface RunOptions {
  readonly provider?: string;
  readonly model?: string;
  /** Base address of the provider, instead of its own. */
  readonly endpoint?: string;
  /** Settings as `KEY=VALUE`. */
  readonly set?: readonly string[];
  /** Keys of grants that hold for this process. */
  readonly allow?: readonly string[];
  readonly thinking?: ThinkingLevel;
  readonly apiKey?: string;
  /** File that the model's side is recorded to. */
  readonly record?: string;
  /** Names of the tools to keep; empty for none. */
  readonly tools?: readonly string[];
  /** Run no hooks. */
  readonly noHooks?: boolean;
  readonly plan: boolean;
  readonly yolo: boolean;
  readonly ask?: "allow" | "deny";
  readonly sandbox?: SandboxMode;
  /** Chosen by a person since the start: overrides also what a project makes stricter. */
  readonly chosenSandbox?: SandboxMode;
  /** What commands in the sandbox reach: off, on, or hosts. */
  readonly sandboxNet?: string;
  /** Load (true) or skip (false) the project's own parts without asking. */
  readonly approve?: boolean;
  /** Fail where the model cannot see all of a prompt. */
  readonly strict: boolean;
  /** Start no extension. */
  readonly noExtensions: boolean;
  readonly noSession: boolean;
  /** For the session that begins. */
  readonly name?: string;
  /** Id, start of the id, name or file of the session to go on with. */
  readonly session?: string;
  readonly resume: boolean;
  readonly maxSteps?: number;
  /** Dollars. */
  readonly maxCost?: number;
  /** The workspace, instead of the current folder. */
  readonly cwd?: string;
}
