/** The man page, from the option table. */
import { type Option, optionGroups } from "../../src/cli/option.ts";
import { optionTable } from "../../src/cli/options.ts";

/** The page in the language of man(7); the same text for the same version. `date`: as `2026-12-31`. */
export function manPage(version: string, date = ""): string {
  return [
    `.TH NIMLET 1 "${date}" "nimlet ${escaped(version)}" "User Commands"`,
    ...section("NAME", ["nimlet \\- a coding agent for the shell"]),
    ...section("SYNOPSIS", [
      ".B nimlet",
      "[\\fIflags\\fR] [\\fIprompt words ...\\fR]",
      ".br",
      ".IR command " + '" | "',
      ".B nimlet \\-p",
      "[\\fIprompt words ...\\fR]",
    ]),
    ...section("DESCRIPTION", paragraphs(description)),
    ...section("OPTIONS", optionGroups.flatMap(groupLines)),
    ...section("EXIT STATUS", definitions(exitStatuses, "bold")),
    ...section("ENVIRONMENT", definitions(environment, "bold")),
    ...section("FILES", definitions(files, "italic")),
    ...section("EXAMPLES", examples.flatMap(exampleLines)),
    ...section("LICENSES", paragraphs(["nimlet \\-\\-licenses prints them."], true)),
  ].join("\n") + "\n";
}

const description = [
  "nimlet works on a prompt in the folder that it is started in: a model reads, searches, edits and " +
  "runs things there, with built-in tools and with executables that a tool.json describes.",
  "The prompt is made of the words of the command line, after the text on standard input, where that " +
  "is a pipe or a file. With -p, or with a pipe on either side, standard output carries the answer " +
  "alone; everything for people is on standard error. On a terminal without a prompt a console opens.",
];

const exitStatuses: readonly Definition[] = [
  ["0", "done"],
  ["1", "the turn failed: provider, network, session; or standard output cannot be written"],
  ["2", "wrong usage, or a configuration that cannot be used"],
  ["3", "stopped by a limit: --max-steps, --max-cost, --timeout, or repetition"],
  ["129, 130, 143", "ended by SIGHUP, SIGINT, SIGTERM"],
];

const environment: readonly Definition[] = [
  ["NIMLET_HOME", "replaces ~/.nimlet"],
  ["NIMLET_PROVIDER, NIMLET_MODEL, NIMLET_ENDPOINT", "as --provider, --model, --endpoint"],
  ["NIMLET_THINKING", "as --thinking"],
  ["NIMLET_SHELL", "the shell that runs commands"],
  ["NIMLET_CA_CERT", "a file with further certificate authorities"],
  ["NIMLET_MODELS_URL", "where --refresh-models fetches the table of models from"],
  ["NIMLET_HOOK_DEPTH", "set for hooks and extensions: how many of them nimlet runs within"],
  ["NIMLET_DEBUG", "1: a failure is followed by its stack trace"],
  [
    "OPENROUTER_API_KEY, OPENAI_API_KEY, ANTHROPIC_API_KEY, GEMINI_API_KEY, ...",
    "keys of providers; --doctor names the one that is used",
  ],
  ["HTTPS_PROXY, HTTP_PROXY, NO_PROXY, NO_COLOR", "as other programs have them"],
];

const files: readonly Definition[] = [
  ["~/.nimlet/config.json", "settings"],
  ["~/.nimlet/auth.json", "keys"],
  ["~/.nimlet/sessions", "conversations, one file each"],
  [
    "~/.nimlet/tools, ~/.nimlet/extensions, ~/.nimlet/skills, ~/.nimlet/prompts",
    "tools, extensions, skills and templates of your own",
  ],
  [".nimlet", "the same of the project, which need trust"],
  ["AGENTS.md", "instructions for every run in the project"],
];

const examples: readonly Definition[] = [
  ['git diff --cached | nimlet -p "Write a commit message for this diff"', "A filter:"],
  ['nimlet -p --plan --tools read,grep,glob "Where are the tests?"', "Reading alone:"],
  [
    'nimlet --mode json "Run the tests" | jq -r \'select(.type == "tool_call").tool_name\'',
    "Events:",
  ],
  ["nimlet --doctor", "What a run would use, and what it lacks:"],
];

type Definition = readonly [term: string, meaning: string];

function section(title: string, lines: readonly string[]): string[] {
  return [`.SH ${title}`, ...lines];
}

/** `ready`: the texts are in the page's language already. A heading begins the first one. */
function paragraphs(texts: readonly string[], ready = false): string[] {
  return texts.flatMap((text, index) => [
    ...index === 0 ? [] : [".PP"],
    ready ? text : escaped(text),
  ]);
}

function groupLines(group: typeof optionGroups[number]): string[] {
  const options: readonly Option[] = optionTable;
  return [
    `.SS "${group}"`,
    ...options.filter((option) => option.group === group).flatMap(optionLines),
  ];
}

function optionLines(option: Option): string[] {
  const value = option.placeholder === undefined ? "" : ` \\fI${escaped(option.placeholder)}\\fR`;
  const names = [
    ...option.short === undefined ? [] : [`-${option.short}`],
    ...[option.name, ...option.aliases ?? []].map((name) => `--${name}`),
  ];
  const forms = names.map((name) =>
    `\\fB${escaped(name)}\\fR${name.startsWith("--") ? value : ""}`
  );
  return [".TP", forms.join(", "), escaped(sentence(option.help))];
}

/** A word of the command line, as in `none, low`, stays as it is typed. */
function sentence(text: string): string {
  return /^[a-z]+[:,]/.test(text)
    ? `${text}.`
    : `${text.slice(0, 1).toUpperCase()}${text.slice(1)}.`;
}

function definitions(rows: readonly Definition[], font: "bold" | "italic"): string[] {
  const mark = font === "bold" ? "\\fB" : "\\fI";
  return rows.flatMap(([term, meaning]) => [
    ".TP",
    `${mark}${escaped(term)}\\fR`,
    escaped(meaning),
  ]);
}

function exampleLines([command, title]: Definition, index: number): string[] {
  const text = [escaped(title), ".PP", ".RS 4", ".nf", escaped(command), ".fi", ".RE"];
  return index === 0 ? text : [".PP", ...text];
}

/** Text as it is to be seen: no escapes, no requests, hyphens that can be copied. */
function escaped(text: string): string {
  const plain = text.replaceAll("\\", "\\e").replaceAll("-", "\\-").replaceAll("~", "\\(ti")
    .replaceAll("^", "\\(ha").replaceAll("`", "\\(ga").replaceAll("'", "\\(aq");
  return /^\./.test(plain) ? `\\&${plain}` : plain;
}
