/** Says what a prompt that starts with a slash means: command, template, skill, or plain text. */
import { join } from "node:path";
import { findSkill, type Skill } from "../core/skill.ts";
import { kindAt } from "../host/folders.ts";
import { nearest } from "../lib/nearest.ts";
import { oneLine } from "../lib/one_line.ts";
import { byteLength } from "../lib/well_formed.ts";
import type { PromptTemplate } from "./prompts.ts";
import { fillTemplate } from "./template_arguments.ts";

export interface Expansions {
  readonly skills: readonly Skill[];
  readonly templates: readonly PromptTemplate[];
  /** Names of the front end's own commands, without the slash; they win over templates. */
  readonly builtIns: readonly string[];
  /** Absolute. */
  readonly workspace: string;
}

export type ExpandedPrompt =
  /** Nothing to do: `text` is the prompt as it was given. */
  | { readonly kind: "plain"; readonly text: string }
  /** The front end's own command. */
  | { readonly kind: "built_in"; readonly name: string; readonly args: string }
  | {
    readonly kind: "expanded";
    readonly text: string;
    /** `/review` or `/skill:review`. */
    readonly from: string;
    readonly notices: readonly string[];
  }
  /** Looks like a command, but there is none. `text` is the prompt as it was given. */
  | {
    readonly kind: "unknown";
    readonly text: string;
    readonly name: string;
    readonly notice: string;
  };

/**
 * Reads the first word of a prompt. `/name` is a built-in command, else a template, and
 * `/skill:name` a skill. Any other word is left alone where it holds a second slash or names
 * something on disk (`/etc is a folder`), or could be no name (`/*`); else it is unknown.
 */
export async function expandPrompt(text: string, known: Expansions): Promise<ExpandedPrompt> {
  const [, name, args] = /^\/(\S+)(?:\s+([\s\S]*))?$/.exec(text) ?? [];
  if (name === undefined) return { kind: "plain", text };
  const argumentText = (args ?? "").trim();
  const unknown = (notice: string): ExpandedPrompt => ({ kind: "unknown", text, name, notice });
  if (name.startsWith("skill:")) {
    return await expandSkill(name.slice(6), argumentText, known, unknown);
  }
  if (known.builtIns.includes(name)) return { kind: "built_in", name, args: argumentText };
  const template = known.templates.find((template) => template.name === name);
  if (template === undefined) {
    return isPlain(name, known.workspace)
      ? { kind: "plain", text }
      : unknown(unknownName(name, known));
  }
  const loaded = await template.load();
  if (loaded.kind === "unreadable") {
    return unknown(`The prompt template /${name} cannot be read: ${loaded.problem}`);
  }
  const filled = fillTemplate(loaded.body, argumentText);
  const notices = [...loaded.notices];
  if (!filled.complete) {
    notices.push(
      `/${name}: its arguments are too long to be filled in everywhere; the rest was left as it is.`,
    );
  }
  return { kind: "expanded", text: filled.text, from: `/${name}`, notices };
}

async function expandSkill(
  name: string,
  request: string,
  known: Expansions,
  unknown: (notice: string) => ExpandedPrompt,
): Promise<ExpandedPrompt> {
  const names = known.skills.map((skill) => skill.name);
  const skill = name === "" ? undefined : findSkill(known.skills, name);
  if (skill === undefined) {
    if (names.length === 0) {
      return unknown(`There is no skill ${oneLine(name)}: no skills were found.`);
    }
    return unknown(`There is no skill ${oneLine(name)}.${guess("/skill:", nearest(name, names))}`);
  }
  const body = await skill.readBody();
  if (body.kind === "unreadable") {
    return unknown(`The skill ${skill.name} cannot be read: ${body.problem}`);
  }
  const notices: string[] = [];
  let end = "";
  if (body.cutFromBytes !== undefined) {
    notices.push(
      `The skill ${skill.name} has ${body.cutFromBytes} bytes; the model is given the first ${
        byteLength(body.text)
      }.`,
    );
    end = `\n[... cut: the skill has ${body.cutFromBytes} bytes ...]`;
  }
  const text = [
    `Follow the skill ${skill.name} (folder ${skill.folder}):`,
    `<skill name="${skill.name}">\n${body.text.trim()}${end}\n</skill>`,
    ...(request === "" ? [] : [request]),
  ].join("\n\n");
  return { kind: "expanded", text, from: `/skill:${skill.name}`, notices };
}

/** Text that merely starts with a slash: paths, comments, patterns. */
function isPlain(name: string, workspace: string): boolean {
  if (name.length > 100 || !/^[\p{L}\p{N}][\p{L}\p{N}_.:-]*$/u.test(name)) return true;
  return kindAt(`/${name}`) !== "missing" || kindAt(join(workspace, name)) !== "missing";
}

function unknownName(name: string, known: Expansions): string {
  const names = [...known.templates.map((template) => template.name), ...known.builtIns];
  const skill = findSkill(known.skills, name);
  const close = skill === undefined
    ? guess("/", nearest(name, names))
    : guess("/skill:", skill.name);
  return `There is no command or prompt template /${name}.${close}`;
}

function guess(prefix: string, name: string | undefined): string {
  return name === undefined ? "" : ` Did you mean ${prefix}${name}?`;
}
