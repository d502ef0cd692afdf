/** Unique ids of tool calls: servers repeat and leave out ids, and results are paired by them. */

/** The id for a call that has `id` from elsewhere; `round` counts the ids that were taken already. */
export type IdForm = (id: string, round: number) => string;

export interface CallIds {
  /** Notes an id that stays as it is. */
  keep(id: string): void;
  /** A new call's id: `id` in its form, or the next one where that is taken. */
  announce(id: string): string;
  /** The announced id of the call whose result comes; calls of one `id` are answered in order. */
  answer(id: string): string;
}

/** Ids depend on `form` and the earlier calls alone. */
export function callIds(form: IdForm): CallIds {
  const used = new Set<string>();
  const rounds = new Map<string, number>();
  const waiting = new Map<string, string[]>();
  const answered = new Map<string, string>();
  const announce = (id: string) => {
    let round = rounds.get(id) ?? 0; // earlier rounds are taken
    let own = form(id, round++);
    while (used.has(own)) own = form(id, round++);
    rounds.set(id, round);
    used.add(own);
    return own;
  };
  return {
    keep: (id) => void used.add(id),
    announce: (id) => {
      const own = announce(id);
      const queue = waiting.get(id);
      if (queue === undefined) waiting.set(id, [own]);
      else queue.push(own);
      return own;
    },
    answer: (id) => {
      const queue = waiting.get(id);
      const own = queue?.shift() ?? answered.get(id) ?? announce(id);
      if (queue?.length === 0) waiting.delete(id);
      answered.set(id, own);
      return own;
    },
  };
}
