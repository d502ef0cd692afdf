/** A run of one prompt: print, JSON, and the one-shot console form. */
import { resolve } from "node:path";
import { openConversation } from "../app/open_conversation.ts";
import type { Conversation } from "../core/conversation.ts";
import type { Sink } from "../core/event.ts";
import { RunFailure } from "../core/failure.ts";
import type { Host } from "../core/host.ts";
import type { Person } from "../core/person.ts";
import type { RecordStream } from "../front/json.ts";
import type { Options } from "./command_line.ts";
import type { FrontKind } from "./front_choice.ts";
import { readPrompt } from "./prompt_input.ts";

type OnceFront = Exclude<FrontKind, "rpc" | "loop">;

export async function runOnce(
  front: OnceFront,
  options: Options,
  host: Host,
  signal: AbortSignal,
  records: RecordStream | undefined,
): Promise<number> {
  const { outputSchema, answerFile, attached } = await promptParts(options, host);
  const prompt = { ...await readPrompt(options, host, signal), ...attached && { attached } };
  const held: { conversation?: Conversation } = {};
  const contextWindow = () => held.conversation?.state().contextWindow ?? 0;
  const { sink, person } = await formOf(front, options, host, records, contextWindow);
  const { conversation, finish } = await openConversation({
    runOptions: options,
    host,
    front: front === "json" || front === "result" ? "json" : "print",
    sink,
    person,
    signal,
    outputSchema,
  });
  held.conversation = conversation;
  try {
    await conversation.open();
    const outcome = await conversation.prompt(prompt, signal);
    if (outcome.status === "done") await answerFile?.write(outcome.text, signal);
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

/** Looked at before stdin is waited for: what is wrong with the flags is reported at once. */
async function promptParts({ outputSchema, output, record, attach }: Options, host: Host) {
  const { cwd } = host.env;
  if (
    output !== undefined && record !== undefined && resolve(cwd, output) === resolve(cwd, record)
  ) {
    throw new RunFailure(
      "usage",
      `--output and --record name one file, ${output}: one would replace the other; name two files`,
    );
  }
  return {
    outputSchema: outputSchema === undefined
      ? undefined
      : await (await import("../app/output/output_schema.ts")).loadOutputSchema(outputSchema, cwd),
    answerFile: output === undefined
      ? undefined
      : (await import("../app/output/output_file.ts")).openOutputFile(output, cwd),
    attached: attach === undefined
      ? undefined
      : await (await import("../app/attached_files.ts")).readAttachments(
        attach.map((path) => ({ path })),
        cwd,
        "--attach",
      ),
  };
}

async function formOf(
  front: OnceFront,
  { progress }: Pick<Options, "progress">,
  host: Host,
  records: RecordStream | undefined,
  contextWindow: () => number,
): Promise<{ sink: Sink; person: Person | undefined }> {
  const watched = async (sink: Sink): Promise<Sink> => {
    if (!progress) return sink;
    const { progressSink } = await import("../front/progress.ts");
    return progressSink(sink, host);
  };
  switch (front) {
    case "json":
    case "result":
      return { sink: await watched(records!.sink), person: undefined };
    case "print": {
      const { printSink } = await import("../front/print.ts");
      return { sink: await watched(printSink(host.terminal)), person: undefined };
    }
    case "once": {
      const { onceConsole } = await import("../front/console/once.ts");
      return onceConsole(host, contextWindow);
    }
  }
}
