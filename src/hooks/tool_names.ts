/** The names under which hooks know the tools. */
import type { AnyTool } from "../core/tool.ts";

/** By nimlet's name. */
const shownNames: Readonly<Record<string, string>> = {
  bash: "Bash",
  read: "Read",
  edit: "Edit",
  write: "Write",
  grep: "Grep",
  glob: "Glob",
};

export function shownName({ name, origin }: Pick<AnyTool, "name" | "origin">): string {
  return origin.kind === "built-in" && Object.hasOwn(shownNames, name) ? shownNames[name]! : name;
}

/** Both names of the built-in tools. */
export const builtInNames: readonly string[] = [
  ...Object.values(shownNames),
  ...Object.keys(shownNames),
  "git",
  "read_skill",
];

/** Tools that only Claude Code has: a matcher that names them is no mistake. */
export const foreignTools: ReadonlySet<string> = new Set([
  "Agent",
  "AskUserQuestion",
  "BashOutput",
  "EnterPlanMode",
  "EnterWorktree",
  "ExitPlanMode",
  "ExitWorktree",
  "KillBash",
  "KillShell",
  "LS",
  "LSP",
  "ListMcpResourcesTool",
  "Monitor",
  "MultiEdit",
  "NotebookEdit",
  "NotebookRead",
  "PowerShell",
  "ReadMcpResourceTool",
  "SendMessage",
  "Skill",
  "SlashCommand",
  "StructuredOutput",
  "Task",
  "TaskCreate",
  "TaskGet",
  "TaskList",
  "TaskOutput",
  "TaskStop",
  "TaskUpdate",
  "TodoWrite",
  "ToolSearch",
  "WebFetch",
  "WebSearch",
  "Workflow",
]);
