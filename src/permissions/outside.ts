/** Tells which calls would run outside the sandbox. */
import { isJsonObject, type Json } from "../core/json.ts";
import { type AnyTool, isTakenOut } from "../core/tool.ts";

/**
 * Why a call would run outside, "" where nothing says it; undefined for one that would not. `outside` are the
 * tools that the settings take out of the sandbox; undefined where there is none.
 */
export function outsideReason(
  { origin, name }: AnyTool,
  input: Json,
  outside: readonly string[] | undefined,
): string | undefined {
  if (outside === undefined) return undefined;
  if (isTakenOut(origin, name, outside)) return "";
  if (origin.kind !== "built-in" || name !== "bash" || !isJsonObject(input)) return undefined;
  if (input.outside_sandbox !== true) return undefined;
  return typeof input.reason === "string" ? input.reason : "";
}
