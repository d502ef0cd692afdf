/** Programs that run another program given in their arguments, and where that one begins. */
import type { ShellWord } from "./shell_words.ts";

interface Wrapper {
  /** Short options that take a value. */
  readonly valued?: string;
  /** Short options that take none; after any other option the next word could be its value. */
  readonly flags?: string;
  /** Long options whose value is a word of its own. */
  readonly long?: readonly string[];
  /** Words of its own between the options and the program. */
  readonly own?: number;
  /** The word in front of the program must be one of these. */
  readonly after?: readonly string[];
  /** NAME=value words may stand in front of the program. */
  readonly assignments?: boolean;
}

/** Key words that the grammar takes for programs where it does not expect them. */
const keyWords = ["if", "then", "else", "elif", "do", "while", "until", "{", "!"];

const wrappers: Record<string, Wrapper> = {
  ...Object.fromEntries(keyWords.map((word) => [word, {}])),
  uv: { own: 1, after: ["run"] },
  tini: { valued: "pe", flags: "sgvwh" },
  "systemd-cat": { valued: "tp" },
  "su-exec": { own: 1 },
  "start-stop-daemon": {},
  softlimit: {},
  screen: { valued: "SsTtehpcX", flags: "dmDrRxaAlLOUqv" },
  setpriv: {},
  rtk: {},
  prlimit: {},
  poetry: { own: 1, after: ["run"] },
  pixi: { own: 1, after: ["run"] },
  pipenv: { own: 1, after: ["run"] },
  perf: { own: 1, after: ["stat", "record", "trace"] },
  numactl: { valued: "NCmpib" },
  mise: { own: 1, after: ["exec", "x"] },
  gosu: { own: 1 },
  entr: { flags: "acdnprsxz" },
  "dumb-init": { flags: "cv" },
  direnv: { own: 2, after: ["exec"] },
  daemonize: { valued: "acEeopulv" },
  chpst: { valued: "uUbe/nlLmdofprtcC", flags: "vP012" },
  cgexec: { valued: "g" },
  catchsegv: {},
  bundle: { own: 1, after: ["exec"] },
  asdf: { own: 1, after: ["exec"] },
  builtin: {},
  busybox: {},
  caffeinate: { valued: "tw", flags: "disu" },
  chroot: { long: ["--userspec", "--groups"], own: 1 },
  chrt: { valued: "TPDp", flags: "abfimorRv", own: 1 },
  command: { flags: "p" },
  coproc: {},
  cpulimit: { valued: "lpe", flags: "bfimqvz" },
  "dbus-run-session": {},
  doas: { valued: "Cu", flags: "nLs" },
  eatmydata: {},
  env: {
    valued: "uCS",
    flags: "i0v",
    long: ["--unset", "--chdir", "--split-string"],
    assignments: true,
  },
  exec: { valued: "a", flags: "cl" },
  fakeroot: { valued: "lsib", flags: "uhv" },
  faketime: { flags: "fmp", own: 1 },
  firejail: {},
  flock: { valued: "wE", flags: "sxeunoFv", long: ["--timeout", "--wait"], own: 1 },
  gdb: { valued: "xdc", flags: "nqx" },
  ionice: { valued: "cnpPu", flags: "t" },
  linux32: {},
  linux64: {},
  ltrace: { valued: "eopuasnlxADF", flags: "bcCfhiLrStT" },
  nice: { valued: "n", flags: "0123456789", long: ["--adjustment"] },
  nocache: {},
  nohup: {},
  nsenter: { valued: "tSGrw", flags: "aCFkmuinpTU" },
  pkexec: { long: ["--user"] },
  proxychains: { valued: "f", flags: "q" },
  proxychains4: { valued: "f", flags: "q" },
  rlwrap: { valued: "abCDefgHlmMnOpPqsStzw", flags: "ciINrRuvWx" },
  runuser: { valued: "ugGwT", flags: "lmpPf", long: ["--user", "--group"] },
  setarch: { flags: "BFILRSTXZ3v", own: 1 },
  setsid: { flags: "cfw" },
  setuidgid: { own: 1 },
  "ssh-agent": { valued: "aEPOt", flags: "cDdks" },
  stdbuf: { valued: "ioe", long: ["--input", "--output", "--error"] },
  strace: { valued: "eopEuPSabIOX", flags: "fFqvtTrxyYcCdiknhzZ" },
  "systemd-run": { valued: "pEMHutG", flags: "dGPqrtS", long: ["--unit", "--property", "--slice"] },
  taskset: { flags: "apc", own: 1 },
  time: { valued: "fo", flags: "apqvV", long: ["--format", "--output"], assignments: true },
  timeout: { valued: "ks", flags: "v", long: ["--kill-after", "--signal"], own: 1 },
  torify: {},
  torsocks: {},
  toybox: {},
  unbuffer: { flags: "p" },
  unshare: { valued: "SGRw", flags: "cfimnprTuUC" },
  valgrind: { flags: "qv" },
  xargs: {
    valued: "adEIiLlnPs",
    flags: "0oprtx",
    long: ["--arg-file", "--delimiter", "--max-args", "--max-procs", "--max-lines", "--replace"],
  },
  "xvfb-run": { valued: "efnpsw", flags: "al" },
};

export interface Unwrapped {
  /** Word lists of which one is run. */
  readonly candidates: readonly (readonly ShellWord[])[];
  /** False where an expansion stands before the program, so that any of the words may be it. */
  readonly certain: boolean;
}

/** What `name` runs of its arguments; undefined where it is no wrapper. */
export function unwrap(name: string, args: readonly ShellWord[]): Unwrapped | undefined {
  const wrapper = Object.hasOwn(wrappers, name)
    ? wrappers[name]!
    : /^ld(?:-linux.*|-musl.*)?\.so/.test(name)
    ? {}
    : undefined;
  if (wrapper === undefined) return undefined;
  let at = 0, ambiguous = false;
  while (at < args.length) {
    const { text, exact } = args[at]!;
    if (!exact && !text.startsWith("-")) break;
    if (text === "--") {
      at++;
      ambiguous = false;
      break;
    }
    if (!/^-./.test(text)) break;
    const option = optionKind(text, wrapper);
    ambiguous = option === "unknown";
    at += option === "takes the next word" ? 2 : 1;
  }
  if (wrapper.assignments) { while (/^[A-Za-z_]\w*\+?=/.test(args[at]?.text ?? "")) at++; }
  if (wrapper.after?.includes(args[at]?.text ?? "") === false) return undefined;
  const own = at + (wrapper.own ?? 0);
  const skipped = args.slice(at, own + 1);
  const rest = args.slice(args[own]?.text === "--" ? own + 1 : own);
  return {
    candidates: ambiguous ? [rest, rest.slice(1)] : [rest],
    certain: skipped.every((word) => word.exact),
  };
}

function optionKind(text: string, { valued = "", flags = "", long = [] }: Wrapper) {
  if (text.startsWith("--")) {
    return long.includes(text) ? "takes the next word" : text.includes("=") ? "whole" : "unknown";
  }
  for (let index = 1; index < text.length; index++) {
    const letter = text[index]!;
    if (valued.includes(letter)) {
      return index === text.length - 1 ? "takes the next word" : "whole";
    }
    if (!flags.includes(letter)) return "unknown";
  }
  return "whole";
}
