/** Exports a session as one HTML file that needs nothing else, and runs nothing. */
import type { AnswerPart, CallPart, RecordOf, SessionRecord, ShownPart } from "../core/record.ts";
import { addUsage, type Usage } from "../core/usage.ts";
import { assertNever } from "../lib/assert_never.ts";
import {
  argumentsOf,
  type ExportedSession,
  exportEntries,
  type ExportEntry,
  firstLine,
  subjectOf,
  titleOf,
} from "./export_entries.ts";
import { exportStyle } from "./export_style.ts";
import { diffHtml, escapeHtml, proseHtml } from "./html_text.ts";

type ToolResult = RecordOf<"tool_result">;

/**
 * A whole page: prompts, answers, tool calls folded with their results. Everything in it is text of
 * the session, escaped; the page's own policy forbids scripts and any request.
 */
export function exportHtml(records: Iterable<SessionRecord>): string {
  const session = exportEntries(records);
  const title = titleOf(session);
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; img-src data:">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escapeHtml(title)}</title>
<style>${exportStyle}</style>
</head>
<body>
<header>
<h1 dir="auto">${escapeHtml(title)}</h1>
${factsHtml(session)}
</header>
${contentsHtml(session)}
<main>
${session.entries.map(entryHtml).join("\n")}
</main>
</body>
</html>
`;
}

function factsHtml({ header, entries }: ExportedSession): string {
  const models = new Set<string>();
  let usage: Usage = {};
  for (const entry of entries) {
    if (entry.type === "compaction") usage = addUsage(usage, entry.record.usage ?? {});
    if (entry.type !== "assistant") continue;
    models.add(`${entry.record.provider} / ${entry.record.model}`);
    usage = addUsage(usage, entry.record.usage);
  }
  const created = header === undefined ? NaN : Date.parse(header.created);
  const facts: [string, string | undefined][] = [
    ["Begun", Number.isNaN(created) ? undefined : timeText(created)],
    ["Folder", header?.workspace],
    ["Model", [...models].join(", ") || undefined],
    ["Tokens", tokensText(usage)],
    ["Session", header?.id],
  ];
  const rows = facts.filter(([, value]) => value !== undefined)
    .map(([name, value]) => `<dt>${name}</dt><dd>${escapeHtml(value!)}</dd>`);
  return `<dl>${rows.join("")}</dl>`;
}

function timeText(ms: number): string {
  return `${new Date(ms).toISOString().slice(0, 16).replace("T", " ")} UTC`;
}

function tokensText(usage: Usage): string | undefined {
  const { input_tokens: input, output_tokens: output } = usage;
  if (input === undefined && output === undefined) return undefined;
  const number = (count = 0) => count.toLocaleString("en");
  return `${number(input)} in, ${number(output)} out`;
}

/** Links to the prompts, once there are enough of them to get lost. */
function contentsHtml({ entries }: ExportedSession): string {
  const links = entries.flatMap((entry, index) =>
    entry.type === "user"
      ? [
        `<li><a href="#m${index}" dir="auto">${
          escapeHtml(firstLine(entry.record.content) || "(an image)")
        }</a></li>`,
      ]
      : []
  );
  if (links.length < 4) return "";
  return `<nav><details><summary>${links.length} prompts</summary><ol>${
    links.join("")
  }</ol></details></nav>`;
}

function entryHtml(entry: ExportEntry, index: number): string {
  switch (entry.type) {
    case "user":
      return `<section class="user" id="m${index}"><h2>You</h2>${
        entry.record.content.map(shownHtml).join("")
      }</section>`;
    case "assistant": {
      const { content, model } = entry.record;
      const parts = content.map((part) => answerHtml(part, entry.results)).join("");
      return `<section class="assistant"><h2>${escapeHtml(model)}</h2>${parts}</section>`;
    }
    case "compaction":
      return `<section class="compaction"><details><summary>Older messages were summarised here` +
        `</summary>${proseHtml(entry.record.summary)}</details></section>`;
    default:
      return assertNever(entry);
  }
}

function shownHtml(part: ShownPart): string {
  return part.type === "text" ? proseHtml(part.text) : imageHtml(part);
}

function answerHtml(
  part: AnswerPart,
  results: ReadonlyMap<string, ToolResult>,
): string {
  switch (part.type) {
    case "text":
      return proseHtml(part.text);
    case "thinking":
      if (part.text.trim() === "") return "";
      return `<details class="thinking"><summary>Thinking</summary>${
        proseHtml(part.text)
      }</details>`;
    case "tool_use":
      return callHtml(part, results.get(part.id));
    default:
      return assertNever(part);
  }
}

function callHtml(call: CallPart, result: ToolResult | undefined): string {
  const failed = result === undefined || result.is_error;
  const state = result === undefined ? "no result" : result.is_error ? "failed" : "";
  const output = (result?.content ?? []).map((part) =>
    part.type === "text" ? `<pre dir="auto">${diffHtml(part.text)}</pre>` : imageHtml(part)
  ).join("");
  const head = `<b>${escapeHtml(call.name)}</b>${state === "" ? "" : ` <em>${state}</em>`} ` +
    `<span dir="auto">${escapeHtml(subjectOf(call))}</span>`;
  const args = `<pre class="input" dir="auto">${escapeHtml(argumentsOf(call))}</pre>`;
  return `<details class="call${
    failed ? " failed" : ""
  }"><summary>${head}</summary>${args}${output}` +
    `</details>`;
}

function imageHtml(image: Extract<ShownPart, { type: "image" }>): string {
  const known = /^image\/(?:png|jpeg|gif|webp)$/.test(image.media_type);
  if (!known || !/^[A-Za-z0-9+/]*={0,2}$/.test(image.data)) {
    return `<p class="missing">(an image that cannot be shown)</p>`;
  }
  return `<img alt="image" src="data:${image.media_type};base64,${image.data}">`;
}
