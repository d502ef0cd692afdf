/** Thinking between `<think>` and `</think>`, from servers that mix it with the text. */

export interface ThinkTags {
  /** Parts the next piece of the answer's text; what may be half a tag waits for the next piece. */
  take(delta: string): { readonly thinking: string; readonly text: string };
  /** What still waits at the end is text. */
  end(): string;
}

const opening = "<think>", closing = "</think>";

export function thinkTags(): ThinkTags {
  let state: "start" | "thinking" | "after" | "text" = "start";
  let held = "";
  const take = (delta: string): { thinking: string; text: string } => {
    if (state === "text") return { thinking: "", text: delta };
    const all = held + delta;
    held = "";
    if (state === "start") {
      const begun = all.trimStart();
      if (begun.startsWith(opening)) {
        state = "thinking";
        return take(begun.slice(opening.length));
      }
      if (opening.startsWith(begun)) {
        held = all;
        return { thinking: "", text: "" };
      }
      state = "text";
      return { thinking: "", text: all };
    }
    if (state === "thinking") {
      const end = all.indexOf(closing);
      if (end >= 0) {
        state = "after";
        const { text } = take(all.slice(end + closing.length));
        return { thinking: all.slice(0, end), text };
      }
      const waits = partOfTag(all);
      held = all.slice(all.length - waits);
      return { thinking: all.slice(0, all.length - waits), text: "" };
    }
    const text = all.trimStart(); // the blank lines between thinking and answer
    if (text !== "") state = "text";
    return { thinking: "", text };
  };
  return {
    take,
    end: () => state === "start" ? held : "",
  };
}

/** How many characters at the end may be the beginning of the closing tag. */
function partOfTag(text: string): number {
  const from = text.lastIndexOf("<");
  const length = text.length - from;
  return from >= 0 && length < closing.length && closing.startsWith(text.slice(from)) ? length : 0;
}
