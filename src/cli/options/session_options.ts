/** The options about sessions and limits. */
import type { Option } from "../option.ts";

/** In the order of the help. */
export const sessionOptions = [
  {
    name: "no-session",
    kind: "flag",
    group: "Sessions and limits",
    help: "keep no session file",
    excludes: ["session", "resume", "name"],
  },
  {
    name: "name",
    kind: "text",
    placeholder: "NAME",
    group: "Sessions and limits",
    help: "the name of the session that begins",
    excludes: ["session", "resume"],
  },
  {
    name: "session",
    kind: "text",
    placeholder: "ID",
    group: "Sessions and limits",
    help: "continue a session: its id, start of id, or name",
  },
  {
    name: "resume",
    short: "c",
    aliases: ["continue"],
    kind: "flag",
    valueAdvice: "for a certain session use --session ID",
    group: "Sessions and limits",
    help: "continue the latest session",
  },
  {
    name: "max-steps",
    kind: "integer",
    placeholder: "N",
    max: 1_000_000,
    group: "Sessions and limits",
    help: "stop at N model requests (exit status 3)",
  },
  {
    name: "max-cost",
    kind: "dollars",
    placeholder: "DOLLARS",
    max: 1_000_000,
    group: "Sessions and limits",
    help: "stop when that much is spent (exit status 3)",
  },
  {
    name: "timeout",
    kind: "seconds",
    placeholder: "SECONDS",
    max: 2_000_000,
    group: "Sessions and limits",
    help: "stop after that time (exit status 3)",
  },
] as const satisfies readonly Option[];
