/** The choice among the codes that several rehearsals gave, so that two builds choose the same. */
import { Buffer } from "node:buffer";

interface Made {
  readonly digest: string;
  readonly bytes: Uint8Array;
  times: number;
}

/** So much more often than another of its size the smallest code must have come to be taken at once. */
const lead = 4;

/**
 * What a run calls depends a little on how events fall together: on a busy machine it calls a few
 * functions more. The smallest code that came at least twice is that of a quiet machine; of several of
 * one size, which differ in the order of what V8 found, the one that came most often.
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
    const [first, second] = ranked([...this.#made.values()]);
    if (first === undefined) return false;
    const rival = second?.bytes.length === first.bytes.length ? second.times : 0;
    return first.times - rival >= lead;
  }

  /** The chosen one; undefined where there is none yet. */
  get best(): Uint8Array | undefined {
    const all = [...this.#made.values()];
    return (ranked(all.filter(({ times }) => times > 1))[0] ?? ranked(all)[0])?.bytes;
  }
}

/** The smallest first, of one size the one that came most often. */
function ranked(codes: readonly Made[]): Made[] {
  return codes.toSorted((a, b) =>
    a.bytes.length - b.bytes.length || b.times - a.times || (a.digest < b.digest ? -1 : 1)
  );
}
