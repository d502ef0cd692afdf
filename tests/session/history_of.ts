/** The history that a list of records describes. */
import assert from "node:assert/strict";
import type { SessionRecord } from "../../src/core/record.ts";
import { historyBuilder, type RebuiltHistory } from "../../src/session/history.ts";
import { estimateSize } from "../../src/session/token_estimate.ts";

export function historyOf(records: Iterable<SessionRecord>): RebuiltHistory {
  const builder = historyBuilder();
  for (const record of records) builder.add(record);
  const history = builder.finish();
  // what was noted of the list while it was made is what counting a copy of it gives
  assert.deepEqual(estimateSize(history.messages), estimateSize([...history.messages]));
  return history;
}
