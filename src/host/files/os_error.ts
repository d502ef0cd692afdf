/** Turns errors of the operating system into sentences. */
import { messageOf, ToolFailure, type ToolFailureCode } from "../../core/failure.ts";
import { shownPath } from "../../lib/shown_path.ts";

/**
 * What to throw for `error`, met at the file at `path`; `doing` is a verb: read, write, create.
 * Errors that the system did not make (failures, aborts, faults of ours) come back as they are.
 */
export function osFailure(error: unknown, path: string, doing: string): unknown {
  if (error instanceof ToolFailure || errorCode(error) === undefined) return error;
  const shown = shownPath(path);
  const known = sentenceOf(errorCode(error), shown, doing);
  const [code, sentence] = known ?? ["io_error", `cannot ${doing} ${shown}: ${reasonOf(error)}`];
  return new ToolFailure(code, sentence, { cause: error });
}

/** The system's name of an error, as `ENOENT`; undefined for anything that has none. */
export function errorCode(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined;
  const code = (error as { code?: unknown }).code;
  if (typeof code === "string") return code;
  // Rarer errors come with their number only.
  const number = /\(os error (\d+)\)/.exec(error.message)?.[1];
  return number === undefined ? undefined : numbered[number] ?? `error ${number}`;
}

const numbered: Record<string, string> = { 27: "EFBIG", 30: "EROFS", 122: "EDQUOT" };

function sentenceOf(
  code: string | undefined,
  path: string,
  doing: string,
): [ToolFailureCode, string] | undefined {
  switch (code) {
    case "ENOENT":
      return ["not_found", `not found: ${path}`];
    case "EACCES":
    case "EPERM":
      return ["io_error", `permission denied: cannot ${doing} ${path} as this user`];
    case "EISDIR":
      return ["not_a_file", `not a regular file: ${path} is a folder`];
    case "ENOTDIR":
      return ["not_found", `not found: a part of ${path} is a file where a folder is needed`];
    case "EEXIST":
      return ["already_exists", `already exists: ${path}`];
    case "ENAMETOOLONG":
      return ["io_error", `name too long: a part of ${path} is longer than the file system allows`];
    case "ELOOP":
      return ["io_error", `too many symbolic links: ${path} leads round in a circle`];
    case "ENOSPC":
      return ["io_error", `no space left on the device: cannot ${doing} ${path}`];
    case "EDQUOT":
      return ["io_error", `disk quota exceeded: cannot ${doing} ${path}`];
    case "EFBIG":
      return ["io_error", `file too large for the file system or a limit: cannot ${doing} ${path}`];
    case "EROFS":
      return ["read_only", `read-only file system: cannot ${doing} ${path}`];
    case "EMFILE":
    case "ENFILE":
      return ["io_error", `too many open files: cannot ${doing} ${path}; try again`];
    case "EBUSY":
    case "ETXTBSY":
      return ["io_error", `in use: cannot ${doing} ${path}`];
    case "EIO":
      return ["io_error", `the device failed: cannot ${doing} ${path}`];
    case "EAGAIN":
      return ["io_error", `nothing to read without waiting: cannot ${doing} ${path}`];
    case "EILSEQ":
      return ["io_error", `name refused: the file system does not take the name of ${path}`];
    default:
      return undefined;
  }
}

/** The system's reason without the function name and the (absolute) paths that runtimes add. */
function reasonOf(error: unknown): string {
  const reason = messageOf(error).replace(/ \(os error \d+\).*$/, "");
  return reason.replace(/, \w+ '.*$/, "").replace(/: \w+ '.*$/, "");
}
