/** The context of a prompt: instructions, skills, templates, and the system prompt made of them. */
import { offeredTools } from "../agent/definitions.ts";
import type { Mode } from "../core/capability.ts";
import type { PromptInput } from "../core/conversation.ts";
import type { UserMessage } from "../core/message.ts";
import type { Skill } from "../core/skill.ts";
import type { SlashPrompts } from "../core/slash_prompts.ts";
import type { AnyTool, ToolOutput } from "../core/tool.ts";
import { instructionAccess, trackInstructions } from "../instructions/agents_files.ts";
import type { ExpandedPrompt } from "../instructions/expand_prompt.ts";
import { discoverSkills, type Skills } from "../instructions/skills.ts";
import { readSystemFiles } from "../instructions/system_files.ts";
import { systemPrompt } from "../instructions/system_prompt.ts";
import type { RunEnvironment } from "./environment.ts";

/** What a prompt becomes before it is sent. */
export interface PreparedPrompt {
  readonly content: UserMessage["content"];
  /** What a person should know: an unknown name, what is wrong with a template. */
  readonly notices: readonly string[];
  /** What the model cannot see of what was meant for it: a file left out, a text cut off. */
  readonly unseen: readonly string[];
  /** Files that it mentions; absent for none. */
  readonly mentions?: readonly string[];
}

export interface PromptContext {
  readonly slashPrompts: SlashPrompts;
  skills(): Promise<readonly Skill[]>;
  /** What a person should know of what was found; each sentence once. */
  notices(): Promise<string[]>;
  preparePrompt(prompt: PromptInput): Promise<PreparedPrompt>;
  /** The part that begins with a session. */
  forSession(): SessionContext;
}

export interface SessionContext {
  systemPrompt(mode: Mode, tools: readonly AnyTool[]): Promise<string>;
  /** Attaches the instructions of a folder to the session's first `read` below it. */
  afterTool(tool: AnyTool, input: unknown, output: ToolOutput): Promise<ToolOutput>;
}

/** `commands`: names of the front end's own commands, which win over templates. */
export function loadPromptContext(
  environment: RunEnvironment,
  commands: readonly string[] = [],
): PromptContext {
  const { host, workspace, nimletHome, trust } = environment;
  const locations = { workspace, nimletHome, home: host.env.home, trusted: trust.trusted };
  const access = instructionAccess();
  let skills: Promise<Skills> | undefined;
  const findSkills = () => skills ??= discoverSkills(locations);
  const announced = new Set<string>();
  const fresh = (notices: readonly string[]) =>
    notices.filter((notice) => !announced.has(notice) && announced.add(notice));

  async function templates() {
    const { findTemplates } = await import("../instructions/prompts.ts");
    return findTemplates(locations);
  }

  async function lookUp(text: string, notices: string[]): Promise<ExpandedPrompt> {
    const { expandPrompt } = await import("../instructions/expand_prompt.ts");
    const found = await templates();
    notices.push(...found.notices);
    return await expandPrompt(text, {
      skills: (await findSkills()).skills,
      templates: found.templates,
      builtIns: commands,
      workspace,
    });
  }

  async function expand(text: string, notices: string[], unseen: string[]): Promise<string> {
    if (!text.startsWith("/")) return text;
    const expanded = await lookUp(text, notices);
    if (expanded.kind === "expanded") unseen.push(...expanded.notices);
    if (expanded.kind === "unknown") notices.push(expanded.notice);
    return expanded.kind === "expanded" ? expanded.text : text;
  }

  return {
    skills: async () => (await findSkills()).skills,
    notices: async () =>
      fresh([
        ...(await findSkills()).notices,
        ...readSystemFiles(locations, access.look).notices,
        ...trackInstructions(locations, access).current().notices,
      ]),
    async preparePrompt({ text: written, piped = "", attached }) {
      // Text that only came by stdin may be a template's name, but its at-signs are its own.
      const mayMention = written !== "";
      let paths: readonly string[] = [];
      const notices: string[] = [], unseen = [...attached?.notices ?? []];
      const expanded = await expand(mayMention ? written : piped, notices, unseen);
      const text = (mayMention && piped !== "" ? `${piped}\n\n${expanded}` : expanded)
        .toWellFormed();
      const content: PreparedPrompt["content"][number][] = [
        { type: "text", text },
        ...attached?.parts ?? [],
      ];
      if (mayMention && written.includes("@")) {
        const { attachMentions } = await import("../instructions/mentions.ts");
        const { examineImage } = await import("../tools/read_image.ts");
        const mentions = await attachMentions(written, locations, examineImage);
        content.push(...mentions.parts);
        unseen.push(...mentions.notices);
        paths = mentions.paths;
      }
      return {
        content,
        notices: fresh(notices),
        unseen,
        ...paths.length === 0 ? {} : { mentions: paths },
      };
    },
    slashPrompts: {
      meaning: async (text) => (await lookUp(text, [])).kind === "unknown" ? "unknown" : "prompt",
      names: async () => [
        ...(await templates()).templates.map(({ name, shown }) => ({ name, help: shown })),
        ...(await findSkills()).skills.map(({ name, description }) => ({
          name: `skill:${name}`,
          help: description,
        })),
      ],
    },
    forSession() {
      const tracker = trackInstructions(locations, access);
      const date = new Date(host.clock.now()).toISOString().slice(0, 10);
      return {
        async systemPrompt(mode, tools) {
          const files = readSystemFiles(locations, access.look);
          return systemPrompt({
            workspace,
            shell: (await environment.shell()).path,
            platform: host.platform,
            date,
            mode,
            toolNames: offeredTools(tools, mode).map((tool) => tool.name),
            skills: (await findSkills()).skills,
            instructions: tracker.current().text,
            ...(files.replace === undefined ? {} : { replace: files.replace }),
            ...(files.append === undefined ? {} : { append: files.append }),
          });
        },
        afterTool(tool, input, output) {
          if (tool.name !== "read" || tool.origin.kind !== "built-in") {
            return Promise.resolve(output);
          }
          const { text, notices } = tracker.below((input as { path: string }).path);
          const added = [text, ...notices].filter((part) => part !== "").join("\n\n");
          if (added === "") return Promise.resolve(output);
          return Promise.resolve({ ...output, text: `${output.text}\n\n${added}` });
        },
      };
    },
  };
}
