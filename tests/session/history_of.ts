/** The history that a list of records describes. */
import type { SessionRecord } from "../../src/core/record.ts";
import { historyBuilder, type RebuiltHistory } from "../../src/session/history.ts";

export function historyOf(records: Iterable<SessionRecord>): RebuiltHistory {
  const builder = historyBuilder();
  for (const record of records) builder.add(record);
  return builder.finish();
}
