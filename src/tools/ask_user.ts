/** Owns the ask_user tool: a question that no front end here can show. */
import { ToolFailure } from "../core/failure.ts";
import { shapeOf } from "../core/input_shape.ts";
import { z } from "../core/schema.ts";
import type { Tool } from "../core/tool.ts";

const schema = z.strictObject({
  question: z.string().describe("The question."),
  options: z.array(z.string()).describe("The answers to choose from."),
});

export const askUserTool: Tool<z.output<typeof schema>> = {
  name: "ask_user",
  description:
    "Ask the user a multiple-choice question. Fails with question_unavailable where no " +
    "question can be shown; decide by yourself then, or end with the question.",
  capabilities: ["user"],
  input: shapeOf(schema),
  parallel: false,
  origin: { kind: "built-in" },
  run() {
    return Promise.reject(
      new ToolFailure(
        "question_unavailable",
        "question_unavailable: nobody can be asked while this run works; choose the most " +
          "sensible option and say so, or end your answer with the question",
      ),
    );
  },
};
