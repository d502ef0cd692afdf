/** Finds prompt templates and reads one. */
import { join } from "node:path";
import { factsOf, listFolder, resolveLinks } from "../host/folders.ts";
import { oneLine } from "../lib/one_line.ts";
import { readFrontMatter, splitFrontMatter } from "./front_matter.ts";
import { type Locations, shownFrom } from "./locations.ts";
import { rootsOf } from "./roots.ts";
import { readTextFile } from "./text_file.ts";

export interface PromptTemplate {
  /** File name without `.md`; what is typed after the slash. */
  readonly name: string;
  readonly scope: "global" | "project";
  /** Absolute. */
  readonly path: string;
  /** The path for people. */
  readonly shown: string;
  /** Reads the file as it is now. */
  load(): Promise<TemplateText>;
}

export type TemplateText =
  | {
    readonly kind: "template";
    /** From the front matter, else the first line of the text; may be empty. */
    readonly description: string;
    readonly body: string;
    readonly notices: readonly string[];
  }
  | { readonly kind: "unreadable"; readonly problem: string };

export interface PromptTemplates {
  /** Sorted by name, names are unique. */
  readonly templates: readonly PromptTemplate[];
  readonly notices: readonly string[];
}

const maxTemplateBytes = 100_000;
const maxTemplates = 1000;

/** Lists `prompts/*.md` of the five roots without opening them; later roots win. */
export function findTemplates(
  locations: Locations & { readonly trusted: boolean },
): PromptTemplates {
  const notices: string[] = [];
  const chosen = new Map<string, PromptTemplate>();
  const shadowed = new Map<string, string[]>();
  for (const root of rootsOf("prompts", locations)) {
    const list = listFolder(root.path, maxTemplates);
    const shown = shownFrom(locations, root.path);
    if (list.kind !== "list") {
      const why = list.kind === "missing" ? "is no folder" : list.reason;
      notices.push(`${shown} ${why}; it was skipped.`);
      continue;
    }
    if (list.more) {
      notices.push(`${shown} holds more than ${maxTemplates} entries; the rest was skipped.`);
    }
    for (const { name: fileName, kind } of list.entries) {
      if (!/^[^.].*\.md$/i.test(fileName)) continue;
      const path = join(root.path, fileName);
      const problem = kind === "file" ? undefined : problemWith(path);
      const name = fileName.slice(0, -3);
      if (problem !== undefined) {
        notices.push(`${shownFrom(locations, path)} ${problem}; it was skipped.`);
      } else if (/\s/.test(name) || oneLine(name) !== name) {
        notices.push(
          `${
            shownFrom(locations, path)
          } has a blank or a control character in its name; it was skipped.`,
        );
      } else {
        const earlier = chosen.get(name);
        if (earlier !== undefined) shadowed.set(name, [...shadowed.get(name) ?? [], earlier.shown]);
        chosen.set(name, templateAt(path, name, root.scope, locations));
      }
    }
  }
  for (const [name, others] of shadowed) {
    const winner = chosen.get(name)!.shown;
    notices.push(`prompt ${name}: ${winner} is used in place of ${others.join(", ")}.`);
  }
  const templates = [...chosen.values()].sort((a, b) => a.name < b.name ? -1 : 1);
  return { templates, notices };
}

function problemWith(path: string): string | undefined {
  const real = resolveLinks(path);
  if (real.kind === "missing") return "is a link that leads nowhere";
  if (real.kind === "unreadable") return real.reason;
  const facts = factsOf(real.path);
  if (facts.kind === "missing") return "is gone";
  if (facts.kind === "unreadable") return facts.reason;
  return facts.kind === "file" ? undefined : `is ${facts.what}, not a file`;
}

function templateAt(
  path: string,
  name: string,
  scope: PromptTemplate["scope"],
  locations: Locations,
): PromptTemplate {
  const shown = shownFrom(locations, path);
  return { name, scope, path, shown, load: () => loadTemplate(path, shown) };
}

async function loadTemplate(path: string, shown: string): Promise<TemplateText> {
  const file = readTextFile(path, maxTemplateBytes);
  if (file.kind === "missing") return { kind: "unreadable", problem: `${shown} is gone.` };
  if (file.kind === "unreadable") {
    return { kind: "unreadable", problem: `${shown} ${file.reason}.` };
  }
  const notices: string[] = [];
  if (file.replaced) {
    notices.push(`${shown} is not valid UTF-8; the bytes that are not were replaced.`);
  }
  let cut = "";
  if (file.cutFromBytes !== undefined) {
    notices.push(`${shown} has ${file.cutFromBytes} bytes; only ${maxTemplateBytes} are used.`);
    cut = `\n[... cut: the template has ${file.cutFromBytes} bytes ...]`;
  }
  const split = splitFrontMatter(file.text);
  // A text that merely begins with a rule has no front matter.
  const body = (split.kind === "unclosed" ? file.text : split.body).trim();
  let described: string | undefined;
  if (split.kind === "split") {
    const matter = await readFrontMatter(split.block, split.firstLine);
    described = matter.fields.get("description");
    for (const note of matter.notes) notices.push(`${shown}:${note.line}: ${note.message}.`);
  }
  const description = oneLine(described ?? firstLine(body));
  return { kind: "template", description: shortened(description), body: body + cut, notices };
}

function firstLine(body: string): string {
  return body.split("\n", 1)[0]!.replace(/^#+\s*/, "").trim();
}

function shortened(text: string): string {
  return text.length <= 200 ? text : `${text.slice(0, 199).toWellFormed()}…`;
}
