/**
 * The profile of a policy for `sandbox-exec` on macOS: rules in the system's own language, of which the
 * last that fits counts. It was not tried on a Mac yet, and no run uses it.
 */
import type { SandboxWish } from "../../core/sandbox.ts";

export interface MacosPolicy extends Pick<SandboxWish, "mode"> {
  /** Real paths, all of them. */
  readonly workspace: string;
  readonly privateHome: string;
  readonly privateTemp: string;
  readonly nimletHome: string;
  readonly readable: readonly string[];
  readonly writable: readonly string[];
  readonly hidden: readonly string[];
  /** Paths of the workspace that are never written; they need not exist. */
  readonly closed: readonly string[];
  /** A number is the port of the proxy on this machine. */
  readonly net: "off" | "on" | number;
  /** Lets commands reach each other by 127.0.0.1, which is the machine's. */
  readonly loopback: boolean;
}

/** Other people's files, temporary ones, keys and secrets of the system. */
const unseen = [
  ...["/Users", "/Volumes", "/Library/Keychains", "/private/tmp", "/private/etc/ssh"],
  ...["/private/var/folders", "/private/var/db", "/private/var/root"],
];

/** Names, users, clock and logs; no launching of programs, Apple events, pasteboard or keychain. */
const services = [
  "com.apple.system.opendirectoryd.libinfo",
  "com.apple.system.opendirectoryd.membership",
  "com.apple.bsd.dirhelper",
  "com.apple.system.logger",
  "com.apple.system.notification_center",
  "com.apple.PowerManagement.control",
];
const networkServices = [
  "com.apple.trustd.agent",
  "com.apple.SystemConfiguration.configd",
  "com.apple.mDNSResponder",
];

export function macosProfile(policy: MacosPolicy): string {
  const { mode, workspace, privateHome, privateTemp, net, loopback } = policy;
  const own = [privateHome, privateTemp];
  const shown = [workspace, ...own, ...policy.readable, ...policy.writable];
  const written = [...(mode === "read" ? [] : [workspace]), ...own, ...policy.writable];
  const named = [...services, ...(net === "off" ? [] : networkServices)];
  // a folder on the way must not be moved, or what is closed would be elsewhere
  const pins = policy.closed.flatMap(above).filter((path) => path.startsWith(`${workspace}/`));
  const pinned = each("literal", pins);
  return [
    "(version 1)",
    "(deny default)",
    "(allow process-exec process-fork)",
    "(allow signal (target same-sandbox))",
    "(allow process-info* (target same-sandbox))",
    "(allow sysctl-read)",
    "(allow ipc-posix-sem)",
    "(allow user-preference-read)",
    "(allow pseudo-tty)",
    "(allow mach-host*)",
    `(allow mach-lookup ${all("global-name", named)})`,
    "(allow file-read*)",
    `(deny file-read* ${all("subpath", unseen)})`,
    // programs look at each folder on their way
    `(allow file-read-metadata ${all("literal", shown.flatMap(above))})`,
    `(allow file-read* ${all("subpath", shown)})`,
    `(deny file-read* file-write* ${all("subpath", [...policy.hidden, policy.nimletHome])})`,
    `(allow file-read* ${all("subpath", own)})`,
    `(allow file-write* ${all("subpath", written)})`,
    ...(policy.hidden.length === 0
      ? []
      : [`(deny file-read* file-write* ${all("subpath", policy.hidden)})`]),
    ...(policy.closed.length === 0
      ? []
      : [`(deny file-write* ${[...each("subpath", policy.closed), ...pinned].join(" ")})`]),
    "(deny file-write-setugid)",
    `(deny file-link (require-not (subpath ${quoted(workspace)})))`,
    '(allow file-read* file-write-data file-ioctl (literal "/dev/null") (literal "/dev/zero") ' +
    '(literal "/dev/tty") (literal "/dev/ptmx") (regex #"^/dev/ttys[0-9]+$") (regex #"^/dev/fd/"))',
    ...networkRules(net, loopback),
  ].map((rule) => `${rule}\n`).join("");
}

function networkRules(net: MacosPolicy["net"], loopback: boolean): string[] {
  if (net === "on") return ["(allow network*)", "(allow system-socket)"];
  return [
    ...(loopback
      ? [
        '(allow network-bind network-inbound (local ip "localhost:*"))',
        '(allow network-outbound (remote ip "localhost:*"))',
      ]
      : []),
    ...(net === "off" ? [] : [`(allow network-outbound (remote ip "localhost:${net}"))`]),
  ];
}

function each(filter: string, values: readonly string[]): string[] {
  return [...new Set(values)].map((value) => `(${filter} ${quoted(value)})`);
}

function all(filter: string, values: readonly string[]): string {
  return each(filter, values).join(" ");
}

function quoted(text: string): string {
  return `"${text.replaceAll("\\", "\\\\").replaceAll('"', '\\"')}"`;
}

/** Every folder above `path`, the root first. */
function above(path: string): string[] {
  return path.split("/").slice(0, -1)
    .map((_, index, names) => names.slice(0, index + 1).join("/") || "/");
}
