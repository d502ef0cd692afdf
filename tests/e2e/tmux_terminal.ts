/** A real terminal for the tests: the program within tmux, keys in, the screen out. */
import { programCommand, programEnv } from "../support/program.ts";
import { installed, type Need } from "../support/test_where.ts";

export const tmux: Need = installed("tmux", ["-V"]);

export interface TmuxTerminal {
  /** Sends keys by tmux's names: `Enter`, `C-c`, `Up`. */
  press(...keys: string[]): Promise<void>;
  /** Types text as it is, and waits until it is echoed. */
  type(text: string): Promise<void>;
  /** Types a line, sends it, and waits for the next empty prompt; gives what came in between. */
  submit(line: string): Promise<string>;
  /** Pastes as a terminal with bracketed paste does. */
  paste(text: string): Promise<void>;
  /** The screen and what scrolled off it. */
  screen(): Promise<string>;
  /** Waits until the screen shows it; gives the screen. */
  waitFor(what: string | RegExp): Promise<string>;
  /** Waits for an empty prompt on the last line. */
  ready(): Promise<string>;
  /** Waits for the end of the program; gives its exit status. */
  exit(): Promise<number>;
}

export interface TerminalOptions {
  readonly cwd: string;
  readonly home: string;
  readonly env?: Record<string, string>;
  /** A line of shell that starts the program, `"$@"`; other things may be done around it. */
  readonly script?: string;
}

const limitMs = 30_000;
const prompt = /(?:^|\n)(?:(?:plan|yolo) )*> ?$/;

/** Runs the program with `args` in a terminal of its own. */
export async function withTerminal(
  args: readonly string[],
  options: TerminalOptions,
  use: (terminal: TmuxTerminal) => Promise<void>,
): Promise<void> {
  const socket = `nimlet-test-${crypto.randomUUID()}`;
  const folder = await Deno.makeTempDir({ prefix: "nimlet-tmux-" });
  const send = async (...words: string[]) => {
    const { success, stdout, stderr } = await new Deno.Command("tmux", {
      args: ["-u", "-L", socket, "-f", "/dev/null", ...words],
      env: { LANG: "C.UTF-8", TMUX_TMPDIR: folder, HOME: options.home },
    }).output();
    const text = new TextDecoder().decode(stdout);
    if (!success) throw new Error(`tmux ${words[0]}: ${new TextDecoder().decode(stderr)}`);
    return text;
  };
  const script = `${folder}/run.sh`;
  await Deno.writeTextFile(
    script,
    // the shell outlives a Ctrl-C, which the program does not inherit
    `trap : INT\n${
      options.script ?? '"$@"'
    }\necho "[exit status $?]"\nstty -a | grep -qw -- '-icanon' && echo '[still raw]'\ncat\n`,
  );
  const env = programEnv(options.home, { TERM: "screen", LANG: "C.UTF-8", ...options.env });
  const words = [
    "env",
    "-i",
    ...Object.entries(env).map(([name, value]) => `${name}=${value}`),
    "sh",
    script,
    ...programCommand(),
    ...args,
  ];
  const screen = async () => (await send("capture-pane", "-p", "-J", "-S", "-5000")).trimEnd();
  async function until(what: string, test: (screen: string) => boolean): Promise<string> {
    const deadline = Date.now() + limitMs;
    while (true) {
      const shown = await screen();
      if (test(shown)) return shown;
      if (Date.now() > deadline) {
        throw new Error(`waited in vain for ${what}; the screen:\n${shown}`);
      }
      await new Promise((resolve) => setTimeout(resolve, 30));
    }
  }
  const terminal: TmuxTerminal = {
    async press(...keys) {
      await send("send-keys", ...keys);
    },
    async type(text) {
      await send("send-keys", "-l", text);
      await until(JSON.stringify(text), (shown) => shown.endsWith(text.trimEnd()));
    },
    async submit(line) {
      const before = (await screen()).length;
      await this.type(line);
      await send("send-keys", "Enter");
      const shown = await this.ready();
      return shown.slice(before);
    },
    async paste(text) {
      await send("set-buffer", "--", text);
      await send("paste-buffer", "-p");
    },
    screen,
    waitFor: (what) =>
      until(
        String(what),
        (shown) => typeof what === "string" ? shown.includes(what) : what.test(shown),
      ),
    ready: () => until("an empty prompt", (shown) => prompt.test(shown)),
    async exit() {
      const shown = await until("the end", (shown) => /\[exit status \d+\]/.test(shown));
      if (shown.includes("[still raw]")) throw new Error("the terminal was left in raw mode");
      return Number(/\[exit status (\d+)\]/.exec(shown)![1]);
    },
  };
  try {
    await send("new-session", "-d", "-x", "100", "-y", "40", "-c", options.cwd, ...words);
    await use(terminal);
  } finally {
    await send("kill-server").catch(() => {});
    await Deno.remove(folder, { recursive: true });
  }
}
