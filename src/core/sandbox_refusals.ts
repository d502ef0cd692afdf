/** Tells from what a failed program said which rule of the sandbox it may have met. */
import type { HostList } from "./sandbox_hosts.ts";

/** How much of the output's ends is looked at. */
const lookedAtChars = 16_384;
const mostPaths = 40;

export interface Refusals {
  readonly mode: string;
  readonly net: HostList;
  /** Real path of the home folder. */
  readonly home: string;
  /** True for a path that is there, but not shown inside. */
  isHidden(path: string): boolean;
}

/** One line for each; none where nothing points to the sandbox. An exit status alone never does. */
export function explainRefusal(output: string, { mode, net, home, isHidden }: Refusals): string[] {
  const text = output.length > 2 * lookedAtChars
    ? `${output.slice(0, lookedAtChars)}\n${output.slice(-lookedAtChars)}`
    : output;
  const lines: string[] = [];
  if (
    /Read-only file system|\bEROFS\b|could not write config file|Device or resource busy/i.test(
      text,
    )
  ) {
    lines.push(
      mode === "read"
        ? "only /tmp and the private home can be written"
        : mode === "commit"
        ? "only the workspace and /tmp can be written; git's hooks and config and settings folders cannot"
        : "only the workspace and /tmp can be written; .git and settings folders cannot",
    );
  }
  if (noNetwork.test(text)) {
    if (net === "off") lines.push("there is no network");
    else if (net !== "on") lines.push(`there is no network but by proxy to ${net.join(", ")}`);
  }
  const hidden = new Set(hiddenPaths(text, isHidden));
  for (const path of [...hidden].slice(0, 5)) {
    lines.push(`${path.startsWith(`${home}/`) ? `~${path.slice(home.length)}` : path} is hidden`);
  }
  if (/no new privileges|\bsudo: |nesting depth|effective uid is not 0|must be setuid/.test(text)) {
    lines.push("no privileges, no further sandboxes inside");
  }
  return lines;
}

const noNetwork =
  /Could not resolve|Temporary failure in name resolution|EAI_AGAIN|ENOTFOUND|Network is unreachable|ENETUNREACH|Name or service not known/i;

function* hiddenPaths(text: string, isHidden: (path: string) => boolean): Generator<string> {
  let looked = 0;
  for (const line of text.split("\n")) {
    if (!/No such file|ENOENT|not found|cannot access|does not exist/i.test(line)) continue;
    for (const [, path = ""] of line.matchAll(/(?:^|[\s'"`(=:‘])(\/[^\s'"`:;,()’]+)/g)) {
      if (++looked > mostPaths) return;
      if (isHidden(path)) yield path;
    }
  }
}
