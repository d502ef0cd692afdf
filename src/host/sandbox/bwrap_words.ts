/** The words for bwrap that make a policy true for one command. */
import { accessSync, constants, existsSync } from "node:fs";
import { dirname, relative } from "node:path";
import { isInside } from "../../lib/path_inside.ts";
import { kindAt, listFolder, realOrMissing } from "../folders.ts";
import { type Policy, replacedFolders, type Shown } from "./policy.ts";
import { ensureMountPoint, ensureOpen, type PrivateFolders } from "./private_folders.ts";
import { coveredNames, type Protection } from "./protection.ts";

/** Readable for root, which nimlet often is where nobody watches. */
const systemSecrets = [
  ...["/etc/shadow", "/etc/shadow-", "/etc/gshadow", "/etc/gshadow-", "/etc/ssh"],
  ...["/etc/ssl/private", "/etc/kubernetes", "/var/lib/docker", "/var/lib/containerd"],
  ...["/var/lib/kubelet", "/var/lib/lxd", "/var/snap", "/var/backups", "/var/spool/cron"],
  ...["/etc/sudoers", "/etc/sudoers.d", "/etc/wireguard", "/etc/letsencrypt", "/etc/krb5.keytab"],
  ...[
    "/etc/NetworkManager/system-connections",
    "/etc/rancher",
    "/var/lib/rancher",
    "/var/lib/incus",
  ],
  ...["/var/lib/libvirt", "/var/lib/containers"],
];

const namespaces = [
  ...["--unshare-user", "--unshare-pid", "--unshare-ipc", "--unshare-uts"],
  ...["--unshare-cgroup-try", "--cap-drop", "ALL"],
];

/** The words that do not change while the program runs: namespaces and the root. */
export function rootWords({ net }: Pick<Policy, "net">, folders: PrivateFolders): string[] {
  const words = [...namespaces, ...(net === "on" ? [] : ["--unshare-net"])];
  const top = listFolder("/", 1000);
  for (const { name, kind } of top.kind === "list" ? top.entries : []) {
    if (replacedFolders.includes(name)) continue;
    if (kind === "link") words.push("--symlink", Deno.readLinkSync(`/${name}`), `/${name}`);
    else if (kind === "folder") words.push("--ro-bind", `/${name}`, `/${name}`);
  }
  words.push("--dev", "/dev", "--proc", "/proc", "--dir", "/run");
  // root owns the kernel's files, and writes them and their modes without any privilege
  if (Deno.uid() === 0) words.push("--remount-ro", "/proc");
  for (
    const name of [
      ...(net === "on" ? ["systemd/resolve"] : []),
      ...["current-system", "wrappers"],
    ]
  ) words.push("--ro-bind-try", `/run/${name}`, `/run/${name}`);
  if (kindAt("/var/run") === "folder") words.push("--ro-bind", folders.emptyFolder, "/var/run");
  for (const path of systemSecrets) {
    // each cover takes time, and what cannot be entered outside cannot be entered inside
    if (isOpen(path)) words.push(...coverWords(path, folders));
  }
  return words;
}

export interface CommandWords {
  readonly words: string[];
  /** Folders and files whose place another program inside could swap before they are mounted. */
  readonly swappable: string[];
}

