/** What a server logs by notifications: kept for whoever looks at it. */
import { isDeeper, type JsonObject, maxJsonLevels } from "../core/json.ts";
import { oneLine } from "../lib/one_line.ts";

const maxLineChars = 500, maxChars = 16 * 1024;

export interface ServerLog {
  add(params: JsonObject): void;
  /** The end of it, a line each. */
  readonly text: string;
}

/** `hide` takes secrets out. */
export function serverLog(hide: (text: string) => string): ServerLog {
  let text = "";
  return {
    add({ level, logger, data = "" }) {
      const head = [level, logger].filter((part) => typeof part === "string").join(" ");
      const said = typeof data === "string"
        ? data
        : isDeeper(data, maxJsonLevels)
        ? "…"
        : JSON.stringify(data);
      text = `${text}${oneLine(hide(`${head}: ${said}`), maxLineChars)}\n`.slice(-maxChars);
    },
    get text() {
      return text;
    },
  };
}
