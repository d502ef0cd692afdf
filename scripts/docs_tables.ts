/** The generated parts of the docs: Markdown made from the program's own tables. */
import { alsoOf, formOf } from "../src/cli/help.ts";
import { optionGroups } from "../src/cli/option.ts";
import { optionTable } from "../src/cli/options.ts";
import { mcpServerTable } from "../src/config/mcp_table.ts";
import { authTable, providerTable, type Setting, settingTable } from "../src/config/settings.ts";
import { eventSchema } from "../src/core/event.ts";
import { isJsonObject, type JsonObject } from "../src/core/json.ts";
import { sessionRecordSchema } from "../src/core/record.ts";
import { z } from "../src/core/schema.ts";
import type { AnyTool } from "../src/core/tool.ts";
import { formOf as commandForm, helpOf } from "../src/front/console/command.ts";
import { commandTable } from "../src/front/console/commands.ts";
import { keyForms, typedForms } from "../src/front/console/help.ts";
import { type CommandEntry, commandTable as rpcTable } from "../src/front/rpc/commands.ts";
import { manifestSchema } from "../src/external/manifest.ts";
import { providers } from "../src/providers/catalog.ts";
import { hookParts } from "./docs_hooks.ts";
import { builtInTools } from "../src/tools/builtin.ts";

/** Markdown by the name in its marker. */
export async function renderParts(root: string): Promise<Record<string, string>> {
  const failures = await Deno.readTextFile(`${root}src/core/failure.ts`);
  const builtIns = builtInTools({ shell: neverAsked, skills: () => [] });
  return {
    options: optionGroups.map(optionRows).join("\n\n"),
    settings: settingRows(settingTable),
    "provider-settings": settingRows(providerTable, "providers.<name>."),
    "mcp-settings": settingRows(mcpServerTable, "mcp.servers.<name>."),
    auth: settingRows(authTable, "<provider>."),
    providers: providerRows(),
    manifest: manifestRows(),
    events: eventRows(),
    "rpc-commands": rpcRows(),
    "console-commands": formRows(
      "command",
      commandTable.map((command) => [commandForm(command), helpOf(command)]),
    ),
    "console-forms": formRows("typed", typedForms),
    "console-keys": formRows("keys", keyForms),
    "session-records": recordRows(),
    "error-codes": codeRows(failures, "RunFailureCode"),
    "tool-error-codes": codeRows(failures, "ToolFailureCode"),
    ...await hookParts(root, table),
    tools: toolRows(builtIns),
    ...Object.fromEntries(builtIns.map((tool) => [`tool-${tool.name}`, toolPart(tool)])),
  };
}

/** The tools are described, not run. */
function neverAsked(): never {
  throw new Error("no shell is needed to describe the tools");
}

function optionRows(group: typeof optionGroups[number]): string {
  const rows = optionTable.filter((option) => option.group === group).map((option) => {
    const excluded = option.excludes ?? [];
    const more = excluded.length === 0
      ? ""
      : `; not with ${excluded.map((name) => `\`--${name}\``).join(", ")}`;
    return [`\`${cell(formOf(option))}\``, cell(option.help + alsoOf(option)) + more];
  });
  return table([group, "meaning"], rows);
}

function formRows(head: string, rows: readonly (readonly [form: string, help: string])[]): string {
  return table([head, "meaning"], rows.map(([form, help]) => [`\`${cell(form)}\``, cell(help)]));
}

function settingRows(settings: Record<string, Setting>, prefix = ""): string {
  return table(
    ["key", "value", "default", "meaning"],
    Object.entries(settings).map(([key, setting]) => [
      `\`${prefix}${key}\``,
      cell(valueOf(setting)),
      setting.default === undefined ? "" : `\`${setting.default}\``,
      cell(setting.description),
    ]),
  );
}

function valueOf(setting: Setting): string {
  switch (setting.kind) {
    case "choice":
      return setting.choices!.map((choice) => `\`${choice}\``).join(", ");
    case "integer":
      return `integer, ${setting.min} to ${setting.max}`;
    case "number":
      return `number, ${setting.min} to ${setting.max}`;
    case "boolean":
      return "`true`, `false`";
    case "url":
      return "http or https address";
    case "hooks":
      return "object, by event: see [hooks](hooks.md)";
    case "list":
      return "array of texts";
    case "command":
      return "array of texts: program, arguments";
    case "names":
      return "array of names, `true`";
    case "hosts":
      return "`off`, `on`, or hosts: a text with commas, or an array";
    case "texts":
    case "variables":
      return "object of texts";
    case "secret":
      return "text, never shown";
    case "text":
    case "path":
    case "object":
      return setting.kind;
  }
}

function providerRows(): string {
  return table(
    ["provider", "endpoint", "key variables", "default model"],
    providers.map(({ name, endpoint, keyVariables, key, defaultModel }) => [
      `\`${name}\``,
      endpoint === undefined ? "" : `\`${endpoint}\``,
      keyVariables.length > 0
        ? keyVariables.map((variable) => `\`${variable}\``).join(", ")
        : key === "none"
        ? "no key needed"
        : "none; a key is optional",
      defaultModel === undefined ? "" : `\`${defaultModel}\``,
    ]),
  );
}

