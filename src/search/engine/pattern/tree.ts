/** The tree of a pattern that was read. */
import type { CharSet } from "./char_set.ts";

export type PatternNode =
  /** One character of the set; LF is in none. */
  | { readonly kind: "set"; readonly set: CharSet }
  | { readonly kind: "sequence"; readonly items: readonly PatternNode[] }
  | { readonly kind: "choice"; readonly options: readonly PatternNode[] }
  | {
    readonly kind: "group";
    readonly body: PatternNode;
    /** Its number, where it captures. */
    readonly capture: number | undefined;
    readonly atomic: boolean;
  }
  | {
    readonly kind: "repeat";
    readonly body: PatternNode;
    readonly min: number;
    /** Infinity for no bound. */
    readonly max: number;
    readonly mode: "greedy" | "lazy" | "possessive";
  }
  | { readonly kind: "assertion"; readonly at: "start" | "end" | "boundary" | "inside" }
  | {
    readonly kind: "look";
    readonly ahead: boolean;
    readonly negative: boolean;
    readonly body: PatternNode;
  }
  | { readonly kind: "backreference"; readonly group: number };
