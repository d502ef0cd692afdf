/** Checks a settings file against the table: values, and unknown keys. */
import { isJsonObject, type Json, type JsonObject } from "../core/json.ts";
import { assertNever } from "../lib/assert_never.ts";
import { nearest } from "../lib/nearest.ts";
import { mcpServerTable } from "./mcp_table.ts";
import { checkHosts } from "./sandbox_settings.ts";
import { providerTable, type Setting, settingTable } from "./settings.ts";

export interface CheckedConfig {
  /** Known settings in the order of the file, numbers as numbers. */
  readonly values: readonly { readonly path: readonly string[]; readonly value: Json }[];
  readonly unknown: readonly UnknownKey[];
  /** The first wrong value. */
  readonly problem?: Problem;
}

export interface UnknownKey {
  readonly path: readonly string[];
  /** The known key that it probably means. */
  readonly guess?: string;
}

export interface Problem {
  readonly path: readonly string[];
  readonly expected: string;
  readonly found: string;
}

/** Checks what a config.json holds. `providerNames` are the known names below `providers`. */
export function checkConfig(root: JsonObject, providerNames: readonly string[]): CheckedConfig {
  const values: { path: string[]; value: Json }[] = [];
  const unknown: UnknownKey[] = [];
  let problem: Problem | undefined;
  const wrong = (path: string[], expected: string, value: Json, hidden = false) =>
    problem ??= { path, expected, found: describe(value, hidden) };

  const keep = (path: string[], setting: Setting, value: Json) => {
    const checked = checkValue(setting, value);
    if ("value" in checked) values.push({ path, value: checked.value });
    else {wrong(
        [...path, ...checked.below ?? []],
        checked.expected,
        checked.found,
        isHidden(setting),
      );}
  };

  const section = (object: JsonObject, prefix: string[]) => {
    for (const [key, value] of Object.entries(object)) {
      const path = [...prefix, key], name = path.join(".");
      const setting = key.includes(".") ? undefined : settingOf(name);
      if (name === "$schema") continue;
      if (setting !== undefined) keep(path, setting, value);
      else if (!key.includes(".") && (isNamed(name) || isSection(name))) {
        if (!isJsonObject(value)) wrong(path, "an object", value);
        else if (name === "providers") providers(value);
        else if (name === "mcp.servers") named(value, path, mcpServerTable);
        else section(value, path);
      } else unknown.push({ path, ...guessOf(path) });
    }
  };

  const providers = (object: JsonObject) => {
    for (const [name, entry] of Object.entries(object)) {
      const isOwn = isJsonObject(entry) && entry.api !== undefined;
      if (providerNames.length === 0 || providerNames.includes(name) || isOwn) continue;
      const guess = nearest(name, providerNames);
      const path = ["providers", name];
      unknown.push({ path, ...guess === undefined ? {} : { guess: `providers.${guess}` } });
    }
    named(object, ["providers"], providerTable);
  };

  /** Entries that have names of their own, and the keys of `table`. */
  const named = (object: JsonObject, prefix: string[], table: Record<string, Setting>) => {
    for (const [name, entry] of Object.entries(object)) {
      const path = [...prefix, name];
      if (!isJsonObject(entry)) wrong(path, "an object", entry);
      else for (const [key, value] of Object.entries(entry)) one([...path, key], key, value, table);
    }
  };

  const one = (path: string[], key: string, value: Json, table: Record<string, Setting>) => {
    if (Object.hasOwn(table, key)) return keep(path, table[key]!, value);
    const guess = nearest(key, Object.keys(table));
    const whole = [...path.slice(0, -1), guess].join(".");
    unknown.push({ path, ...guess === undefined ? {} : { guess: whole } });
  };

  section(root, []);
  return { values, unknown, ...problem === undefined ? {} : { problem } };
}

/**
 * One value as the setting wants it. A number or a boolean may be written as a string. `below` is
 * the key within an object that is wrong.
 */
