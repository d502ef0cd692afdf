/** Which tool a model means by a name that no tool has. */
import type { AssistantMessage } from "../core/message.ts";
import type { AnyTool } from "../core/tool.ts";

type Part = AssistantMessage["content"][number];

/** `part` with the name of the one tool that it can mean, and a note where that was not written. */
export function withToolName(part: Part, tools: readonly AnyTool[]): Part {
  if (part.type !== "tool_use") return part;
  const meant = toolMeant(part.name, tools.map((tool) => tool.name));
  if (meant === undefined || meant === part.name) return part;
  const note = `the tool ${JSON.stringify(part.name)} was taken as ${meant}`;
  return { ...part, name: meant, notes: [note, ...part.notes ?? []] };
}

/**
 * The one of `names` that `written` can mean: in another case, with another separator of its words, with
 * the name space or the marks of a model's own format around it, or with pieces of it written twice.
 * Undefined where it can mean none of them, or several.
 */
export function toolMeant(written: string, names: readonly string[]): string | undefined {
  if (names.includes(written)) return written;
  const plain = withoutMarks(written);
  for (const form of [plain, withoutNameSpace(plain)]) {
    const found = names.filter((name) => folded(name) === folded(form));
    if (found.length === 1) return found[0];
    if (found.length > 1) return undefined;
  }
  const repeated = names.filter((name) => isStutter(plain, name));
  return repeated.length === 1 ? repeated[0] : undefined;
}

/** Without what leaks from the format in which a model is trained to call: `bash<|channel|>commentary`. */
function withoutMarks(name: string): string {
  const shown = name.split("<|", 1)[0]!.trim();
  return shown.replace(/^[`"'(\s]+|[`"'()\s]+$/g, "").replace(/(?<=.):\d+$/, "");
}

/** `functions.bash`, `default_api:bash`, `tools/bash`. */
function withoutNameSpace(name: string): string {
  return /^[\w.-]+[.:/]+([\w-]+)$/.exec(name)?.[1] ??
    name.replace(/^(?:functions?|tools?)_+/i, "");
}

function folded(name: string): string {
  return name.toLowerCase().replace(/[-_\s]/g, "");
}

/** A server that sends a name in pieces may send what it has so far each time: `babash`, `bashbash`. */
function isStutter(written: string, name: string): boolean {
  return written.length > name.length && written.length <= 2 * name.length &&
    written.endsWith(name) && name.startsWith(written.slice(0, -name.length));
}
