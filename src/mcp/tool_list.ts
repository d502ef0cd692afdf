/** A server's list of tools: all of its pages, read leniently, so that one wrong tool costs no other. */
import { isJsonObject, type Json, type JsonObject } from "../core/json.ts";
import { boundedCheck } from "../schemas/bounded_check.ts";
import { draftOf, schemaProblems } from "../schemas/check_schema.ts";
import { byteLength, headOf } from "../lib/well_formed.ts";
import { quoteStart } from "../lib/visible_text.ts";
import { cleanText, cleanTexts, hasHiddenKeys } from "../core/clean_text.ts";
import { digestOf } from "../core/digest.ts";
import { type HeaderParameter, headerParameters } from "./header_parameters.ts";
import type { RequestOptions, Session } from "./session.ts";

export interface ServerTool {
  /** The server's own name for it: calls use it. */
  readonly name: string;
  readonly description: string;
  readonly inputSchema: JsonObject;
  /** As `readOnlyHint`: shown, and believed nowhere. */
  readonly hints: readonly string[];
  readonly headers: readonly HeaderParameter[];
  /** Twelve digits that change with whatever of it the model or the person is shown. */
  readonly digest: string;
}

export interface ToolList {
  /** By name in code unit order: a request is the same to the byte whatever order the server chose. */
  readonly tools: readonly ServerTool[];
  /** What was wrong, one sentence each. */
  readonly warnings: readonly string[];
  /** How long the server says that the list is good for. */
  readonly ttlMs?: number;
}

const maxPages = 100, maxTools = 1000;
const maxDescriptionBytes = 4096, maxSchemaBytes = 64 * 1024, maxNameChars = 512;
const maxWarnings = 20;

/** Fetches the list. Rejects with `McpFailure`. */
export async function fetchTools(
  session: Session,
  options: RequestOptions,
  overHttp: boolean,
): Promise<ToolList> {
  const found: Json[] = [], cursors = new Set<string>(), warnings: string[] = [];
  let ttlMs: number | undefined;
  for (let cursor: string | undefined;;) {
    const answer = await session.ask("tools/list", cursor === undefined ? {} : { cursor }, options);
    const page = isJsonObject(answer) ? answer : {};
    if (Array.isArray(page.tools)) found.push(...page.tools);
    else warnings.push("a page of its list of tools holds no tools");
    if (typeof page.ttlMs === "number" && page.ttlMs >= 0) ttlMs = page.ttlMs;
    const next = page.nextCursor;
    if (typeof next !== "string" || next === "") break;
    if (cursors.has(next)) {
      warnings.push("its list of tools does not end: the same page comes again");
      break;
    }
    cursors.add(cursor = next);
    if (cursors.size >= maxPages || found.length >= maxTools) {
      warnings.push(
        `its list of tools does not end: the first ${Math.min(found.length, maxTools)} count`,
      );
      break;
    }
  }
  const tools = await readTools(found.slice(0, maxTools), warnings, overHttp);
  const more = warnings.length - maxWarnings;
  return {
    tools,
    warnings: more > 0
      ? [...warnings.slice(0, maxWarnings), `${more} more tools are skipped`]
      : warnings,
    ...ttlMs === undefined ? {} : { ttlMs },
  };
}

async function readTools(
  found: readonly Json[],
  warnings: string[],
  overHttp: boolean,
): Promise<ServerTool[]> {
  const tools = new Map<string, ServerTool>();
  for (const [index, raw] of found.entries()) {
    const name = isJsonObject(raw) && typeof raw.name === "string" ? raw.name : "";
    const read = !isJsonObject(raw) || name === "" || name.length > maxNameChars
      ? "expected an object with a name"
      : tools.has(name)
      ? "another tool has the same name"
      : await readTool(raw, name, overHttp);
    if (typeof read !== "string") tools.set(name, read);
    else warnings.push(`tool ${name === "" ? index : quoteStart(name, 80)}: ${read}; skipped`);
  }
  return [...tools.values()].sort((a, b) => a.name < b.name ? -1 : 1);
}

/** The tool, or what is wrong with it. */
async function readTool(
  raw: JsonObject,
  name: string,
  overHttp: boolean,
): Promise<ServerTool | string> {
  const schema = raw.inputSchema;
  if (!isJsonObject(schema)) return "inputSchema: expected an object";
  if (byteLength(JSON.stringify(schema)) > maxSchemaBytes) {
    return `inputSchema: it has more than ${maxSchemaBytes} bytes`;
  }
  if (hasHiddenKeys(schema)) return "inputSchema: a key holds invisible characters";
  const inputSchema = cleanTexts(schema);
  const problems = schemaProblems(inputSchema, "inputSchema");
  if (problems.length > 0) return cleanText(problems.slice(0, 3).join("; "));
  if (inputSchema.type !== undefined && ![inputSchema.type].flat().includes("object")) {
    return 'inputSchema.type: expected "object", as arguments are always an object';
  }
  if (/"\$(?:ref|id|anchor|dynamicRef|recursiveRef)"/.test(JSON.stringify(inputSchema))) {
    const fault = await boundedCheck(inputSchema, draftOf(inputSchema) ?? "2020-12").fault();
    if (fault !== undefined) return cleanText(`inputSchema: ${fault}`);
  }
  const marked = overHttp ? headerParameters(inputSchema) : { parameters: [] };
  if ("problem" in marked) return cleanText(marked.problem);
  const annotations = isJsonObject(raw.annotations) ? raw.annotations : {};
  const title = [raw.title, annotations.title].find((text) => typeof text === "string");
  const description = [raw.description, title].find((text) =>
    typeof text === "string" && text.trim() !== ""
  );
  const hints = Object.keys(annotations)
    .filter((key) => knownHints.includes(key) && annotations[key] === true);
  const tool = {
    name,
    description: headOf(cleanText(String(description ?? "")), maxDescriptionBytes),
    inputSchema,
    hints,
  };
  return {
    ...tool,
    headers: marked.parameters,
    digest: digestOf({ ...tool }).slice(0, 12),
  };
}

const knownHints = ["readOnlyHint", "destructiveHint", "idempotentHint", "openWorldHint"];
