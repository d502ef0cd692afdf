/** The small program behind the tests of the three streams: it does what its argument says. */
import { ClosedOutput } from "../../src/core/host.ts";
import { RunFailure } from "../../src/core/failure.ts";
import { onSignals } from "../../src/host/signals.ts";
import { realHost } from "../../src/host/real_host.ts";

const { terminal, env, clock, processes } = realHost();

const actions: Record<string, () => Promise<void>> = {
  async kind() {
    await terminal.writeErr(terminal.stdinKind);
  },
  /** Many lines, some far larger than a pipe holds. */
  async lines() {
    const lines = Array.from(
      { length: 200 },
      (_, n) => `${n}:${"é".repeat(n % 10 ? 5 : 50_000)}\n`,
    );
    await Promise.all(lines.map((line) => terminal.writeOut(line)));
  },
  /** Lines that nobody waits for, of all widths, and some among them that somebody does. */
  async ahead() {
    const word = Deno.args[1] ?? "";
    for (let n = 0; n < 20_000; n++) {
      const line = `${word}${n}:${(n % 7 === 0 ? "é" : "e").repeat(n % 90)}\n`;
      if (n % 1000 === 999) await terminal.writeOut(line.replace("e", "e".repeat(100_000)));
      else await terminal.writeAhead(line);
    }
    await terminal.writeOut("end\n");
  },
  async floodAhead() {
    try {
      while (true) {
        await terminal.writeAhead("x".repeat(1000) + "\n");
        await clock.delay(0);
      }
    } catch (error) {
      if (!(error instanceof ClosedOutput)) throw error;
      await terminal.writeErr("closed");
    }
  },
  /** Writes until it cannot. */
  async flood() {
    try {
      while (true) await terminal.writeOut("x".repeat(1000) + "\n");
    } catch (error) {
      if (error instanceof ClosedOutput) await terminal.writeErr("closed");
      else if (error instanceof RunFailure) {
        await terminal.writeErr(`${error.code}: ${error.message}`);
      } else throw error;
    }
  },
  /** Gives up its first reader before any input, and reads it all with the second. */
  async abort() {
    try {
      for await (const _ of terminal.readIn(AbortSignal.timeout(50))) throw new Error("early");
    } catch (error) {
      if (!(error instanceof DOMException)) throw error;
    }
    await terminal.writeErr("ready\n");
    let text = "";
    const decoder = new TextDecoder();
    for await (const piece of terminal.readIn()) text += decoder.decode(piece, { stream: true });
    await terminal.writeOut(text);
  },
  async signals() {
    await new Promise<void>((resolve) => {
      const stop = onSignals(async (signal) => {
        stop();
        await terminal.writeOut(`${signal}\n`);
        resolve();
      });
      terminal.writeErr("ready\n");
    });
  },
  /** Lets a child ask the terminal that this program was started from. */
  async ask() {
    const { stdout } = await processes.run({
      file: "bash",
      args: ["-c", "read x </dev/tty || echo refused; read y; echo got:$x$y"],
      cwd: env.cwd,
      env: env.all(),
      timeoutMs: 20_000,
      maxOutputBytes: 1000,
    }, new AbortController().signal);
    await terminal.writeOut(stdout.text);
  },
  async variables() {
    await terminal.writeOut(JSON.stringify([env.get("ODD"), env.all().ODD, env.all().PLAIN]));
  },
  async home() {
    await terminal.writeOut(JSON.stringify([env.home ?? null, clock.now() > 0]));
  },
};

await actions[Deno.args[0]!]!();
Deno.exit(0);
