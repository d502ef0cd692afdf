/** A server's list of tools: all of its pages, read leniently, so that one wrong tool costs no other. */
import { isDeeper, isJsonObject, type Json, type JsonObject, maxJsonLevels } from "../core/json.ts";
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

/** What is known of a server. */
export interface KnownServer extends ToolList {
  readonly revision: string;
  /** Its own name and version. */
  readonly server: string;
  readonly instructions: string;
}

const maxPages = 100, maxTools = 1000;
const maxDescriptionBytes = 4096, maxSchemaBytes = 64 * 1024, maxNameChars = 512;
/** Of all definitions of a server: more would fill the context of any model. */
const maxListBytes = 4 * 1024 * 1024;
const maxWarnings = 20;

/** Fetches the list. Rejects with `McpFailure`. */
export async function fetchTools(
  session: Session,
  options: RequestOptions,
  overHttp: boolean,
): Promise<ToolList> {
  const tools = new Map<string, ServerTool>(), cursors = new Set<string>(), warnings: string[] = [];
  let ttlMs: number | undefined, count = 0, bytes = 0;
  const room = () => count < maxTools && bytes < maxListBytes;
  for (let cursor: string | undefined;;) {
    const answer = await session.ask("tools/list", cursor === undefined ? {} : { cursor }, options);
    const page = isJsonObject(answer) ? answer : {};
    if (!Array.isArray(page.tools)) warnings.push("a page of its list of tools holds no tools");
    for (const raw of Array.isArray(page.tools) ? page.tools : []) {
      if (!room()) break;
      const read = await readNamed(raw, count++, tools, overHttp);
      if (typeof read === "string") warnings.push(read);
      else {
        tools.set(read.name, read);
        bytes += JSON.stringify(read).length;
      }
    }
    if (typeof page.ttlMs === "number" && page.ttlMs >= 0) ttlMs = page.ttlMs;
    const next = page.nextCursor;
    if (typeof next !== "string" || next === "") {
      if (!room()) warnings.push(`its list of tools is too long: the first ${count} count`);
      break;
    }
    if (cursors.has(next)) {
      warnings.push("its list of tools does not end: the same page comes again");
      break;
    }
    cursors.add(cursor = next);
    if (cursors.size >= maxPages || !room()) {
      warnings.push(`its list of tools does not end: the first ${count} count`);
      break;
    }
  }
  const more = warnings.length - maxWarnings;
  return {
    tools: [...tools.values()].sort((a, b) => a.name < b.name ? -1 : 1),
    warnings: more > 0
      ? [...warnings.slice(0, maxWarnings), `${more} more tools are skipped`]
      : warnings,
    ...ttlMs === undefined ? {} : { ttlMs },
  };
}

/** The tool, or a sentence that names it and what is wrong with it. */
async function readNamed(
  raw: Json,
  index: number,
  before: ReadonlyMap<string, ServerTool>,
  overHttp: boolean,
): Promise<ServerTool | string> {
  const name = isJsonObject(raw) && typeof raw.name === "string" ? raw.name : "";
  const read = !isJsonObject(raw) || name === "" || name.length > maxNameChars
    ? "expected an object with a name"
    : before.has(name)
    ? "another tool has the same name"
    : await readTool(raw, name, overHttp);
  if (typeof read !== "string") return read;
  return `tool ${name === "" ? index : quoteStart(name, 80)}: ${read}; skipped`;
}

/** The tool, or what is wrong with it. */
async function readTool(
  raw: JsonObject,
  name: string,
  overHttp: boolean,
): Promise<ServerTool | string> {
  const schema = raw.inputSchema;
  if (!isJsonObject(schema)) return "inputSchema: expected an object";
  if (isDeeper(schema, maxJsonLevels)) {
    return `inputSchema: it has more than ${maxJsonLevels} levels`;
  }
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
    description: startOf(String(description ?? "")),
    inputSchema,
    hints,
  };
  return {
    ...tool,
    headers: marked.parameters,
    digest: digestOf({ ...tool }).slice(0, 12),
  };
}

/** A copy, as a part of a text keeps the whole of it in memory. */
function startOf(description: string): string {
  const start = headOf(
    cleanText(description.slice(0, maxDescriptionBytes * 4)),
    maxDescriptionBytes,
  );
  return new TextDecoder().decode(new TextEncoder().encode(start));
}

const knownHints = ["readOnlyHint", "destructiveHint", "idempotentHint", "openWorldHint"];
