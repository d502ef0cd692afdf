/** What extensions say of their state, once for each change. */
import type { Conversation } from "../../core/conversation.ts";
import { visible } from "../../lib/visible.ts";

export function extensionStatuses(conversation: Pick<Conversation, "state">) {
  let shown = new Set<string>();
  return {
    /** Lines for what is another than when it was last asked. */
    changed(): readonly string[] {
      const lines = (conversation.state().extensions ?? []).flatMap(({ name, status }) =>
        Object.entries(status).map(([key, text]) => visible(`${name}: ${key}: ${text}`))
      );
      const before = shown;
      shown = new Set(lines);
      return lines.filter((line) => !before.has(line));
    },
  };
}
