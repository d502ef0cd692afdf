/** Exports a session as Markdown: prompts and answers as they are, calls and results fenced. */
import type { AnswerPart, CallPart, RecordOf, SessionRecord, ShownPart } from "../core/record.ts";
import { assertNever } from "../lib/assert_never.ts";
import { oneLine } from "../lib/one_line.ts";
import {
  argumentsOf,
  type ExportedSession,
  exportEntries,
  type ExportEntry,
  subjectOf,
  titleOf,
} from "./export_entries.ts";

const maxTitleChars = 120;

/** A whole document, with a line feed at its end. */
export function exportMarkdown(records: Iterable<SessionRecord>): string {
  const session = exportEntries(records);
  const blocks = [
    `# ${oneLine(titleOf(session), maxTitleChars)}`,
    facts(session),
    ...session.entries.flatMap(entryBlocks),
  ];
  return `${blocks.filter((block) => block !== "").join("\n\n")}\n`.toWellFormed();
}

function facts({ header, name }: ExportedSession): string {
  const lines = [
    ...header === undefined ? [] : [
      `- Session: ${code(header.id)}`,
      `- Folder: ${code(header.workspace)}`,
      `- Begun: ${oneLine(header.created)}`,
    ],
    ...name === undefined ? [] : [`- Name: ${oneLine(name)}`],
  ];
  return lines.join("\n");
}

function entryBlocks(entry: ExportEntry): string[] {
  switch (entry.type) {
    case "user":
      return ["## Prompt", ...entry.record.content.map(shownText)];
    case "assistant": {
      const { content, model } = entry.record;
      return [
        `## Answer of ${oneLine(model)}`,
        ...content.flatMap((part) => answerBlocks(part, entry.results)),
      ];
    }
    case "compaction":
      return ["## Summary of what came before", entry.record.summary.trim()];
    default:
      return assertNever(entry);
  }
}

function answerBlocks(
  part: AnswerPart,
  results: ReadonlyMap<string, RecordOf<"tool_result">>,
): string[] {
  switch (part.type) {
    case "text":
      return [part.text.trim()];
    case "thinking": {
      const text = part.text.trim();
      return text === "" ? [] : [`> Thinking:\n>\n${text.replace(/^/gm, "> ")}`];
    }
    case "tool_use":
      return callBlocks(part, results.get(part.id));
    default:
      return assertNever(part);
  }
}

function callBlocks(call: CallPart, result: RecordOf<"tool_result"> | undefined): string[] {
  const outcome = result === undefined ? "No result was recorded." : undefined;
  return [
    `### ${oneLine(call.name)} ${code(subjectOf(call))}`,
    fenced(argumentsOf(call)),
    outcome ?? (result!.is_error ? "Failed:" : "Result:"),
    ...result === undefined
      ? []
      : result.content.map((part) => part.type === "text" ? fenced(part.text) : shownText(part)),
  ];
}

function shownText(part: ShownPart): string {
  if (part.type === "text") return part.text.trim();
  const bytes = Math.floor(part.data.length * 3 / 4);
  return `(image, ${oneLine(part.media_type)}, ${bytes} bytes)`;
}

/** A block of code whose fence nothing in `text` can close. */
function fenced(text: string): string {
  const fence = "`".repeat(Math.max(3, longestRun(text) + 1));
  return `${fence}\n${text}${text.endsWith("\n") ? "" : "\n"}${fence}`;
}

/** Code within a line. */
function code(text: string): string {
  const line = oneLine(text);
  const fence = "`".repeat(longestRun(line) + 1);
  const space = /^`|`$/.test(line) ? " " : "";
  return `${fence}${space}${line}${space}${fence}`;
}

function longestRun(text: string): number {
  let longest = 0;
  for (const [run] of text.matchAll(/`+/g)) longest = Math.max(longest, run.length);
  return longest;
}