export function checkValue(
  setting: Setting,
  value: Json,
):
  | { readonly value: Json }
  | { readonly expected: string; readonly found: Json; readonly below?: readonly string[] } {
  const wrong = (expected: string) => ({ expected, found: value });
  switch (setting.kind) {
    case "text":
    case "path":
      return typeof value === "string" && value.trim() !== "" ? { value } : wrong("a text");
    case "secret":
      return typeof value === "string" ? { value } : wrong("a text");
    case "url":
      return typeof value === "string" && isHttpAddress(value)
        ? { value }
        : wrong("an address that begins with http:// or https://");
    case "boolean":
      if (value === "true" || value === "false") return { value: value === "true" };
      return typeof value === "boolean" ? { value } : wrong("true or false");
    case "choice":
      return typeof value === "string" && setting.choices!.includes(value)
        ? { value }
        : wrong(`one of ${setting.choices!.map((choice) => JSON.stringify(choice)).join(", ")}`);
    case "integer":
    case "number": {
      const number = numberOf(value);
      const fits = number !== undefined && number >= setting.min! && number <= setting.max! &&
        (setting.kind === "number" || Number.isInteger(number));
      return fits ? { value: number } : wrong(
        `${
          setting.kind === "integer" ? "an integer" : "a number"
        } from ${setting.min} to ${setting.max}`,
      );
    }
    case "object":
      return isJsonObject(value) ? { value } : wrong("an object");
    case "hooks":
      return { value };
    case "list":
      return Array.isArray(value) && value.every((item) => typeof item === "string" && item !== "")
        ? { value }
        : wrong("an array of texts");
    case "command":
      return Array.isArray(value) && value.every((item) => typeof item === "string") &&
          String(value[0] ?? "").trim() !== ""
        ? { value }
        : wrong("an array of a program and its arguments");
    case "names":
      return value === true || Array.isArray(value) && value.every((item) => isVariableName(item))
        ? { value }
        : wrong("an array of names of variables, or true");
    case "hosts":
      return checkHosts(value);
    case "texts":
      return checkHeaders(value);
    case "variables":
      return checkVariables(value);
    default:
      return assertNever(setting.kind);
  }
}

function checkHeaders(value: Json): ReturnType<typeof checkValue> {
  if (!isJsonObject(value)) return { expected: "an object of texts", found: value };
  for (const [name, text] of Object.entries(value)) {
    if (!/^[\w!#$%&'*+.^`|~-]+$/.test(name)) {
      return { expected: "a name that an HTTP header can have", found: text, below: [name] };
    }
    if (typeof text !== "string" || /[^\t\x20-\x7e\x80-\xff]/.test(text)) {
      return { expected: "a text that an HTTP header can carry", found: text, below: [name] };
    }
  }
  return { value };
}

function checkVariables(value: Json): ReturnType<typeof checkValue> {
  if (!isJsonObject(value)) return { expected: "an object of texts", found: value };
  for (const [name, text] of Object.entries(value)) {
    if (!isVariableName(name)) {
      return { expected: "a name that a variable can have", found: text, below: [name] };
    }
    if (typeof text !== "string" || text.includes("\0")) {
      return { expected: "a text without NUL characters", found: text, below: [name] };
    }
  }
  return { value };
}

function isVariableName(name: Json): boolean {
  return typeof name === "string" && /^[A-Za-z_]\w*$/.test(name);
}

/** What a value is, in words for an error; the value itself only where it is no secret. */
export function describe(value: Json, hidden = false): string {
  if (value === null) return "null";
  if (Array.isArray(value)) return "an array";
  if (isJsonObject(value)) return "an object";
  if (hidden) {
    return value === ""
      ? "an empty text"
      : `a ${typeof value === "string" ? "text" : typeof value}`;
  }
  const shown = JSON.stringify(value).toWellFormed();
  return shown.length > 60 ? `${shown.slice(0, 57)}...` : shown;
}

function settingOf(name: string): Setting | undefined {
  const table: Record<string, Setting> = settingTable;
  return Object.hasOwn(table, name) ? table[name] : undefined;
}

/** Sections whose keys are names that a person chooses. */
function isNamed(name: string): boolean {
  return name === "providers" || name === "mcp.servers";
}

function isSection(name: string): boolean {
  return Object.keys(settingTable).some((key) => key.startsWith(`${name}.`));
}

/** URLs may hold credentials. */
function isHidden(setting: Setting): boolean {
  return ["secret", "texts", "url", "variables"].includes(setting.kind);
}

function guessOf(path: readonly string[]): { guess?: string } {
  const name = path.join(".");
  const known = [...Object.keys(settingTable), "mcp.servers", "providers", ...sections()];
  const last = path.at(-1)!;
  const guess = known.includes(name)
    ? name
    : nearest(name, known) ?? known.find((key) => key.endsWith(`.${last}`));
  return guess === undefined ? {} : { guess };
}

function sections(): string[] {
  return Object.keys(settingTable).flatMap((key) => {
    const names = key.split(".");
    return names.slice(1).map((_, index) => names.slice(0, index + 1).join("."));
  });
}

function numberOf(value: Json): number | undefined {
  if (typeof value === "number") return value;
  if (typeof value !== "string") return undefined;
  return /^\s*[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?\s*$/i.test(value) ? Number(value) : undefined;
}

function isHttpAddress(text: string): boolean {
  return /^https?:\/\//i.test(text) && URL.canParse(text);
}
