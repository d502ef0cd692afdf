/** The hooks of a conversation: who takes part, and what is shown of them. */
import type { Participant } from "../core/moments.ts";
import { builtInNames, foreignTools, shownName } from "./tool_names.ts";
import { isNameList } from "../core/hook_settings.ts";
import { hookEventTable } from "../core/hook_events.ts";
import type { AnyTool } from "../core/tool.ts";
import { nearest } from "../lib/nearest.ts";
import type { HookContext } from "./ask_hook.ts";
import type { Hook } from "./hook.ts";
import { namesOf } from "./matcher.ts";
import { hookParticipant } from "./participant.ts";

export interface HookSet {
  readonly hooks: readonly Hook[];
  readonly participants: readonly Participant[];
  /** A sentence for each name in a matcher that no tool has; each once. */
  nameWarnings(tools: readonly AnyTool[]): string[];
}

export function hookSet(hooks: readonly Hook[], context: HookContext): HookSet {
  const told = new Set<string>();
  return {
    hooks,
    participants: hooks.map((hook) => hookParticipant(hook, context)),
    nameWarnings: (tools) =>
      unknownNames(hooks, tools).filter((sentence) => !told.has(sentence) && told.add(sentence)),
  };
}

function unknownNames(hooks: readonly Hook[], tools: readonly AnyTool[]): string[] {
  // those that --tools leaves out are no mistake
  const names = [...builtInNames, ...tools.flatMap((tool) => [shownName(tool), tool.name])];
  const sentences = new Set<string>();
  for (const { event, matcher, name } of hooks) {
    if (hookEventTable[event].matches !== "tool" || !isNameList(matcher)) continue;
    for (const wanted of namesOf(matcher)) {
      if (names.includes(wanted) || foreignTools.has(wanted) || wanted.startsWith("mcp__")) {
        continue;
      }
      const guess = nearest(wanted, names);
      sentences.add(
        `hook ${name} (${event}): there is no tool named ${wanted}` +
          (guess === undefined ? "" : `; did you mean ${guess}?`),
      );
    }
  }
  return [...sentences];
}
