/** One hook as it is in force: what the settings say, where they say it, and what became of it. */
import type { HookSetting } from "../core/hook_settings.ts";

export interface Hook extends HookSetting {
  /** Of the person's own files, or of the project's, which need trust and may allow nothing. */
  readonly scope: "personal" | "project";
  /** The settings file. */
  readonly file: string;
  readonly count: HookCount;
}

/** What `/hooks` shows. */
export interface HookCount {
  runs: number;
  failures: number;
  lastMs?: number;
}
