/** The choice among the codes that several rehearsals gave, so that two builds choose the same. */
import { Buffer } from "node:buffer";

interface Made {
  readonly digest: string;
  readonly bytes: Uint8Array;
  times: number;
}

/** So often the smallest code must have come before no further rehearsal is needed. */
const enough = 4;

/**
 * What a run calls depends a little on how events fall together: on a busy machine it calls a few
 * functions more. The smallest code that came at least twice is that of a quiet machine; of two of one
 * size the first by digest.
 */
export class RehearsedCodes {
  readonly #made = new Map<string, Made>();

  async add(bytes: Uint8Array<ArrayBuffer>): Promise<void> {
    const digest = Buffer.from(await crypto.subtle.digest("SHA-256", bytes)).toString("hex");
    const made = this.#made.get(digest);
    if (made === undefined) this.#made.set(digest, { digest, bytes, times: 1 });
    else made.times++;
  }

  /** Whether further rehearsals would hardly change the choice. */
  get isSettled(): boolean {
    return (smallest([...this.#made.values()])?.times ?? 0) >= enough;
  }

  /** The chosen one; undefined where there is none yet. */
  get best(): Uint8Array | undefined {
    const all = [...this.#made.values()];
    return (smallest(all.filter(({ times }) => times > 1)) ?? smallest(all))?.bytes;
  }
}

function smallest(codes: readonly Made[]): Made | undefined {
  return codes.toSorted((a, b) =>
    a.bytes.length - b.bytes.length || (a.digest < b.digest ? -1 : 1)
  )[0];
}
