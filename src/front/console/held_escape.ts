/** An Escape that may be a key of its own, or the start of what a terminal sends for another one. */

export interface HeldEscape {
  /** An Escape has come, and nothing with it. */
  hold(): void;
  /** Gives the Escape that is held, as something follows it; "" for none. */
  release(): string;
}

/** What follows within that long belongs to it, as with Alt-Enter over a slow line. */
const escapeMs = 150;

/** Calls `alone` for an Escape that nothing has followed. */
export function heldEscape(alone: () => void): HeldEscape {
  let timer: ReturnType<typeof setTimeout> | undefined;
  return {
    hold() {
      clearTimeout(timer);
      timer = setTimeout(() => {
        timer = undefined;
        alone();
      }, escapeMs);
    },
    release() {
      if (timer === undefined) return "";
      clearTimeout(timer);
      timer = undefined;
      return "\x1b";
    },
  };
}
