/** Prompts that start with a slash: templates and skills. */

/** `unknown`: neither a template nor a skill, nor a path. */
export type SlashMeaning = "prompt" | "unknown";

export interface SlashName {
  readonly name: string;
  readonly help: string;
}

export interface SlashPrompts {
  meaning(text: string): Promise<SlashMeaning>;
  /** Names of templates and `skill:<name>`s, without the slash, with a line on each. */
  names(): Promise<readonly SlashName[]>;
}
