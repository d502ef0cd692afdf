/** What a server says about how far a call is. */
import type { JsonObject } from "../core/json.ts";
import { oneLine } from "../lib/one_line.ts";

const maxChars = 500;

/** `<n>/<total> <message>`, in one line. */
export function progressText({ progress, total, message }: JsonObject): string {
  const part = typeof total === "number" ? `${progress}/${total}` : `${progress ?? ""}`;
  return oneLine(typeof message === "string" ? `${part} ${message}` : part, maxChars);
}

/** Servers may report every byte: so often it is passed on. */
const betweenMs = 100;

/** Passes on the newest text at most ten times a second, each as a line. */
export function calmProgress(
  show: (line: string) => void,
  now: () => number,
): (text: string) => void {
  let lastAt = -Infinity, last = "";
  return (text) => {
    if (text === last || now() - lastAt < betweenMs) return;
    lastAt = now();
    last = text;
    show(`${text}\n`);
  };
}
