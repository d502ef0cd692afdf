/** The option table: parsing, the type of what was given, help, completions and docs follow from it. */
import type { Option } from "./option.ts";
import { informationOptions } from "./options/information_options.ts";
import { inputOptions } from "./options/input_options.ts";
import { modelOptions } from "./options/model_options.ts";
import { outputOptions } from "./options/output_options.ts";
import { sessionOptions } from "./options/session_options.ts";
import { toolOptions } from "./options/tool_options.ts";

/** In the order of the help. */
const rows = [
  ...outputOptions,
  ...modelOptions,
  ...toolOptions,
  ...sessionOptions,
  ...inputOptions,
  ...informationOptions,
] as const satisfies readonly Option[];

export type OptionRow = typeof rows[number];

export const optionTable: readonly Option[] = rows;
