/** The ask_user tool: a question that no front end here can show. */
import { ToolFailure } from "../core/failure.ts";
import { argumentShape, type ArgumentsOf, list, text } from "../core/argument_shape.ts";
import type { Tool } from "../core/tool.ts";

const fields = {
  question: text(),
  options: list(undefined, text()),
};

export const askUserTool: Tool<ArgumentsOf<typeof fields>> = {
  name: "ask_user",
  description: "Ask the user a multiple-choice question. Where nobody can be asked it fails with " +
    "question_unavailable: then decide, or end with the question.",
  capabilities: ["user"],
  input: argumentShape(fields),
  parallel: false,
  origin: { kind: "built-in" },
  run() {
    return Promise.reject(
      new ToolFailure(
        "question_unavailable",
        "question_unavailable: nobody can be asked while a turn runs: nimlet's console cannot, and a script " +
          "has nobody; end your answer with the question, which the next prompt can reply to; or, where one " +
          "option is clearly the sensible one, choose it and say so",
      ),
    );
  },
};
