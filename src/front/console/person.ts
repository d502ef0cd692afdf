/** Owns the questions to the person at the terminal: permission for a call, trust in a folder. */
import process from "node:process";
import { createInterface } from "node:readline/promises";
import type { Host } from "../../core/host.ts";
import type { PermissionAnswer, PermissionQuestion } from "../../core/permission.ts";
import type { Person, TrustQuestion } from "../../core/person.ts";
import { visibleExact } from "../../lib/visible.ts";
import { createStyle, type Style, wantsColour } from "./style.ts";

/** Reads one line after `question`; rejects with the signal's reason. */
export type AskLine = (question: string, signal: AbortSignal) => Promise<string>;

/** A person who is asked on stderr and answers on stdin. */
export function person(host: Host, askLine: AskLine = askOnTerminal): Person {
  const { terminal, env } = host;
  const style = createStyle(wantsColour(terminal.stderrIsTerminal, env.get));
  return {
    async askPermission(question, signal) {
      await terminal.writeErr(`${permissionText(question, style)}\n`);
      const keys = offered(question);
      while (true) {
        const answer = readAnswer(await askLine(`${keyText(keys)} `, signal), keys);
        if (answer) return answer;
        await terminal.writeErr(`Please answer with one of the keys: ${keyText(keys)}\n`);
      }
    },
    async askTrust(question, signal) {
      await terminal.writeErr(trustText(question, style));
      const answer = await askLine("Trust this folder? [y/N] ", signal);
      return /^\s*y(es)?\s*$/i.test(answer);
    },
  };
}

function permissionText(question: PermissionQuestion, style: Style): string {
  const danger = question.danger ? ` ${style.red(`(${question.danger}: asked every time)`)}` : "";
  const subject = visibleExact(question.subject).split("\n").map((line) => `  ${line}`).join("\n");
  return `${style.yellow("?")} ${style.bold(question.tool)} wants to run${danger}\n${subject}`;
}

type Keys = Partial<Record<"" | "s" | "p" | "n", PermissionAnswer>>;

function offered(question: PermissionQuestion): Keys {
  if (question.danger) return { "": "once", n: "deny" };
  return {
    "": "once",
    s: "session",
    ...(question.canRememberForProject ? { p: "project" as const } : {}),
    n: "deny",
  };
}

function keyText(keys: Keys): string {
  return Object.entries(keys).map(([key, answer]) => `[${key || "enter"}] ${answer}`).join("  ");
}

function readAnswer(line: string, keys: Keys): PermissionAnswer | undefined {
  return keys[line.trim().toLowerCase() as keyof Keys];
}

function trustText({ workspace, parts, changes }: TrustQuestion, style: Style): string {
  const list = (items: readonly string[]) =>
    items.map((item) => `  ${visibleExact(item)}\n`).join("");
  const where = visibleExact(workspace);
  if (changes.length > 0) {
    return `${style.yellow("?")} Since you trusted ${where}, this has changed:\n${list(changes)}`;
  }
  return `${style.yellow("?")} ${where} brings parts of its own that can run or redirect things:\n${
    list(parts)
  }`;
}

async function askOnTerminal(question: string, signal: AbortSignal): Promise<string> {
  const lines = createInterface({ input: process.stdin, output: process.stderr });
  try {
    return await lines.question(question, { signal });
  } finally {
    lines.close();
  }
}
