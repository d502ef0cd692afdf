/** The notices of a model: each sentence once in its life, as events. */
import type { ModelEvent } from "../core/model.ts";

export interface NoticeList {
  add(sentence: string): void;
  take(): ModelEvent[];
}

export function noticeList(): NoticeList {
  const said = new Set<string>();
  let fresh: ModelEvent[] = [];
  return {
    add(message) {
      if (!said.has(message)) fresh.push({ type: "notice", message });
      said.add(message);
    },
    take() {
      const taken = fresh;
      fresh = [];
      return taken;
    },
  };
}
