/** What a request to an extension can fail with. */

export type FailureKind =
  /** It did not answer in time. */
  | "time-out"
  /** Its process ended, or cannot be started. */
  | "gone"
  /** It said that it failed. */
  | "error"
  /** Its answer is not what the protocol wants. */
  | "unfit"
  /** It was disabled, as it ended too often. */
  | "disabled";

/** `message` completes a sentence that begins with the extension's name. */
export class ExtensionFailure extends Error {
  override readonly name = "ExtensionFailure";
  constructor(
    readonly kind: FailureKind,
    message: string,
    /** What it wrote to stderr before it ended while it worked on the request. */
    readonly errors?: string,
    /** Of an unfit answer: it was to deny or to change something. */
    readonly meansNo = false,
  ) {
    super(message);
  }
}

const quotedErrorChars = 2048;

/** The end of what an extension wrote to stderr, as a section of its own. */
export function quotedErrors(errors: string): string {
  const text = errors.trim();
  return text === "" ? "" : `\nstderr:\n${text.slice(-quotedErrorChars)}`;
}
