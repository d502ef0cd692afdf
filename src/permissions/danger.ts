/** Owns the judgement whether a shell command is one that is asked about every time. */

/** `dangerous` completes the sentence "it ...": `runs rm`. */
export interface Danger {
  readonly dangerous: string;
}
