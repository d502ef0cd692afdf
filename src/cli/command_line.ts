/** What a command line says, once it is read: a type that follows from the option table. */
import type { OptionRow } from "./options.ts";

/**
 * A property for each option, by its name in camelCase. A flag is true or false; any other option,
 * and a flag that another one negates, is absent where it was not given.
 */
export type Options =
  & { readonly [Row in SimpleFlag as CamelCase<Row["name"]>]: boolean }
  & { readonly [Row in Exclude<Valued, SimpleFlag> as CamelCase<Row["name"]>]?: ValueOf<Row> }
  & {
    /** The words of the prompt; with `--call-tool` the tool's arguments, one word at most; with `--try-hook` what the event is about; with `--export-session` its FILE. */
    readonly words: readonly string[];
    /** The place in `words` of the one right after `--resume`. */
    readonly resumeWord?: number;
    /** True where every word comes after `--`. */
    readonly allText?: true;
  };

type Negation = Extract<OptionRow, { negates: string }>;
type Valued = Exclude<OptionRow, Negation>;
type SimpleFlag = Exclude<Extract<Valued, { kind: "flag" }>, { name: Negation["negates"] }>;

/** A value as it is after reading; seconds may have fractions. */
type ValueOf<Row> = Row extends { kind: "flag" } ? boolean
  : Row extends { kind: "choice"; choices: readonly (infer Choice)[] } ? Choice
  : Row extends { kind: "list" } ? readonly string[]
  : Row extends { kind: "texts" } ? readonly string[]
  : Row extends { kind: "integer" | "seconds" | "dollars" } ? number
  : string;

type CamelCase<Name extends string> = Name extends `${infer Head}-${infer Tail}`
  ? `${Head}${Capitalize<CamelCase<Tail>>}`
  : Name;
