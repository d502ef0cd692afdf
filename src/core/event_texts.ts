/** What all hooks and extensions together may tell the model at one event. */

export const maxEventChars = 20_000;

/** The texts in order as far as `room` characters go, the last with a note of what is left out. */
export function withinRoom(texts: readonly string[], room = maxEventChars): string[] {
  const kept: string[] = [];
  for (const text of texts) {
    if (text === "" || room <= 0) continue;
    kept.push(
      text.length <= room
        ? text
        : `${text.slice(0, room).toWellFormed()}\n[... ${
          text.length - room
        } characters left out ...]`,
    );
    room -= text.length;
  }
  return kept;
}
