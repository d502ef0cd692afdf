/** The list of the built-in tools, in the order the model sees them. */
import type { Skill } from "../core/skill.ts";
import type { AnyTool } from "../core/tool.ts";
import type { Shell } from "../host/shell.ts";
import { askUserTool } from "./ask_user.ts";
import { bashTool, type CommandSandbox } from "./bash.ts";
import { editTool } from "./edit.ts";
import { gitTool } from "./git.ts";
import { globTool } from "./glob.ts";
import { grepTool } from "./grep.ts";
import { readTool } from "./read.ts";
import { readSkillTool } from "./read_skill.ts";
import { writeTool } from "./write.ts";

export interface BuiltInNeeds {
  shell(): Promise<Shell>;
  /** Where commands run in one. */
  readonly sandbox?: CommandSandbox;
  skills(): readonly Skill[] | Promise<readonly Skill[]>;
}

export function builtInTools(needs: BuiltInNeeds): AnyTool[] {
  return [
    readTool,
    grepTool,
    globTool,
    gitTool,
    readSkillTool(needs.skills),
    editTool,
    writeTool,
    bashTool(needs.shell, needs.sandbox),
    askUserTool,
  ];
}
