/** The messages that the troubleshooting page explains. */
import { root } from "./shown_commands.ts";

/** Titles of its sections, with `…` for what differs from case to case. */
export function shownMessages(): string[] {
  const text = Deno.readTextFileSync(`${root}docs/troubleshooting.md`);
  return [...text.matchAll(/^### `(.+)`$/gm)].map(([, message]) => message!);
}
