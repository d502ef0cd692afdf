/** A running tool's live output on its way to the reader: in order, coalesced, bounded. */
import { byteLength, headOf } from "../lib/well_formed.ts";

const maxDeltaBytes = 64 * 1024;

export interface LiveOutput {
  /** Takes a piece; never waits. Pieces that come while the reader is busy are joined. */
  push(delta: string): void;
  /** Resolves when everything taken has been handed on; rejects where the reader failed. */
  drain(): Promise<void>;
}

/**
 * Hands pieces to `send` one after the other. What a slow reader leaves waiting is bounded, and so is
 * the whole (`maxBytes`): the rest is left out, and said so once; the result keeps its own share.
 */
export function liveOutput(
  send: (delta: string) => Promise<void> | undefined,
  maxBytes: number,
  onFailure: (error: unknown) => void,
): LiveOutput {
  let waiting = "";
  let skippedBytes = 0;
  let leftBytes = maxBytes;
  let sending: Promise<void> | undefined;
  let failure: { error: unknown } | undefined;

  async function sendWaiting() {
    while (waiting !== "" || skippedBytes > 0) {
      const delta = skippedBytes > 0
        ? `${waiting}\n[... ${skippedBytes} bytes of live output skipped ...]\n`
        : waiting;
      waiting = "";
      skippedBytes = 0;
      await send(delta);
    }
  }

  return {
    push(delta) {
      if (failure || delta === "") return;
      if (leftBytes <= 0) {
        // The budget is spent: what follows is counted roughly, in code units, and said at the end.
        skippedBytes += delta.length;
        return;
      }
      const bytes = byteLength(delta);
      const room = Math.min(leftBytes, maxDeltaBytes - waiting.length);
      const taken = bytes <= room ? delta : headOf(delta, Math.max(0, room));
      const takenBytes = taken === delta ? bytes : byteLength(taken);
      waiting += taken;
      leftBytes -= takenBytes;
      if (takenBytes < bytes) skippedBytes += bytes - takenBytes;
      sending ??= sendWaiting().catch((error) => {
        failure = { error };
        onFailure(error);
      }).finally(() => sending = undefined);
    },
    async drain() {
      while (sending || ((waiting !== "" || skippedBytes > 0) && !failure)) {
        await (sending ?? sendWaiting());
      }
      if (failure) throw failure.error;
    },
  };
}
