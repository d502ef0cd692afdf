/** The options about model. */
import { thinkingLevels } from "../../core/model.ts";
import type { Option } from "../option.ts";

/** In the order of the help. */
export const modelOptions = [
  {
    name: "provider",
    kind: "text",
    placeholder: "NAME",
    group: "Model",
    help: "the provider for this process",
  },
  {
    name: "model",
    short: "m",
    kind: "text",
    placeholder: "ID",
    group: "Model",
    help: "the model for this process",
  },
  {
    name: "endpoint",
    kind: "text",
    placeholder: "URL",
    group: "Model",
    help: "the server to ask; alone it is openai-compatible",
  },
  {
    name: "thinking",
    kind: "choice",
    placeholder: "LEVEL",
    choices: thinkingLevels,
    group: "Model",
    help: thinkingLevels.join(", "),
  },
  {
    name: "api-key",
    kind: "text",
    placeholder: "KEY",
    group: "Model",
    help: "the key for this process; others may see it",
    secret: true,
  },
  {
    name: "record",
    kind: "text",
    placeholder: "FILE",
    group: "Model",
    help: "write the model's side as a cassette to replay",
  },
] as const satisfies readonly Option[];
