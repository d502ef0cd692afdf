/** Calls of the tool `parallel`, which OpenAI's models now and then think they have. */
import { isJsonObject, parseJson } from "../../../core/json.ts";
import type { WholeCall } from "../answer.ts";

const names = new Set(["parallel", "multi_tool_use.parallel"]);
const prefix = "functions.";

/** The calls that `call` stands for: those inside where it is a call of `parallel`, else itself. */
export function callsIn(call: WholeCall): readonly WholeCall[] {
  if (!names.has(call.name)) return [call];
  const input = parseJson(call.inputText);
  const uses = isJsonObject(input) && Array.isArray(input.tool_uses) ? input.tool_uses : [];
  const calls: WholeCall[] = [];
  for (const use of uses) {
    if (!isJsonObject(use) || !isJsonObject(use.parameters)) return [call];
    const { recipient_name: name, parameters } = use;
    if (typeof name !== "string" || !name.startsWith(prefix)) return [call];
    calls.push({
      id: call.id === "" ? "" : `${call.id}_${calls.length}`,
      name: name.slice(prefix.length),
      inputText: JSON.stringify(parameters),
    });
  }
  return calls.length === 0 ? [call] : calls;
}
