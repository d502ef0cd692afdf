/** The session that a conversation works with, and what lives as long as it does. */
import { createChangeLog } from "../../changes/change_log.ts";
import { sessionGrants } from "../../permissions/grants.ts";
import type { RebuiltHistory } from "../../session/history.ts";
import type { OpenedSession } from "../../session/session.ts";

/** What begins and ends with a session; its history is kept up to date. */
export function currentOf({ session, history }: OpenedSession) {
  const kept: { -readonly [Key in keyof RebuiltHistory]: RebuiltHistory[Key] } = { ...history };
  return { session, history: kept, grants: sessionGrants(), changes: createChangeLog() };
}
