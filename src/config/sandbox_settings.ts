/** The rows of the settings table that are about the sandbox, and the check of the list of hosts. */
import type { Json } from "../core/json.ts";
import { sandboxModes } from "../core/sandbox.ts";
import { hostListText } from "../core/sandbox_hosts.ts";

export const sandboxSettings = {
  "sandbox.mode": {
    kind: "choice",
    choices: sandboxModes,
    default: "off",
    isTightened: true,
    description:
      "What commands may change: `commit` the workspace and its git history, `workspace` all but that, " +
      "`read` nothing; `--sandbox` overrides it.",
  },
  "sandbox.net": {
    kind: "hosts",
    default: "off",
    isTightened: true,
    description:
      "What commands in the sandbox reach: `off`, `on`, or hosts; `--sandbox-net` overrides it.",
  },
  "sandbox.read": {
    kind: "list",
    isPersonal: true,
    description: "More paths that commands in the sandbox can read: absolute, or from `~/`.",
  },
  "sandbox.write": {
    kind: "list",
    isPersonal: true,
    description: "More paths that commands in the sandbox can change.",
  },
  "sandbox.hide": {
    kind: "list",
    isTightened: true,
    description:
      "Paths that commands and file tools cannot read, also of the workspace; a project adds to them.",
  },
  "sandbox.env": {
    kind: "list",
    isPersonal: true,
    description: "Variables that commands in the sandbox get although they look secret.",
  },
  "sandbox.outside": {
    kind: "list",
    isPersonal: true,
    description:
      "External tools that run outside the sandbox, with approval, and extensions, as extension:NAME.",
  },
  "sandbox.escape": {
    kind: "choice",
    choices: ["ask", "never"],
    default: "ask",
    isPersonal: true,
    description: "Whether the model may ask a person to run one command outside the sandbox.",
  },
} as const;

/** The list as one text. */
export function checkHosts(
  found: Json,
): { readonly value: Json } | { readonly expected: string; readonly found: Json } {
  const text = hostListText(found);
  return text === undefined
    ? { expected: "off, on, or hosts as pkg.example.com,*.example.org,git.example:8443", found }
    : { value: text };
}
