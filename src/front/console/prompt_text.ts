/** The prompt: what differs from the usual, then the mark. */
import type { ConsoleServices } from "./services.ts";
import type { Style } from "./style.ts";

export function promptText({ conversation }: ConsoleServices, style: Style): string {
  const { mode, approvesEverything } = conversation.state();
  const marks = [mode === "plan" ? "plan" : "", approvesEverything ? "yolo" : ""];
  const shown = marks.filter((mark) => mark !== "").join(" ");
  return `${shown === "" ? "" : `${style.yellow(shown)} `}${style.bold(">")} `;
}
