/** What people and clients are told of a hook. */

export interface HookFacts {
  readonly event: string;
  /** "" for all. */
  readonly matcher: string;
  readonly name: string;
  /** With its arguments, as it is written. */
  readonly command: string;
  /** The settings file. */
  readonly file: string;
  readonly scope: "user" | "project";
  readonly required: boolean;
  readonly async: boolean;
}

/** The same, with what became of it since the settings were read. */
export interface HookState extends HookFacts {
  readonly runs: number;
  readonly failures: number;
  readonly last_ms?: number;
}
