/** A tool of an extension as the model is offered it. */
import type { Capability } from "../core/capability.ts";
import { cleanText, cleanTexts, hasHiddenKeys, withoutTags } from "../core/clean_text.ts";
import { digestOf } from "../core/digest.ts";
import { ToolFailure } from "../core/failure.ts";
import type { JsonObject } from "../core/json.ts";
import type { ImagePart } from "../core/message.ts";
import type { Tool, ToolContext, ToolOrigin, ToolOutput } from "../core/tool.ts";
import { headOf } from "../lib/well_formed.ts";
import { boundedCheck } from "../schemas/bounded_check.ts";
import { draftOf, schemaProblems } from "../schemas/check_schema.ts";
import { toolInput } from "../schemas/tool_input.ts";
import type { Extension } from "./extension_port.ts";
import { ExtensionFailure, quotedErrors } from "./failure.ts";
import type { Registration, Response } from "./protocol.ts";

export type ExtensionOrigin = ToolOrigin & { readonly kind: "extension" };
export type RegisteredTool = NonNullable<Registration["tools"]>[number];
type Content = NonNullable<Response["content"]>;

/** The text and images of a result. */
export type ReadContent = (
  content: Content,
  place: { readonly folder: string; readonly context: ToolContext },
) => Promise<{ readonly text: string; readonly images: readonly ImagePart[] }>;

const unsafeCapabilities: readonly Capability[] = ["write", "shell", "network"];
const maxDescriptionBytes = 4096, maxSchemaBytes = 64 * 1024;

/** The tool, or what is wrong with its definition. */
export async function extensionTool(
  extension: Extension,
  given: RegisteredTool,
  readContent: ReadContent,
): Promise<Tool<JsonObject> & { readonly origin: ExtensionOrigin } | { readonly problem: string }> {
  const { found } = extension;
  const description = headOf(cleanText(given.description), maxDescriptionBytes).trim();
  const schema = cleanTexts(given.input_schema as JsonObject);
  const problem = schemaProblem(given.input_schema as JsonObject);
  if (problem !== undefined) return { problem };
  const checked = boundedCheck(schema, draftOf(schema)!);
  if (JSON.stringify(schema).includes("$ref")) {
    const fault = await checked.fault();
    if (fault !== undefined) return { problem: `input_schema: ${fault}` };
  }
  const declared = given.capabilities ?? [];
  const capabilities = declared.length > 0 ? [...new Set(declared)] : unsafeCapabilities;
  const { name } = given, { folder, scope } = found;
  const digest = digestOf({
    name,
    description,
    input_schema: schema,
    capabilities: [...capabilities],
    folder,
  }).slice(0, 12);
  return {
    name,
    description: description === "" ? `${name} of the extension ${found.name}` : description,
    capabilities,
    input: toolInput(schema, checked),
    parallel: false,
    origin: { kind: "extension", scope, name: found.name, folder },
    grantKey: () => `tool:${name}@${digest}`,
    run: (input, context) => callTool(extension, name, input, context, readContent),
  };
}

function schemaProblem(schema: JsonObject): string | undefined {
  const size = JSON.stringify(schema).length;
  if (size > maxSchemaBytes) {
    return `input_schema: expected at most ${maxSchemaBytes} bytes, found ${size}`;
  }
  if (hasHiddenKeys(schema)) return "input_schema: a key holds invisible characters";
  if (draftOf(schema) === undefined) {
    return "input_schema.$schema: expected JSON Schema draft 2020-12, 2019-09 or draft-07";
  }
  const [problem] = schemaProblems(schema, "input_schema");
  if (problem !== undefined) return problem;
  const { type } = schema;
  return type === undefined || [type].flat().includes("object")
    ? undefined
    : 'input_schema.type: expected "object", as arguments are always an object';
}

async function callTool(
  extension: Extension,
  name: string,
  input: JsonObject,
  context: ToolContext,
  readContent: ReadContent,
): Promise<ToolOutput> {
  const { found } = extension;
  let response: Response;
  try {
    response = await extension.request({
      type: "tool",
      name,
      arguments: input,
      context: extension.callContext(context.callId),
    }, { signal: context.signal, onUpdate: (content) => context.progress(content) });
  } catch (error) {
    throw failureOf(error, extension, context);
  }
  const { text, images } = await readContent(response.content ?? [], {
    folder: found.folder,
    context,
  });
  if (response.is_error === true) throw new ToolFailure("tool_failed", text);
  return { text, ...images.length === 0 ? {} : { images } };
}

function failureOf(error: unknown, { found }: Extension, { signal }: ToolContext): unknown {
  const { name } = found;
  if (signal.aborted) {
    return new ToolFailure("interrupted", `INTERRUPTED (${name} was told to stop).`);
  }
  if (!(error instanceof ExtensionFailure)) return error;
  const message = withoutTags(error.message).toWellFormed();
  switch (error.kind) {
    case "time-out":
      return new ToolFailure(
        "timeout",
        `TIMEOUT after ${found.manifest.timeoutSeconds} s: ${name} did not answer and was told to stop.`,
      );
    case "gone":
      return failed(
        error.errors === undefined
          ? `${name} ${message}.`
          : `${name} ${message} during the call; whether it took effect is not known.` +
            quotedErrors(error.errors),
      );
    case "error":
    case "unfit":
    case "disabled":
      return failed(`${name} ${message}.`);
  }
}

function failed(sentence: string): ToolFailure {
  return new ToolFailure("tool_failed", `tool_failed: ${sentence}`);
}
