/** The read_skill tool: the body of a skill, by name. */
import { ToolFailure } from "../core/failure.ts";
import { argumentShape, type ArgumentsOf, someText } from "../core/argument_shape.ts";
import type { Skill } from "../core/skill.ts";
import type { Tool } from "../core/tool.ts";
import { nearest } from "../lib/nearest.ts";
import { byteLength } from "../lib/well_formed.ts";

const fields = {
  name: someText("As listed."),
};
type Input = ArgumentsOf<typeof fields>;

/** `skills` gives the skills in effect when a call runs; a name is taken as listed, never as a path. */
export function readSkillTool(
  skills: () => readonly Skill[] | Promise<readonly Skill[]>,
): Tool<Input> {
  return {
    name: "read_skill",
    description: "Load a skill's full instructions, before work that its description covers.",
    capabilities: ["read"],
    input: argumentShape(fields),
    parallel: true,
    origin: { kind: "built-in" },
    async run({ name }) {
      const known = await skills();
      const skill = known.find((skill) => skill.name === name);
      if (skill === undefined) throw new ToolFailure("not_found", unknownSkill(name, known));
      const body = await skill.readBody();
      if (body.kind === "unreadable") {
        throw new ToolFailure(
          "io_error",
          `The skill ${skill.name} cannot be read: ${body.problem}`,
        );
      }
      const head = `name: ${skill.name}\nfolder: ${skill.folder}\n\n`;
      if (body.cutFromBytes === undefined) return { text: head + body.text };
      const cut = `[... cut: the skill has ${body.cutFromBytes} bytes, ` +
        `only the first ${byteLength(body.text)} are given ...]`;
      return { text: `${head}${body.text}\n${cut}` };
    },
  };
}

function unknownSkill(name: string, known: readonly Skill[]): string {
  const names = known.map((skill) => skill.name);
  const shown = JSON.stringify(name.length > 80 ? `${name.slice(0, 80)}…` : name);
  if (names.length === 0) return `There is no skill ${shown}: no skills were found.`;
  const close = nearest(name, names);
  const guess = close === undefined ? "" : ` Did you mean ${close}?`;
  const more = names.length > 100 ? `, and ${names.length - 100} more` : "";
  return `There is no skill ${shown}.${guess} Known skills: ${
    names.slice(0, 100).join(", ")
  }${more}.`;
}
