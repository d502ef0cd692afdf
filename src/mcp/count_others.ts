/** How much a server offers beside tools, for whoever looks at it. */
import { isJsonObject } from "../core/json.ts";
import type { Greeting } from "./handshake.ts";
import type { Session } from "./session.ts";

/** Nobody waits longer to know how many there are of what is not used. */
const countMs = 2000;

/** As in "3 prompts, 1 or more resources"; "" for none. Never rejects. */
export async function countOthers(
  session: Session,
  { others }: Greeting,
  signal: AbortSignal,
): Promise<string> {
  const counts = others.map(async (kind) => {
    const answer = await session.ask(`${kind}/list`, {}, { signal, silenceMs: countMs })
      .catch(() => undefined);
    const page = isJsonObject(answer) ? answer : {}, list = page[kind];
    if (!Array.isArray(list)) return `${kind} that it does not list`;
    return `${list.length}${page.nextCursor === undefined ? "" : " or more"} ${kind}`;
  });
  return (await Promise.all(counts)).join(", ");
}
