/** One option: what the option table says of it. */

export const optionGroups = [
  "Output",
  "Model",
  "Tools and permissions",
  "Sessions and limits",
  "Input",
  "Information",
] as const;

/** One row of the table. */
export interface Option {
  readonly name: string;
  readonly short?: string;
  /** Other long names of the same option. */
  readonly aliases?: readonly string[];
  /**
   * flag: takes no value · text: not empty · choice: one of `choices` · list: names with commas ·
   * texts: a text each time it is given · integer: 1 to `max` · seconds, dollars: above 0, fractions allowed, up to `max`
   */
  readonly kind: "flag" | "text" | "choice" | "list" | "texts" | "integer" | "seconds" | "dollars";
  /** How the value is named in the help. */
  readonly placeholder?: string;
  readonly choices?: readonly string[];
  readonly max?: number;
  readonly group: typeof optionGroups[number];
  /** One short line for the help. */
  readonly help: string;
  /** Options that make no sense beside this one; said on one side only. */
  readonly excludes?: readonly string[];
  /** The option that this one means nothing without. */
  readonly needs?: string;
  /** The flag that this one gives as `false`: without either, that one is absent. */
  readonly negates?: string;
  /** What a value must be, in error messages; else it follows from the kind. */
  readonly expected?: string;
  /** Of a flag: what to write where a value was given. */
  readonly valueAdvice?: string;
  /** True where the value must not be shown. */
  readonly secret?: boolean;
  /** True where giving it twice is refused; else the last one counts. */
  readonly once?: boolean;
  /** True where prompt words make no sense beside it. */
  readonly refusesPrompt?: boolean;
}
