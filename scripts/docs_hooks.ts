/** The generated parts of docs/hooks.md: tables of events, fields and settings, and the examples. */
import { hookEvents, hookEventTable } from "../src/core/hook_events.ts";
import { commonHookFields, hookAnswerFields, hookForms } from "../src/core/hook_forms.ts";
import { hookSettingFields } from "../src/core/hook_schema.ts";
import { isJsonObject, type JsonObject } from "../src/core/json.ts";

type Table = (head: string[], rows: string[][]) => string;

/** Markdown by the name in its marker. */
export async function hookParts(root: string, table: Table): Promise<Record<string, string>> {
  return {
    "hook-settings": table(["key", "value", "meaning"], settingRows()),
    "hook-events": table(
      ["event", "when", "matcher", "fields of its own", "status 2", "time-out"],
      eventRows(),
    ),
    "hook-stdin": table(["field", "value"], fieldRows(commonHookFields, ["nimlet"])),
    "hook-own": table(["field", "value"], fieldRows(propertiesOf(commonHookFields.nimlet))),
    "hook-answers": table(["field", "value and effect"], answerRows()),
    ...await examples(root),
  };
}

function settingRows(): string[][] {
  return fieldRows(hookSettingFields).map(([key, text = ""]) => {
    const [value = "", ...meaning] = text.split(": ");
    return [key!, value, meaning.join(": ")];
  });
}

function eventRows(): string[][] {
  return hookEvents.map((event) => {
    const { matches, guards, timeoutSeconds } = hookEventTable[event];
    const { when, fields, blocks } = hookForms[event];
    return [
      `\`${event}\`${guards ? " (guards)" : ""}`,
      when,
      matches === "tool" ? "the tool" : matches === "" ? "" : `\`${matches}\``,
      Object.entries(fields).map(([name, field]) => {
        const values = isJsonObject(field) ? valuesOf(field) : "";
        return `\`${name}\`${/^`/.test(values) ? `: ${values}` : ""}`;
      }).join("; "),
      blocks,
      `${timeoutSeconds} s`,
    ];
  });
}

function answerRows(): string[][] {
  const { hookSpecificOutput, nimlet, ...others } = hookAnswerFields;
  const below = (prefix: string, object: unknown) =>
    fieldRows(propertiesOf(object)).map(([name, text = ""]) => [
      `\`${prefix}.${name!.slice(1)}`,
      text,
    ]);
  return [
    ...below("hookSpecificOutput", hookSpecificOutput),
    ...fieldRows(others as JsonObject),
    ...below("nimlet", nimlet),
  ];
}

function propertiesOf(schema: unknown): JsonObject {
  return isJsonObject(schema) && isJsonObject(schema.properties) ? schema.properties : {};
}

/** Name, and its values with what they mean. */
function fieldRows(fields: JsonObject, without: readonly string[] = []): string[][] {
  return Object.entries(fields).flatMap(([name, field]) => {
    if (!isJsonObject(field) || without.includes(name)) return [];
    const meaning = typeof field.description === "string" ? field.description : "";
    return [[
      `\`${name}\``,
      [valuesOf(field), meaning].filter((part) => part !== "").join(": "),
    ]];
  });
}

function valuesOf({ enum: choices, const: only, type, anyOf }: JsonObject): string {
  if (Array.isArray(choices)) return choices.map((one) => `\`${one}\``).join(", ");
  if (only !== undefined) return `\`${only}\``;
  if (anyOf !== undefined) return "text or object";
  const types = (Array.isArray(type) ? type : [type]).map(String);
  return types.map((one) => one === "string" ? "text" : one).join(" or ");
}

async function examples(root: string): Promise<Record<string, string>> {
  const folder = `${root}docs/examples/hooks`, parts: Record<string, string> = {};
  for await (const { name } of Deno.readDir(folder)) {
    const [stem, ending] = name.split(".");
    const text = await Deno.readTextFile(`${folder}/${name}`);
    const language = { mjs: "js", py: "python" }[ending!] ?? ending;
    parts[`hook-example-${stem}`] = `\`\`\`${language}\n${text}\`\`\``;
  }
  return parts;
}
