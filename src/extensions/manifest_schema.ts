/** The form of `extension.json` as it is published; `manifest.ts` checks it. */
import { z } from "../core/schema.ts";
import { defaultTimeoutSeconds, maxTimeoutSeconds } from "./manifest.ts";

/** The JSON Schema is made from it. */
export const manifestShape = z.object({
  $schema: z.string().exactOptional(),
  name: z.string().regex(
    /^[A-Za-z0-9][A-Za-z0-9_-]{0,31}$/,
    "expected 1 to 32 letters, digits, _ and -",
  )
    .describe("What the extension is called in lists and messages."),
  description: z.string().exactOptional().describe("For people: what it does."),
  command: z.array(z.string()).min(1, "expected at least one item").max(256).describe(
    "The program and its arguments. With a slash it is relative to the folder and lies in it, or is " +
      "absolute; else it is looked up on PATH.",
  ),
  response_timeout_seconds: z.int().min(1).max(maxTimeoutSeconds).nullable().default(
    defaultTimeoutSeconds,
  ).describe("How long an answer may take, 1 to 3600; null: no limit, but 30 for a guard."),
  guards: z.boolean().default(false)
    .describe("A failure, a time-out, a death and its absence deny what it is asked about."),
});