function manifestRows(): string {
  const rows = Object.entries(manifestSchema.properties as JsonObject).flatMap(
    ([key, property]) => {
      if (key === "$schema" || !isJsonObject(property)) return [];
      const needed = manifestSchema.required.includes(key) ? "yes" : "";
      return [[`\`${key}\``, String(property.type), needed, cell(String(property.description))]];
    },
  );
  return table(["key", "type", "required", "meaning"], rows);
}

function eventRows(): string {
  return unionRows("type", eventSchema.options);
}

function rpcRows(): string {
  return table(
    ["command", "fields", "meaning"],
    rpcTable.map(({ name, fields, help }: CommandEntry) => [
      `\`${name}\``,
      fields.map((field) => {
        const key = field.name.replace(/\?$/, "");
        const values = field.values?.map((value) => `\`${value}\``).join(", ");
        return `\`${key}\`${field.name === key ? "" : "?"}${values ? `: ${values}` : ""}`;
      }).join("; "),
      cell(help),
    ]),
  );
}

function recordRows(): string {
  return unionRows("kind", sessionRecordSchema.options);
}

/** A row for each variant of a union whose variants differ in `key`. */
function unionRows(key: string, variants: readonly z.ZodObject[]): string {
  const rows = variants.map((variant) => {
    const { shape, description } = variant, needed = z.toJSONSchema(variant).required ?? [];
    const fields = Object.keys(shape).filter((name) => name !== key).map((name) =>
      needed.includes(name) ? `\`${name}\`` : `\`${name}\`?`
    );
    const type = [...(shape[key] as z.ZodLiteral<string>).values].join(", ");
    return [`\`${type}\``, fields.join(", "), cell(description ?? "")];
  });
  return table([key, "fields", "meaning"], rows);
}

/** The codes of a union in failure.ts with the comment after each. */
function codeRows(source: string, union: string): string {
  const [, body] = new RegExp(`export type ${union} =\\n([\\s\\S]*?);`).exec(source) ?? [];
  if (body === undefined) throw new Error(`src/core/failure.ts: expected a union ${union}`);
  // the last comment follows the semicolon
  const last = new RegExp(`export type ${union} =[\\s\\S]*?;(.*)`).exec(source)?.[1] ?? "";
  const codes = [...(body + last).matchAll(/\| "(\w+)"(?:\s*\/\/ (.*))?/g)];
  const rows = codes.map(([, code, comment]) => [`\`${code}\``, cell(comment ?? "")]);
  return rows.every(([, comment]) => comment === "")
    ? rows.map(([code]) => code).join(", ")
    : table(["code", "meaning"], rows as string[][]);
}

function toolRows(tools: readonly AnyTool[]): string {
  return table(
    ["tool", "arguments", "capabilities"],
    tools.map((tool) => {
      const { properties, required } = tool.input.jsonSchema;
      const names = isJsonObject(properties) ? Object.keys(properties) : [];
      const needed = Array.isArray(required) ? required : [];
      return [
        `[\`${tool.name}\`](#${tool.name})`,
        names.map((name) => needed.includes(name) ? `\`${name}\`` : `\`${name}\`?`).join(", "),
        tool.capabilities.join(", "),
      ];
    }),
  );
}

/** What the model gets of one tool, and a row for each argument. */
function toolPart({ description, input, capabilities }: AnyTool): string {
  const rows = argumentRows(input.jsonSchema, "");
  const arguments_ = table(["argument", "type", "required", "meaning"], rows);
  return `Capability: ${capabilities.join(", ")}. Description for the model:\n\n> ${
    cell(description).replaceAll("*", "\\*")
  }\n\n${arguments_}`;
}

function argumentRows(schema: JsonObject, prefix: string): string[][] {
  const needed = Array.isArray(schema.required) ? schema.required : [];
  return Object.entries(isJsonObject(schema.properties) ? schema.properties : {}).flatMap(
    ([key, property]) => {
      if (!isJsonObject(property)) return [];
      const { type, description, items } = property;
      const choices = Array.isArray(property.enum)
        ? property.enum.map((choice) => `\`${choice}\``).join(", ")
        : undefined;
      const elements = isJsonObject(items) ? items : {};
      const shown = type === "array" ? `array of ${elements.type}s` : String(type);
      return [
        [
          `\`${prefix}${key}\``,
          choices ?? shown,
          needed.includes(key) ? "yes" : "",
          cell(typeof description === "string" ? description : "").replaceAll("*", "\\*"),
        ],
        ...argumentRows(elements, `${prefix}${key}[].`),
      ];
    },
  );
}

function table(head: string[], rows: string[][]): string {
  const line = (cells: string[]) => `| ${cells.join(" | ")} |`;
  return [line(head), line(head.map(() => "---")), ...rows.map(line)].join("\n");
}

function cell(text: string): string {
  return text.replaceAll("|", "\\|").replace(/\s*\n\s*/g, " ");
}
