/** Values of an answer that would be lost or go back in a wrong form: what they are not is refused. */
import { isDeeper, isJsonObject, type Json, maxJsonLevels } from "../../core/json.ts";
import type { AnswerBuilder } from "./answer.ts";

export interface StrictValues {
  /** `problem` completes "the answer ...". */
  refuse(problem: string): void;
  /** A string; "" for nothing, and for what is refused. `what` names it with its article. */
  string(value: Json | undefined, what: string): string;
  /** The name of the tool that is asked for; "" where that was refused. */
  toolName(value: Json | undefined): string;
  /** A call's arguments as text, also where a server sends them parsed; "" for none. */
  argumentText(value: Json | undefined): string;
}

export function strictValues(answer: AnswerBuilder): StrictValues {
  const strict: StrictValues = {
    refuse: (problem) => answer.fail({ type: "protocol", problem }),
    string: (value, what) => {
      if (typeof value === "string") return value;
      if (value !== undefined && value !== null) {
        strict.refuse(`holds ${what} that is not a string`);
      }
      return "";
    },
    toolName: (value) => {
      const name = strict.string(value, "the name of a tool").trim();
      if (name === "") strict.refuse("asks for a tool without naming it");
      return name;
    },
    argumentText: (value) => {
      if (typeof value === "string") return value;
      if (value === undefined || value === null || isEmpty(value)) return "";
      if (!isDeeper(value, maxJsonLevels)) return JSON.stringify(value);
      strict.refuse(`holds arguments that nest more than ${maxJsonLevels} levels deep`);
      return "";
    },
  };
  return strict;
}

function isEmpty(value: Json): boolean {
  return isJsonObject(value) && Object.keys(value).length === 0;
}
