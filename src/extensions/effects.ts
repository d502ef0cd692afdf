/** What an extension says beside its answers: state, notices, entries, messages; bounded. */
import type { JsonObject } from "../core/json.ts";
import { oneLine } from "../lib/one_line.ts";
import { byteLength } from "../lib/well_formed.ts";
import type { ConversationSide } from "./conversation_side.ts";
import type { Effects } from "./protocol.ts";

const maxStatusChars = 200, maxStatuses = 16, maxKeyChars = 64;
/** Of a status, before it is put into one line. */
const maxReadChars = 1000;
const maxNotificationChars = 2048, notificationsASecond = 10;
const maxEntryBytes = 64 * 1024;
/** Of one process. */
const maxKeptBytes = 16 * 1024 * 1024;

export interface EffectTaker {
  /** `keepsMessage`: a message to the model is somebody else's to send. */
  take(effects: Effects, keepsMessage?: boolean): void;
  /** The newest text of each key. */
  statuses(): JsonObject;
  clear(): void;
  /** Resolves when what was taken is done. */
  settled(): Promise<void>;
}

export function effectTaker(
  name: string,
  side: () => ConversationSide | undefined,
  now: () => number,
): EffectTaker {
  const statuses = new Map<string, string>();
  let windowStart = -Infinity, inWindow = 0, leftOut = 0, keptBytes = 0;
  let lastWork: Promise<void> = Promise.resolve();

  function later(work: () => Promise<void> | undefined): void {
    lastWork = lastWork.then(work).catch((error: Error) => notice("warning", error.message));
  }

  function notice(level: "info" | "warning" | "error", message: string): void {
    if (now() - windowStart >= 1000) {
      const more = leftOut > 0 ? ` (${leftOut} more were left out before)` : "";
      windowStart = now();
      inWindow = leftOut = 0;
      return show(level, message, more);
    }
    if (++inWindow >= notificationsASecond) leftOut++;
    else show(level, message, "");
  }

  const show = (level: "info" | "warning" | "error", message: string, more: string) =>
    side()?.notify(level, `${name}: ${oneLine(message, maxNotificationChars)}${more}`);

  return {
    take({ status, notification, entry, user_message: message }, keepsMessage = false) {
      if (status !== undefined) {
        const key = status.key.slice(0, maxKeyChars);
        statuses.delete(key);
        if (status.text !== "" && statuses.size < maxStatuses) {
          statuses.set(key, status.text.slice(0, maxReadChars));
        }
      }
      if (notification !== undefined) notice(notification.level, notification.message);
      if (entry !== undefined) {
        const bytes = byteLength(JSON.stringify(entry));
        if (bytes > maxEntryBytes) {
          notice("warning", `an entry of ${bytes} bytes is not kept; at most ${maxEntryBytes} are`);
        } else if (keptBytes + bytes > maxKeptBytes) {
          notice("warning", `no more entries are kept: there are ${maxKeptBytes} bytes of them`);
        } else {
          keptBytes += bytes;
          later(() => side()?.keepEntry(name, entry as JsonObject));
        }
      }
      if (message !== undefined && !keepsMessage) later(() => side()?.sendMessage(name, message));
    },
    statuses: () =>
      Object.fromEntries(
        Array.from(
          statuses,
          ([key, text]) => [oneLine(key, maxKeyChars), oneLine(text, maxStatusChars)],
        ),
      ),
    clear() {
      statuses.clear();
      keptBytes = 0;
    },
    settled: () => lastWork,
  };
}
