/** The questions to the person at the terminal: permission for a call, trust in a folder. */
import type { PermissionAnswer, PermissionQuestion } from "../../core/permission.ts";
import type { Person, TrustQuestion } from "../../core/person.ts";
import { visibleExact } from "../../lib/visible.ts";
import { readLine, type TypingAhead, withKeys } from "./answers.ts";
import type { Keyboard } from "./keyboard.ts";
import { hides, questionText, wholeText } from "./question_text.ts";
import type { Screen } from "./screen.ts";
import type { Style } from "./style.ts";

export interface PersonOptions {
  readonly screen: Screen;
  readonly style: Style;
  /** Calls `use` with a keyboard that nobody else takes from meanwhile. */
  withKeyboard<T>(use: (keyboard: Keyboard) => Promise<T>): Promise<T>;
  /** Ctrl-C at a question: ends what asked, which aborts the question's signal. */
  interrupt(): void;
  readonly callArrives: NonNullable<Person["callArrives"]>;
  readonly whileWaiting?: NonNullable<Person["whileWaiting"]>;
  /** Absent where text that is typed ahead is not kept. */
  readonly typing?: TypingAhead;
}

export interface ConsolePerson extends Person {
  /** Asks a question that only `y` or `yes`, and Enter, answers with yes. */
  confirm(question: string, signal: AbortSignal): Promise<boolean>;
}

/** A person who answers questions about calls with single keys, others with a line; a paste is no answer. */
export function createPerson(options: PersonOptions): ConsolePerson {
  const { screen, style, interrupt, typing } = options;
  return {
    callArrives: options.callArrives,
    ...options.whileWaiting === undefined ? {} : { whileWaiting: options.whileWaiting },
    askPermission: (question, signal) =>
      options.withKeyboard((keyboard) => {
        const shown = offered(question), viewable = hides(question.subject);
        const keys: Keys = { ...shown, y: "once" };
        const letters = [
          ...Object.keys(keys).filter((key) => key !== "\r"),
          ...viewable ? ["v"] : [],
        ];
        return withKeys(keyboard, signal, { letters, interrupt, typing }, async (next) => {
          await screen.line(permissionHead(question, style));
          if (question.askedBy !== undefined) {
            await screen.line(style.dim(`  ${visibleExact(question.askedBy)}`));
          }
          await screen.line(questionText(question.subject, style));
          const line = `${keyText(shown, viewable)} `;
          await screen.stream(line, "aside");
          while (true) {
            const pressed = await next();
            const answer = keys[pressed as keyof Keys];
            if (answer) {
              await screen.stream(`${style.dim(answer)}\n`, "aside");
              return answer;
            }
            if (pressed !== "v" || !viewable) continue;
            await screen.line(wholeText(question.subject));
            await screen.stream(line, "aside");
          }
        });
      }),
    confirm: (question, signal) =>
      options.withKeyboard((keyboard) => askYesOrNo(keyboard, question, signal)),
    askTrust: (question, signal) =>
      options.withKeyboard(async (keyboard) => {
        await screen.line(trustText(question, style));
        return await askYesOrNo(keyboard, "Trust this folder?", signal);
      }),
  };

  /** A line, not a key: the rest of `yes`, and Enter, would be the next prompt otherwise. */
  async function askYesOrNo(keyboard: Keyboard, question: string, signal: AbortSignal) {
    await screen.stream(`${question} [y/N] `, "aside");
    const echo = (text: string) => screen.stream(text, "aside");
    const answer = await readLine(keyboard, signal, { interrupt, echo });
    await screen.endLine();
    return /^\s*y(es)?\s*$/i.test(answer);
  }
}

function permissionHead(question: PermissionQuestion, style: Style): string {
  const { tool, danger, involved, changed } = question;
  const outside = question.outside === undefined
    ? ""
    : `\n  ${style.red("runs OUTSIDE the sandbox")}${
      question.outside === "" ? "" : `: ${visibleExact(question.outside)}`
    }`;
  const why = danger
    ? ` ${style.red(`(${visibleExact(danger)}: needs approval every time)`)}`
    : involved
    ? ` ${style.dim("(too involved to remember)")}`
    : changed
    ? ` ${style.red("(its definition has changed since it was allowed)")}`
    : "";
  return `${style.yellow("?")} ${style.bold(visibleExact(tool))} wants to run${why}${outside}`;
}

type Keys = Partial<Record<"\r" | "o" | "s" | "p" | "n" | "y", PermissionAnswer>>;

function offered(question: PermissionQuestion): Keys {
  if (question.outside !== undefined) {
    // Enter lets nothing out
    return {
      o: "once",
      ...(question.canRemember ? { s: "session" as const } : {}),
      n: "deny",
      "\r": "deny",
    };
  }
  if (!question.canRemember) return { "\r": "once", n: "deny" };
  return {
    "\r": "once",
    s: "session",
    ...(question.canRememberForProject ? { p: "project" as const } : {}),
    n: "deny",
  };
}

function keyText(keys: Keys, viewable: boolean): string {
  const texts = Object.entries(keys).map(([key, answer]) =>
    `[${key === "\r" ? "enter" : key}] ${answer}`
  );
  if (viewable) texts.push("[v] view whole");
  return texts.join("  ");
}

function trustText({ workspace, parts, changes }: TrustQuestion, style: Style): string {
  const list = (items: readonly string[]) =>
    items.map((item) => `\n  ${visibleExact(item)}`).join("");
  const where = visibleExact(workspace);
  const mark = style.yellow("?");
  return changes.length > 0
    ? `${mark} Since you trusted ${where}, this has changed:${list(changes)}`
    : `${mark} ${where} brings parts of its own that can run or redirect things:${list(parts)}`;
}
