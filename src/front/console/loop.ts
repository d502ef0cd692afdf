/** The console loop: one line after the other, each to its end. */
import { type PromptInput, promptOf, type QueuedInput } from "../../core/conversation.ts";
import { exitStatus, messageOf } from "../../core/failure.ts";
import { ClosedOutput } from "../../core/host.ts";
import { exitStatusOfInterruption, Interruption, interruptionOf } from "../../core/interruption.ts";
import { nearest } from "../../lib/nearest.ts";
import { onOneLine } from "../../lib/trim.ts";
import { visible } from "../../lib/visible.ts";
import { commandNames, commandTable, runCommand } from "./commands.ts";
import { extensionStatuses } from "./extension_statuses.ts";
import { liveLines } from "./live_lines.ts";
import type { LineEditor } from "./line_editor_port.ts";
import { promptText } from "./prompt_text.ts";
import { readTyped } from "./typed_line.ts";
import type { Screen } from "./screen.ts";
import type { ConsoleServices } from "./services.ts";
import type { StatusLine } from "./status_line.ts";
import type { Style } from "./style.ts";
import { shownInput, type TurnTyping } from "./turn_typing.ts";
import type { Turns } from "./turns.ts";

export interface LoopContext {
  readonly services: ConsoleServices;
  readonly editor: LineEditor;
  readonly screen: Screen;
  readonly style: Style;
  readonly version: string;
  /** The signal of what runs now, for Ctrl-C. */
  readonly turns: Turns;
  readonly status: StatusLine;
  /** Called after each prompt's work: what was typed meanwhile goes on. */
  readonly settle: TurnTyping["settle"];
  /** Asks a question that only a line with `y` or `yes` answers with yes. */
  readonly confirm: (question: string, signal: AbortSignal) => Promise<boolean>;
  /** Ends the program from outside. */
  readonly signal: AbortSignal;
  /** Run before the first line is asked for; "" for none. */
  readonly firstPrompt: string;
}

