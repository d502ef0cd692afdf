/** Starts one child in a session of its own, with a sentence where that fails. */
import { type ProcessSpec, ProcessStartError } from "../../core/host.ts";
import { messageOf } from "../../core/failure.ts";
import { isFolder } from "../folders.ts";
import { sessionProgram } from "./session_program.ts";

/** What of a program its start needs. */
export type StartSpec = Pick<ProcessSpec, "file" | "args" | "cwd"> & {
  readonly stdin: "null" | "piped";
};

/** Starts `spec.file`; throws `ProcessStartError`. */
export function startProcess(spec: StartSpec, env: Record<string, string>): Deno.ChildProcess {
  const leader = sessionProgram(spec.file);
  if (leader !== undefined) {
    try {
      return spawn(spec, env, leader);
    } catch {
      // whatever is wrong, the program's own start says it in the right words
    }
  }
  try {
    return spawn(spec, env);
  } catch (error) {
    throw startError(spec, error);
  }
}

/** With `leader`, a program that begins a session and becomes the one it is given. */
function spawn(
  { file, args, cwd, stdin }: StartSpec,
  env: Record<string, string>,
  leader?: string,
): Deno.ChildProcess {
  return new Deno.Command(leader ?? file, {
    args: leader === undefined ? [...args] : [file, ...args],
    cwd,
    env,
    clearEnv: true,
    stdin,
    stdout: "piped",
    stderr: "piped",
    // a new session: a group to signal, and no controlling terminal to read from
    detached: leader === undefined,
  }).spawn();
}

function startError(spec: StartSpec, error: unknown): ProcessStartError {
  const fail = (reason: ProcessStartError["reason"], sentence: string) =>
    new ProcessStartError(reason, sentence, { cause: error });
  if (!isFolder(spec.cwd)) {
    return fail("other", `${spec.file} cannot be started: the folder ${spec.cwd} does not exist.`);
  }
  const code = (error as { code?: unknown }).code;
  if (error instanceof Deno.errors.NotFound) {
    return fail("not_found", `${spec.file} cannot be started: no such program was found.`);
  }
  if (error instanceof Deno.errors.PermissionDenied) {
    return fail("not_executable", `${spec.file} cannot be started: it is not executable.`);
  }
  if (code === "ENOEXEC") {
    return fail("not_executable", `${spec.file} cannot be started: it is not a program.`);
  }
  if (code === "E2BIG") {
    return fail("too_long", `${spec.file} cannot be started: its arguments are too long.`);
  }
  return fail("other", `${spec.file} cannot be started: ${messageOf(error)}.`);
}
