/** The text of --help, made from the option table. */
import { type Option, optionGroups } from "./option.ts";
import { optionTable } from "./options.ts";

/** The help: a line for each option, at most 80 columns, with a final newline. */
export function helpText(): string {
  const lines = [
    "nimlet: a coding agent for the shell",
    "",
    "Usage: nimlet [flags] [prompt words ...]    piped stdin comes before the words",
  ];
  for (const group of optionGroups) {
    lines.push(`${group}:`);
    for (const option of optionTable) if (option.group === group) lines.push(lineOf(option));
  }
  lines.push(
    "After -- every word is prompt text. Of a flag given twice the last value counts.",
    "Exit status: 0 done, 1 failed, 2 wrong usage or configuration,",
    "  3 stopped by a limit, 130 and 143 after SIGINT and SIGTERM",
  );
  return `${lines.join("\n")}\n`;
}

/** How an option is written, as in `-p, --print` or `--model ID`. */
export function formOf(option: Option): string {
  const short = option.short === undefined ? "" : `-${option.short}, `;
  return `${short}--${option.name}${
    option.placeholder === undefined ? "" : ` ${option.placeholder}`
  }`;
}

/** The option's other names, to follow what is said of it. */
export function alsoOf({ aliases = [] }: Option): string {
  return aliases.length === 0 ? "" : ` (also ${aliases.map((name) => `--${name}`).join(", ")})`;
}

function lineOf(option: Option): string {
  const indent = option.short === undefined ? "      " : "  ";
  return `${(indent + formOf(option)).padEnd(28)} ${option.help}${alsoOf(option)}`;
}
