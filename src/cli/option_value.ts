/** The value of one option: what it may be, and how it is read. */
import { nearest } from "../lib/nearest.ts";
import type { Option } from "./option.ts";
import { show, usage } from "./usage_failure.ts";

/** The text of the value, checked; "" for a flag. Throws `RunFailure("usage")`. */
export function readValue(option: Option, value: string | undefined, inline: boolean): string {
  const flag = `--${option.name}`;
  if (option.kind === "flag") {
    if (value !== undefined) {
      const advice = option.valueAdvice === undefined ? "" : `; ${option.valueAdvice}`;
      throw usage(`${flag} takes no value, found ${show(value)}${advice}`);
    }
    return "";
  }
  const wanted = `${flag}: expected ${expectationOf(option)}`;
  if (value === undefined) throw usage(`${wanted}, found nothing`);
  // Without "=", a value that looks like a flag is a forgotten value, not a strange one.
  if (!inline && /^-./.test(value) && !/^-[\d.]/.test(value)) {
    throw usage(
      option.secret === true
        ? `${wanted}, found a flag (write ${flag}=${option.placeholder} where it begins with a dash)`
        : `${wanted}, found the flag ${show(value)} (write ${flag}=${value} if it is meant)`,
    );
  }
  if (!isValue(option, value)) {
    const guess = option.choices === undefined ? undefined : nearest(value, option.choices);
    throw usage(
      `${wanted}, found ${value === "" ? "an empty value" : found(option, value)}` +
        (guess === undefined ? "" : `; did you mean ${guess}?`),
    );
  }
  return value;
}

function expectationOf(option: Option): string {
  if (option.expected !== undefined) return option.expected;
  switch (option.kind) {
    case "flag":
      return "no value";
    case "text":
    case "texts":
      return `a value (${option.placeholder})`;
    case "choice":
      return `one of ${option.choices!.join(", ")}`;
    case "list":
      return "tool names with commas between, or none";
    case "integer":
      return `a whole number from 1 to ${option.max}`;
    case "seconds":
      return `a number of seconds above 0, at most ${option.max}`;
    case "dollars":
      return `a number of dollars above 0, at most ${option.max}`;
  }
}

function isValue(option: Option, value: string): boolean {
  switch (option.kind) {
    case "flag":
      return false;
    case "text":
    case "texts":
      return value.trim() !== "" && !value.includes("\0");
    case "choice":
      return option.choices!.includes(value);
    case "list": {
      const names = namesOf(value);
      return value.trim() === "none" || (names.length > 0 && !names.includes("none"));
    }
    case "integer":
      return /^\d+$/.test(value) && Number(value) >= 1 && Number(value) <= option.max!;
    case "seconds":
    case "dollars":
      return /^(\d+\.?\d*|\.\d+)$/.test(value) && Number(value) > 0 && Number(value) <= option.max!;
  }
}

/** The value as shown in a message. */
function found(option: Option, value: string): string {
  return option.secret === true ? "an unusable value" : show(value);
}

function namesOf(list: string): string[] {
  if (list.trim() === "none") return [];
  return [...new Set(list.split(",").map((name) => name.trim()).filter((name) => name !== ""))];
}

/** What a checked text means. */
export function valueOf(
  { kind }: Option,
  text: string,
): string | number | boolean | readonly string[] {
  switch (kind) {
    case "flag":
      return true;
    case "text":
    case "choice":
      return text;
    case "list":
      return namesOf(text);
    case "texts":
      return text.split("\0");
    case "integer":
    case "seconds":
    case "dollars":
      return Number(text);
  }
}
