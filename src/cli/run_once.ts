/** Owns a run of one prompt: print, JSON, and the one-shot console form. */
import { assemble } from "../app/assemble.ts";
import type { Sink } from "../core/event.ts";
import type { Host } from "../core/host.ts";
import type { Person } from "../core/person.ts";
import type { Options } from "./options.ts";
import { readPrompt } from "./prompt_input.ts";

export async function runOnce(
  front: "json" | "print" | "once",
  options: Options,
  host: Host,
  signal: AbortSignal,
): Promise<number> {
  const prompt = await readPrompt(options, host, signal);
  const { sink, person } = await formOf(front, host);
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

async function formOf(
  front: "json" | "print" | "once",
  host: Host,
): Promise<{ sink: Sink; person: Person | undefined }> {
  switch (front) {
    case "json": {
      const { jsonSink } = await import("../front/json.ts");
      return { sink: jsonSink(host.terminal), person: undefined };
    }
    case "print": {
      const { printSink } = await import("../front/print.ts");
      return { sink: printSink(host.terminal), person: undefined };
    }
    case "once": {
      const { onceConsole } = await import("../front/console/once.ts");
      return onceConsole(host);
    }
  }
}