/** The words for one command, after those of the root; makes the placeholders that they need. */
export function policyWords(
  policy: Policy,
  folders: PrivateFolders,
  protection: Protection,
  read: readonly string[],
  cwd: string,
): CommandWords {
  const { workspace, home, nimletHome, mode } = policy;
  const words: string[] = [], swappable: string[] = [];
  const bind = (kind: "--bind" | "--ro-bind", from: string, at = from) => {
    words.push(kind, from, at);
  };
  const privates: Shown[] = [
    { from: folders.temp, at: "/tmp" },
    ...(kindAt("/var/tmp") === "folder" ? [{ from: folders.temp, at: "/var/tmp" }] : []),
    { from: folders.home, at: home },
  ];
  /** What is shown of the real tree: all that is below it is there. */
  const real: Shown[] = [];
  const pinned = new Set<string>();
  /** Makes the way to `at` where it leads through a private folder, and keeps commands from moving it. */
  const lead = (at: string, isFolder = true, isCommon = true) => {
    const root = [...privates, ...real].filter((each) => isInside(each.at, at) && each.at !== at)
      .sort((a, b) => b.at.length - a.at.length)[0];
    if (root === undefined || real.includes(root)) return;
    const names = relative(root.at, at).split("/");
    ensureMountPoint(root.from, names, isFolder);
    for (let count = 1; count < names.length; count++) {
      const way = names.slice(0, count).join("/");
      const pin = `${root.at}/${way}`;
      if (pinned.has(pin)) continue;
      pinned.add(pin);
      bind("--bind", `${root.from}/${way}`, pin);
      if (!isCommon) swappable.push(pin);
    }
  };
  const show = (kind: "--bind" | "--ro-bind", { from, at }: Shown, isCommon = true) => {
    const found = kindAt(from);
    const isShown = from === at && kind === "--ro-bind" &&
      real.some((each) => each.from === each.at && isInside(each.at, at));
    if (found === "missing" || isShown) return;
    lead(at, found === "folder", isCommon);
    bind(kind, from, at);
    real.push({ from, at });
  };

  for (const { from, at } of privates) {
    if (at === home) lead(at);
    ensureOpen(from);
    bind("--bind", from, at);
  }
  if (!isInside(home, nimletHome)) {
    lead(nimletHome);
    words.push("--tmpfs", nimletHome);
  }
  for (const shown of policy.readable) show("--ro-bind", shown);
  for (const path of [...read, ...protection.shown]) {
    const isOut = !isInside(workspace, path) && !isInside(path, home);
    if (isOut && !isInside(path, nimletHome)) show("--ro-bind", { from: path, at: path }, false);
  }
  show(mode === "read" ? "--ro-bind" : "--bind", { from: workspace, at: workspace });
  if (mode !== "read") protect();
  for (const shown of policy.read) show("--ro-bind", shown);
  for (const shown of policy.write) show("--bind", shown);
  const shown = [...policy.readable, ...policy.read, ...policy.write].map(({ from }) => from);
  for (const path of policy.hide) {
    const isSeen = [workspace, ...shown].some((folder) => isInside(folder, path)) ||
      !privates.some(({ at }) => isInside(at, path));
    if (isSeen) words.push(...coverWords(path, folders));
  }
  if (typeof policy.net !== "string") bind("--ro-bind", folders.socket, innerSocket);
  words.push("--remount-ro", "/", "--chdir", cwd);
  return { words, swappable };

  function isCovered(path: string): boolean {
    return coveredNames.includes(relative(workspace, path).split("/")[0]!);
  }

  function protect(): void {
    for (const path of protection.opened) bind("--bind", path);
    const missing = protection.closed.filter((path) => kindAt(path) === "missing");
    const made = folders.placeholders(
      missing.filter((path) => realOrMissing(dirname(path)) === dirname(path)),
    );
    const closed = protection.closed
      .filter((path) => !missing.includes(path) || made.includes(path))
      .sort((a, b) => a.length - b.length);
    // all pins first: each of them uncovers what was bound below it
    const pins = new Set<string>();
    for (const path of [...closed, ...policy.hide]) {
      for (let at = dirname(path); at !== workspace && isInside(workspace, at); at = dirname(at)) {
        if (!closed.includes(at)) pins.add(at);
      }
    }
    // what is covered in every sandbox cannot be moved from within another one
    swappable.push(...[...pins, ...closed].filter((path) => !isCovered(path)));
    for (const pin of [...pins].sort((a, b) => a.length - b.length)) bind("--bind", pin);
    for (const path of closed) bind("--ro-bind", path);
    for (const path of protection.reopened) bind("--bind", path);
    for (const path of protection.closedWithin) bind("--ro-bind", path);
  }
}

/** True for what can be read, or gone through to a socket. */
function isOpen(path: string): boolean {
  return existsSync(path) && [constants.R_OK, constants.X_OK].some((right) => {
    try {
      accessSync(path, right);
      return true;
    } catch {
      return false;
    }
  });
}

/** Where the proxy's socket is inside. */
export const innerSocket = "/run/nimlet.sock";

/** Covers what is at `path` by nothing. */
function coverWords(path: string, { emptyFolder, emptyFile }: PrivateFolders): string[] {
  const kind = kindAt(path);
  if (kind === "missing" || kind === "link") return [];
  return ["--ro-bind", kind === "folder" ? emptyFolder : emptyFile, path];
}
