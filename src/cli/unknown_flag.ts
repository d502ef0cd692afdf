/** What is said of a flag that the option table does not know. */
import type { RunFailure } from "../core/failure.ts";
import { nearest } from "../lib/nearest.ts";
import { optionTable } from "./options.ts";
import { peerAdvice } from "./peer_flags.ts";
import { show, usage } from "./usage_failure.ts";

export function unknownFlag(rawName: string, argument: string): RunFailure {
  if (/\s/.test(argument)) {
    return usage(
      `unknown flag ${show(rawName)}; words that begin with a dash must come after --`,
    );
  }
  const advice = peerAdvice(rawName);
  if (advice !== undefined) return usage(`there is no flag ${show(rawName)} here; ${advice}`);
  const whole = argument.split("=")[0]!;
  const within = rawName === whole ? "" : ` in ${show(argument)}`;
  const long = nearest(
    whole.replace(/^-+/, "").replaceAll("_", "-"),
    optionTable.flatMap(({ name, aliases = [] }) => [name, ...aliases]),
  );
  return usage(
    `unknown flag ${show(rawName)}${within}` +
      (long === undefined || whole.length < 3 ? "" : `; did you mean --${long}?`),
  );
}
