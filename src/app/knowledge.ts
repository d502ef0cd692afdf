/** Owns what the agent knows: instructions, skills, templates, and the system prompt made of them. */
import { offeredTools } from "../agent/definitions.ts";
import type { Mode } from "../core/capability.ts";
import type { Skill } from "../core/skill.ts";
import type { AnyTool, ToolOutput } from "../core/tool.ts";
import { trackInstructions } from "../instructions/agents_files.ts";
import type { PromptTemplates } from "../instructions/prompts.ts";
import { discoverSkills } from "../instructions/skills.ts";
import { readSystemFiles } from "../instructions/system_files.ts";
import { systemPrompt } from "../instructions/system_prompt.ts";
import type { PreparedPrompt } from "./conversation.ts";
import type { RunEnvironment } from "./environment.ts";

export interface Knowledge {
  skills(): Promise<readonly Skill[]>;
  systemPrompt(mode: Mode, tools: readonly AnyTool[]): Promise<string>;
  preparePrompt(text: string): Promise<PreparedPrompt>;
  /** Attaches the instructions of a folder to the first `read` below it. */
  afterTool(tool: AnyTool, input: unknown, output: ToolOutput): Promise<ToolOutput>;
}

export function loadKnowledge(environment: RunEnvironment): Knowledge {
  const { host, workspace, nimletHome, trust } = environment;
  const places = { workspace, nimletHome, home: host.env.home, trusted: trust.trusted };
  const tracker = trackInstructions(places);
  const date = new Date(host.clock.now()).toISOString().slice(0, 10);
  let skills: Promise<readonly Skill[]> | undefined;
  const findSkills = () =>
    skills ??= discoverSkills(places).then((found) => {
      environment.notices.push(...found.notices);
      return found.skills;
    });
  let found: PromptTemplates | undefined;
  const templates = async () => {
    const { findTemplates } = await import("../instructions/prompts.ts");
    found ??= findTemplates(places);
    return found.templates;
  };
  return {
    skills: findSkills,
    async systemPrompt(mode, tools) {
      const files = readSystemFiles(places);
      const instructions = tracker.current();
      return systemPrompt({
        workspace,
        shell: (await environment.shell()).path,
        platform: host.platform,
        date,
        mode,
        toolNames: offeredTools(tools, mode).map((tool) => tool.name),
        skills: await findSkills(),
        instructions: instructions.text,
        ...(files.replace === undefined ? {} : { replace: files.replace }),
        ...(files.append === undefined ? {} : { append: files.append }),
      });
    },
    async preparePrompt(written) {
      const notices = [...readSystemFiles(places).notices, ...tracker.current().notices];
      let text = written;
      if (written.startsWith("/")) {
        const { expandPrompt } = await import("../instructions/expand_prompt.ts");
        const expanded = await expandPrompt(written, {
          skills: await findSkills(),
          templates: await templates(),
          builtIns: [],
          workspace,
        });
        if (expanded.kind === "expanded") {
          text = expanded.text;
          notices.push(...expanded.notices);
        } else if (expanded.kind === "unknown") notices.push(expanded.notice);
      }
      const content: PreparedPrompt["content"][number][] = [{ type: "text", text }];
      if (text.includes("@")) {
        const { attachMentions } = await import("../instructions/mentions.ts");
        const { examineImage } = await import("../tools/read_image.ts");
        const mentions = await attachMentions(text, places, examineImage);
        content.push(...mentions.parts);
        notices.push(...mentions.notices);
      }
      return { content, notices };
    },
    afterTool(tool, input, output) {
      if (tool.name !== "read" || tool.origin.kind !== "built-in") return Promise.resolve(output);
      const { text } = tracker.below((input as { path: string }).path);
      if (text === "") return Promise.resolve(output);
      return Promise.resolve({ ...output, text: `${output.text}\n\n${text}` });
    },
  };
}
