/** Owns a run of one prompt: print, JSON, and the one-shot console form. */
import { assemble } from "../app/assemble.ts";
import type { Sink } from "../core/event.ts";
import type { Host } from "../core/host.ts";
import type { Options } from "./options.ts";
import { readPrompt } from "./prompt_input.ts";

export async function runOnce(
  front: "json" | "print" | "once",
  options: Options,
  host: Host,
  signal: AbortSignal,
): Promise<number> {
  const prompt = await readPrompt(options, host, signal);
  const sink = await sinkOf(front, host);
  const person = front === "once" && host.terminal.stdinKind === "terminal"
    ? (await import("../front/console/person.ts")).person(host)
    : undefined;
  const { conversation, open, finish } = await assemble({
    wanted: options,
    host,
    sink,
    person,
    signal,
  });
  try {
    await open();
    const outcome = await conversation.prompt(prompt, signal);
    if (front === "print") {
      const { printAnswer } = await import("../front/print.ts");
      await printAnswer(host.terminal, outcome);
    }
    await finish();
    await conversation.close(outcome);
    return outcome.exitStatus;
  } finally {
    await finish();
  }
}

async function sinkOf(front: "json" | "print" | "once", host: Host): Promise<Sink> {
  switch (front) {
    case "json":
      return (await import("../front/json.ts")).jsonSink(host.terminal);
    case "print":
      return (await import("../front/print.ts")).printSink(host.terminal);
    case "once": {
      const { consoleSink } = await import("../front/console/sink.ts");
      const { createStyle, wantsColour } = await import("../front/console/style.ts");
      const { terminal, env } = host;
      return consoleSink({
        terminal,
        sideStyle: createStyle(wantsColour(terminal.stderrIsTerminal, env.get)),
      });
    }
  }
}
