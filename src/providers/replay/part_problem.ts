/** The check of a cassette's single part: a wrong one would play as silence. */
import { isJsonObject, type JsonObject } from "../../core/json.ts";
import { modelErrorKinds } from "../../core/model.ts";

/** What is wrong with a part of a known type, with the key; undefined for a right one. */
export function problemOf(part: JsonObject): string | undefined {
  switch (part.type) {
    case "text":
    case "text-delta":
    case "reasoning":
    case "reasoning-delta":
      return typeof (part.delta ?? part.text ?? part.textDelta) === "string"
        ? undefined
        : `delta: expected a string in a ${part.type} part`;
    case "tool-call":
      return typeof (part.toolName ?? part.name) === "string"
        ? undefined
        : "toolName: expected the name of a tool in a tool-call part";
    case "wait":
      return typeof part.ms === "number" && part.ms >= 0
        ? undefined
        : "ms: expected a number of milliseconds in a wait part";
    case "finish":
      return finishProblem(part);
    case "error":
      return errorProblem(part);
    default:
      return undefined;
  }
}

function finishProblem({ finishReason: reason, usage }: JsonObject): string | undefined {
  if (!missing(reason) && typeof reason !== "string" && !isJsonObject(reason)) {
    return "finishReason: expected a string or an object in a finish part";
  }
  return missing(usage) || isJsonObject(usage)
    ? undefined
    : "usage: expected an object in a finish part";
}

function errorProblem({ status, kind, message }: JsonObject): string | undefined {
  if (!missing(status) && typeof status !== "number") {
    return "status: expected a number in an error part";
  }
  if (!missing(kind) && !modelErrorKinds.some((known) => known === kind)) {
    return `kind: unknown ${JSON.stringify(kind)}; known are ${modelErrorKinds.join(", ")}`;
  }
  return missing(message) || typeof message === "string"
    ? undefined
    : "message: expected a string in an error part";
}

function missing(value: unknown): boolean {
  return value === undefined || value === null;
}
