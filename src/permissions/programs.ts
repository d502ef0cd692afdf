/** The one table of programs: what needs approval every time, and what runs its arguments. */

/** Expressions are for the arguments, one a line. */
export interface Program {
  /** `runner`: runs what it is given in a way of its own. `refused`: evaluates text. */
  readonly kind?: "listed" | "wrapper" | "find" | "shell" | "runner" | "refused" | "exporter";
  /** What it does at most with files that its arguments name. */
  readonly files?: "read" | "written";
  /** It is listed where this fits. */
  readonly listed?: RegExp;
  /** What stands in front of the program that a wrapper runs; what after it only asks for help. */
  readonly front?: RegExp;
  readonly asks?: RegExp;
  /** It runs nothing of arguments that fit; with others that fit it is never plain. */
  readonly inert?: RegExp;
  readonly never?: RegExp;
  /** True where its arguments are code, or say what files are written; where it may run its input. */
  readonly isCode?: boolean;
  readonly runsInput?: boolean;
}

export const inert = /(?:)/;
const kind = "wrapper", files = "written", writer = { files, inert } as const;
const exporter = { kind: "exporter", files: "read", inert } as const;
const reader = { files: "read", inert } as const, code = { files, isCode: true } as const;

export const programs = tableOf(() => [
  ["rm sudo curl wget ssh scp chmod chown kill pkill dd mkfs shutdown reboot", { kind: "listed" }],
  ["exec nohup builtin busybox", { kind, front: /^/ }],
  ["command", { kind, front: /^(?:-p\n)?/, asks: /^-[vV]\n/ }],
  ["env", { kind, front: /^(?:-i?\n|-[uC]\n.*\n)*(?:\w+=.*\n)*/ }],
  ["nice", { kind, front: /^(?:-n\n?-?\d+\n|-\d+\n)?/ }],
  ["setsid", { kind, front: /^(?:-[cfw]+\n)*/ }],
  ["stdbuf", { kind, front: /^(?:-[ioe]\n?\w+\n)*/ }],
  ["time", { kind, front: /^(?:-[pv]\n)?/ }],
  ["timeout", { kind, front: /^(?:-[sk]\n?\w+\n|-v\n|--foreground\n)*[\d.]+[smhd]?\n/ }],
  ["xargs", {
    kind,
    front:
      /^(?:-[0rtx]+\n|-[0rtx]*[nPL]\n?\d+\n|-l\d*\n|-a\n.*\n|-[0rt]*d\n?.+\n|-[0rtx]*I\n?(?:\{\}|%|@)\n|--null\n|--no-run-if-empty\n)*/,
  }],
  ["git", {
    ...{ kind, asks: /^--(?:help|version)\n|^[\w-]+\n(?:-h|--help)\n$/ },
    front: /^(?:-C\n.*\n|--(?:git-dir|work-tree)[=\n].*\n|--no-pager\n|--bare\n|-[pP]\n)*/,
  }],
  ["find", { kind: "find", files, inert, listed: /^-delete$/m }],
  ["sh bash rbash dash ash zsh ksh mksh yash fish csh tcsh nu elvish pwsh source .", {
    kind: "shell",
  }],
  [
    `eval coproc trap alias unalias shopt enable hash let mapfile readarray getopts compgen complete
     compopt bind fc jobs`,
    { kind: "refused" },
  ],
  [
    `su sg newgrp runuser doas pkexec script unshare nsenter capsh setarch linux32 linux64 i386
     x86_64 choom bwrap chroot setpriv prlimit taskset chrt ionice flock parallel watch entr expect
     socat strace perf systemd-run screen ssh-agent run-parts at batch crontab`,
    { kind: "runner" },
  ],
  ["tmux", {
    kind: "runner",
    inert:
      /^(?:(?:display(?:-message)?|rename(?:-session|w|-window)|ls|has(?:-session)?|attach|a|kill-(?:session|window))\n[^;#]*|new(?:-session)?\n(?:-[dAP]\n|-[snt]\n[\w.-]+\n)*)$/,
  }],
  ["make gmake dc ed ex vi vim ftp m4 gdb tclsh", { never: /^-\w*E|^--ev/m, runsInput: true }],
  [
    `: apropos base32 base64 basename break cat cd cksum clear cmp column comm continue cut date
     df diff dirname du echo egrep exa exit expr eza false fgrep file fmt fold free grep groups head
     hexdump hostname id join jq locate ls md5sum mkdir mktemp nl nm nproc od paste pgrep
     pidof popd printenv ps pushd pwd readlink realpath return rev rmdir seq sha1sum sha256sum shift
     sleep stat strings tac tail tr tree true type umask uname uptime wc whatis whereis which whoami
     yes zcat`,
    reader,
  ],
  ["bzip2 cp gunzip gzip iconv ln mv shuf tee touch truncate uniq xxd xz zstd", writer],
  ["printf", { ...reader, inert: /^[^-\0]|^--\n/, never: /^-v/ }],
  ["test [", { ...reader, inert: /^[^[]*$/, never: /^-[vR]$/m }],
  ["[[", { ...reader, inert: /^(?![^]*\n-..\n)/, never: /(?:^|\n)-[vR]\n|^(?=[^]*\n-..\n)[^]*\[/ }],
  ["read unset", { ...reader, never: /\[/ }],
  ["export readonly declare typeset", { ...exporter, never: /^(?!(-[xrgp]+|\w+(\+?=.*)?)?$)/m }],
  ["set", { ...reader, never: /^(?!(?:[-+][euxovfCET]+|pipefail|errexit|nounset|xtrace)?$)/m }],
  ["sort", { ...writer, never: /^--co/m }],
  ["rsync split unzip zip", { ...code, inert, never: /^-\w*[eT]|^--(?:f|rs|un)/m }],
  ["tar", {
    ...{ ...code, inert, never: /^-\w*[IF]|(?<![^])\w*[IF]|^--(?:us|to|ch|in|new-|rs|rm)/m },
  }],
  ["ack ag rg fd fdfind", { ...reader, never: /^-\w*[xX]|^--(?:pre(?![-t])|host|exe|pager)/m }],
  ["less more man", { ...reader, never: /^\+|^-\w*[PHp]|^--(?:pa|ht|pr)/m }],
  ["awk gawk mawk nawk", {
    ...code,
    inert:
      /^(?!-[-fliEW]|[^]*(?:\n-[-fliEW]|\bsystem\b(?![./|*\\)\]?$])|\|[\s;\\&]*(?:"|getline)|\bprintf?\b[^}]*\|(?!\|)|@))/,
  }],
  ["sed gsed", {
    ...code,
    never:
      /(?:^|[;{}\d$/,!+~] *)s([^\s\\;])(?:\\.|(?!\1)[^\n\\])*\1(?:\\.|(?!\1)[^\n\\])*\1[gpiImM\d]*e/m,
    inert:
      /^(?:-[nErsuz]+\n|-i[.\w]*\n)*(?:-e\n)?(?:(?:(?:\d+|\$|\/[^/\n]*\/)(?:,(?:\d+|\$|\/[^/\n]*\/))?!? *)?(?:[pdq=]|s([/|,#:])(?:\\.|(?!\1)[^\\\n])*\1(?:\\.|(?!\1)[^\\\n])*\1[gpIi\d]*) *(?:\n-e\n|;[; ]*|(?=\n)))+\n(?:[^\n-].*\n)*$/,
  }],
  ["perl", {
    ...code,
    inert:
      /^(?![^]*(?:\bqx\b|`|\b(?:system|exec|open\w*|readpipe|eval|do|require|use|syscall)\b(?![./|*\\)\]?$])|\/\w*ee|\n\s*\||\|\s*\n))(?:-[\w.]*\n)*?-\w*e\n/,
  }],
  ["sqlite3", {
    ...{ ...code, runsInput: true },
    inert:
      /^(?!(?:[^]*[;\n])?\s*(?:\.|-(?!header\n|csv\n|json\n|readonly\n))|[^]*(?:\b(?:edit|load_extension|writefile)\s*\())/,
  }],
  ["docker podman gh npm pnpm yarn pip pip3 cargo go gem apt-get apt apk brew", {
    inert:
      /^(?:-y\n|-qq?\n)*(?:(?:pr|issue|release|run)\n(?:create|edit|comment|view|list|status|checks|diff|close|merge|review)|add|get|i|images|info|inspect|install|kill|list|logs|ls|ps|remove|rm|rmi|search|show|start|stop|uninstall|view)\n(?:(?:[^-\n].*|-[aDEfgSyqUr]|--save-dev|--global|--(?:title|body|base|head|draft|fill|label|notes)|--no-cache|--no-install-recommends)\n)*$/,
  }],
]);

/** Commands that are part of git, so that no alias takes their place. */
export const gitCommands = tableOf(() => [
  ["reset clean restore", { kind: "listed" }],
  [
    `add annotate blame branch bundle cat-file check-ignore cherry cherry-pick commit
     count-objects describe for-each-ref fsck gc help init ls-files ls-tree merge merge-base mv
     name-rev notes reflog rev-list rev-parse revert rm shortlog show-branch show-ref
     sparse-checkout stash status switch symbolic-ref tag update-index update-ref verify-commit
     version worktree`,
    { inert },
  ],
  ["diff diff-tree format-patch log range-diff show whatchanged", { inert, never: /^--out/m }],
  ["am apply", { ...code, inert, runsInput: true }],
  ["checkout", { inert, listed: /^--$/m, never: /^--$/m }],
  ["grep rebase", { inert, never: /^-\w*[Ox]|^--(?:op|ex)/m }],
  ["clone", { inert, never: /^-\w*[cu]|^--[cu]|::/m }],
  ["archive bisect fetch ls-remote pull push remote submodule", {
    ...{ inert, never: /^--up?(?:=.*)?$|^--(?:upl|e|rece)|^(?:foreach|run)$|::/m },
  }],
  ["config", {
    inert,
    never:
      /^(?!(?:--(?:global|local|get|get-all|list|show-origin|unset|bool|int)\n)*(?:(?:user|init|pull|push|color|fetch|advice|rebase|safe|commit)\.[\w.-]+|core\.(?:autocrlf|filemode|eol|longpaths|quotepath)|-l|--list)\n)/i,
  }],
]);

export interface Table {
  get(name: string): Program | undefined;
  /** The names of those that need approval every time. */
  listed(): string[];
}

/** Made when it is first asked: a start without commands to judge does without. */
function tableOf(rows: () => readonly (readonly [names: string, Program])[]): Table {
  let made: ReadonlyMap<string, Program> | undefined;
  const table = () =>
    made ??= new Map(
      rows().flatMap(([names, one]) => names.split(/\s+/).map((name) => [name, one])),
    );
  return {
    get: (name) => table().get(name),
    listed: () => [...table()].flatMap(([name, { kind }]) => kind === "listed" ? name : []),
  };
}
