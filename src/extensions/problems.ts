/** What does not fit a form, in sentences. */
import type { z } from "../core/schema.ts";

const maxProblems = 5;

/** Each `<key path>: expected ..., found ...`. */
export function problemsOf(error: z.ZodError): string[] {
  return error.issues.slice(0, maxProblems).map(({ path, message }) => {
    const where = path.map((key) => typeof key === "number" ? `[${key}]` : `.${String(key)}`).join(
      "",
    )
      .replace(/^\./, "");
    const what = message.replace(/^(?:Invalid input|Invalid string|Too \w+): /, "")
      .replace(", received ", ", found ").replace(/^./, (first) => first.toLowerCase());
    return where === "" ? what : `${where}: ${what}`;
  });
}
