/** The values that may follow each flag, for completion. */
import { providers } from "../../providers/catalog.ts";
import { builtInTools } from "../../tools/builtin.ts";
import type { Option } from "../option.ts";
import { optionTable } from "../options.ts";

export type Values =
  | { readonly kind: "none" }
  | { readonly kind: "words"; readonly words: readonly string[] }
  /** Words with commas between. */
  | { readonly kind: "list"; readonly words: readonly string[] }
  | { readonly kind: "files" }
  | { readonly kind: "folders" }
  /** Ids of the newest sessions, looked up by the shell. */
  | { readonly kind: "sessions" }
  /** Anything. */
  | { readonly kind: "text" };

export interface Flag {
  readonly long: string;
  readonly short: string | undefined;
  readonly help: string;
  readonly placeholder: string;
  readonly values: Values;
}

/** Every flag, in the order of the help. */
export function completedFlags(): Flag[] {
  return optionTable.flatMap((option) =>
    [option.name, ...option.aliases ?? []].map((long, index) => ({
      long,
      short: index === 0 ? option.short : undefined,
      help: option.help,
      placeholder: option.placeholder ?? "",
      values: valuesOf(option),
    }))
  );
}

/** A POSIX command that prints the ids of the newest sessions in the default folder. */
export const sessionsCommand = 'ls -t "${NIMLET_HOME:-$HOME/.nimlet}/sessions" 2>/dev/null | ' +
  "sed -n 's/\\.jsonl$//p' | head -n 50";

function valuesOf(option: Option): Values {
  switch (option.kind) {
    case "flag":
      return { kind: "none" };
    case "choice":
      return { kind: "words", words: option.choices! };
    case "list":
      return { kind: "list", words: [...toolNames(), "none"] };
    case "integer":
    case "seconds":
    case "dollars":
      return { kind: "text" };
    case "texts":
    case "text":
      return textValues(option);
  }
}

function textValues({ name, placeholder }: Option): Values {
  if (name === "provider") return { kind: "words", words: providers.map((entry) => entry.name) };
  if (["session", "delete-session", "export-session"].includes(name)) return { kind: "sessions" };
  if (name === "call-tool") return { kind: "words", words: toolNames() };
  if (placeholder === "FILE") return { kind: "files" };
  if (placeholder === "DIR") return { kind: "folders" };
  return { kind: "text" };
}

/** The built-in ones: what a folder brings of its own is not known before it is trusted. */
function toolNames(): string[] {
  return builtInTools({ shell: neverAsked, skills: () => [] }).map((tool) => tool.name).sort();
}

function neverAsked(): never {
  throw new Error("no shell is needed to name the tools");
}