/** Works until the person quits or the signal aborts; gives the exit status. */
export async function consoleLoop(context: LoopContext): Promise<number> {
  const { services, editor, screen, style, turns, status, signal } = context;
  const say = (text: string) => screen.line(text);

  /** What extensions have sent the model, and what they say of themselves, as far as it was shown. */
  let waiting: readonly QueuedInput[] = [];
  const statuses = extensionStatuses(services.conversation);

  const prompt = async (text: string | PromptInput) => {
    const given: PromptInput = typeof text === "string" ? { text } : text;
    let refused: string | undefined;
    const onAdmitted = (problem?: string) => Promise.resolve(void (refused = problem));
    const outcome = await turns.run((turn) =>
      services.conversation.prompt({ ...given, onAdmitted }, turn)
    );
    if (refused !== undefined) {
      await say(
        outcome.status === "interrupted"
          ? style.yellow("interrupted")
          : `${style.red("error:")} ${visible(refused)}`,
      );
      // whoever wrote what was blocked goes on from there
      if (outcome.failure?.code === "hook" && given.origin === undefined) {
        editor.feed({ kind: "paste", text: given.text });
      }
    }
    waiting = [...waiting, ...await context.settle(outcome)];
    for (const line of statuses.changed()) await say(style.dim(line));
  };

  /** True where there was one. */
  async function takeWaiting(): Promise<boolean> {
    const [next = await services.conversation.dequeue(), ...rest] = waiting;
    waiting = rest;
    if (next === undefined) return false;
    await say(
      `${style.bold(">")} ${style.dim(visible(next.origin ?? ""))} ${shownInput(next.content)}`,
    );
    await prompt(promptOf(next));
    return true;
  }

  async function ownCommand(command: string, send: boolean): Promise<void> {
    const live = liveLines(screen, style, maxOwnLines, "");
    let shown: Promise<void> = Promise.resolve(), waitingChars = 0;
    const { text, isError, interrupted } = await turns.run(async (turn) => {
      const onOutput = (delta: string) => {
        // a slow terminal must not make the program grow
        if (waitingChars > maxWaitingChars) return;
        waitingChars += delta.length;
        shown = shown.then(() => live.push(delta)).then(() => void (waitingChars -= delta.length));
        // a terminal that is gone is noticed where this is waited for
        shown.catch(() => {});
      };
      const output = await status.during(
        onOneLine(visible(command)),
        () => services.runCommand(command, onOutput, turn),
      );
      return { ...output, interrupted: turn.aborted };
    });
    await shown;
    await live.end();
    const head = text.split("\n", 1)[0]!;
    if (head !== "exit_code: 0") await say(isError ? style.red(visible(head)) : style.dim(head));
    if (!send || interrupted) return;
    await prompt({ text: "", piped: `I ran this command:\n\n${command}\n\n${text}` });
  }

  /** True where the program is to end. */
  async function handle(line: string): Promise<boolean> {
    const typed = readTyped(line, commandTable);
    switch (typed.kind) {
      case "nothing":
        return false;
      case "shell":
        await ownCommand(typed.command, typed.send);
        return false;
      case "command": {
        const { command, args } = typed;
        const { dim } = style;
        return await turns.run((turn) =>
          status.during(`/${command.name}`, () =>
            runCommand(command, args, {
              ...services,
              commands: commandTable,
              version: context.version,
              say,
              columns: screen.columns,
              dim,
              style,
              confirm: (question) => context.confirm(question, turn),
              signal: turn,
            }))
        );
      }
      case "slash":
        // a lone slash names the root folder, and is a command that was not finished
        if (typed.name === "" || await services.slashPrompts().meaning(line) === "unknown") {
          const command = commandTable.find(({ aliases }) => aliases?.includes(typed.name));
          if (command !== undefined) {
            return await handle(`/${command.name}${line.slice(typed.name.length + 1)}`);
          }
          const own = await services.slashPrompts().names();
          const guess = nearest(typed.name, [...commandNames, ...own.map(({ name }) => name)]);
          const hint = guess === undefined ? "" : ` (did you mean /${visible(guess)}?)`;
          await say(`Unknown command '/${visible(typed.name)}'${hint}; try /help`);
          return false;
        }
        await prompt(line);
        return false;
      case "prompt":
        await prompt(line);
        return false;
    }
  }

  async function safely(work: () => Promise<boolean>): Promise<boolean> {
    try {
      return await work();
    } catch (error) {
      if (error instanceof ClosedOutput) throw error;
      await say(
        error instanceof Interruption
          ? style.yellow("interrupted")
          : `${style.red("error:")} ${visible(messageOf(error))}`,
      );
      return false;
    }
  }

  const stopReading = () => editor.end();
  signal.addEventListener("abort", stopReading, { once: true });
  services.conversation.whenIdleInput(() => editor.wake());
  try {
    if (context.firstPrompt !== "") await safely(() => handle(context.firstPrompt));
    let interrupts = 0;
    while (!signal.aborted) {
      await screen.endLine();
      turns.rest();
      if (await safely(takeWaiting)) continue;
      const end = await editor.read(promptText(services, style));
      // the editor leaves the cursor on the line that was typed, but for a line that was sent
      if (end.kind !== "line") await screen.line("");
      if (end.kind === "end") break;
      if (end.kind === "woken") {
        await safely(takeWaiting);
        if (end.line !== "") editor.feed({ kind: "paste", text: end.line });
        continue;
      }
      if (end.kind === "interrupt") {
        interrupts = end.empty ? interrupts + 1 : 0;
        if (interrupts > 1) break;
        if (end.empty) await say(style.dim("Ctrl-C again or Ctrl-D to quit"));
        continue;
      }
      interrupts = 0;
      if (await safely(() => handle(end.text))) break;
    }
    return signal.aborted
      ? exitStatusOfInterruption(interruptionOf(signal).source)
      : exitStatus.done;
  } finally {
    signal.removeEventListener("abort", stopReading);
  }
}

const maxOwnLines = 1000, maxWaitingChars = 4 * 1024 * 1024;
