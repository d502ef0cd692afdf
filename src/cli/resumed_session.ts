/** `--resume WORD`: a word that is the id of a session, or begins one, means that session. */
import { openEnvironment } from "../app/environment.ts";
import { sessionFolder } from "../app/session/open_session.ts";
import type { Host } from "../core/host.ts";
import { idsThatStart } from "../session/find_session.ts";
import { looksLikeId } from "../session/session_id.ts";
import type { Options } from "./command_line.ts";
import { show, usage } from "./usage_failure.ts";

/** Fewer characters are a word of the prompt. */
const minIdChars = 8;

/**
 * `options` with that session in the word's place; as they are where there is none, and the word is
 * one of the prompt. Throws `RunFailure("usage")` in RPC mode, where it can be nothing else, for what is
 * no id.
 */
export async function withResumedSession(
  options: Options,
  at: number,
  host: Host,
  signal: AbortSignal,
): Promise<Options> {
  const word = options.words[at]!;
  if (word.length < minIdChars || !looksLikeId(word)) {
    if (options.mode !== "rpc") return options;
    throw usage(
      `--resume: expected the id of a session, or its first ${minIdChars} or more characters, found ` +
        `${show(word)}; --mode rpc takes its prompts from stdin, and --session takes names`,
    );
  }
  const dir = sessionFolder(await openEnvironment(options, host, undefined, signal));
  const ids = dir === undefined ? [] : idsThatStart(word, dir);
  if (ids.length === 0 && options.mode !== "rpc") return options;
  const words = options.words.filter((_, index) => index !== at);
  // where there are several, opening the session names them
  return { ...options, words, resume: false, session: ids.length === 1 ? ids[0]! : word };
}
