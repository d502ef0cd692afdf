/** Decides whether JSON that comes in pieces is a whole object yet, in linear time. */

export interface JsonScan {
  add(text: string): void;
  /** An object was opened, and all that was opened is closed. */
  isWhole(): boolean;
}

export function jsonScan(): JsonScan {
  let depth = 0;
  let opened = false, inText = false, escaped = false;
  return {
    add: (text) => {
      for (let at = 0; at < text.length; at++) {
        const char = text[at];
        if (inText) {
          if (escaped) escaped = false;
          else if (char === "\\") escaped = true;
          else if (char === '"') inText = false;
        } else if (char === '"') inText = true;
        else if (char === "{" || char === "[") {
          depth++;
          opened ||= char === "{";
        } else if (char === "}" || char === "]") depth--;
      }
    },
    isWhole: () => opened && depth === 0 && !inText,
  };
}
