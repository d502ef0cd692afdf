/** What a server says about an error: its words in one short line, its codes, its status. */
import { isJsonObject, type Json, type JsonObject } from "../../core/json.ts";
import { oneLine } from "../../lib/one_line.ts";

export interface ServerWords {
  /** One line, shortened; empty where the server says nothing. */
  readonly text: string;
  /** Machine-readable codes and types, as told. */
  readonly codes: readonly string[];
  readonly status?: number;
  /** The parameter that the error is about. */
  readonly parameter?: string;
}

const maxChars = 400;

/** Reads an error body (JSON of any usual form, HTML, plain text) or an error object. */
export function serverWords(body: Json): ServerWords {
  if (typeof body !== "string") return fromJson(body);
  const text = body.trim();
  if (text.startsWith("{") || text.startsWith("[")) {
    try {
      return fromJson(JSON.parse(text) as Json);
    } catch (error) {
      if (!(error instanceof SyntaxError)) throw error;
    }
  }
  // An error event where the status says error already.
  const event = /^data:\s*(\{.*\})\s*$/m.exec(text)?.[1];
  if (event !== undefined) return serverWords(event);
  return {
    text: oneLine(/<\/?[a-z!][^>]*>/i.test(text) ? visibleText(text) : text, maxChars),
    codes: [],
  };
}

function fromJson(value: Json): ServerWords {
  const item = Array.isArray(value) ? value[0] : value;
  if (!isJsonObject(item)) {
    return { text: typeof item === "string" ? oneLine(item, maxChars) : "", codes: [] };
  }
  const inner = isJsonObject(item.error)
    ? item.error
    : isJsonObject(item.response) && isJsonObject(item.response.error)
    ? item.response.error
    : item;
  const codes = [inner.code, inner.type, inner.status, inner.status_code, item.type, item.code]
    .filter((code): code is string => typeof code === "string" && code !== "error");
  const status = [inner.code, inner.status, inner.status_code, item.status_code, item.code]
    .map((code) => typeof code === "string" && /^\d{3}$/.test(code) ? Number(code) : code)
    .find((code): code is number => typeof code === "number" && code >= 400 && code < 600);
  return {
    text: oneLine(messageIn(inner) ?? messageIn(item) ?? leftOver(item), maxChars),
    codes,
    ...status === undefined ? {} : { status },
    ...parameterIn(inner),
  };
}

/** The parameter, under the names that OpenAI and those who check with pydantic have for it. */
function parameterIn(item: JsonObject): { parameter?: string } {
  if (typeof item.param === "string") return { parameter: item.param };
  const list = isJsonObject(item.message) ? item.message.detail : item.detail;
  const first = Array.isArray(list) ? list[0] : undefined;
  if (!isJsonObject(first) || !Array.isArray(first.loc)) return {};
  return { parameter: first.loc.filter((part) => part !== "body").join(".") };
}

function messageIn(item: JsonObject): string | undefined {
  // OpenRouter hides the upstream's own words one level deeper.
  const metadata = isJsonObject(item.metadata) ? item.metadata : {};
  const raw = typeof metadata.raw === "string" ? serverWords(metadata.raw).text : "";
  for (const key of ["message", "detail", "error_description", "error", "title", "msg"]) {
    const value = item[key];
    if (typeof value === "string" && value.trim() !== "") {
      return raw !== "" && !value.includes(raw) ? `${value} (${raw})` : value;
    }
    if (Array.isArray(value) && value.length > 0) {
      const words = value.map((entry) => isJsonObject(entry) ? detail(entry) : String(entry));
      return words.slice(0, 3).join("; ");
    }
    if (isJsonObject(value) && key !== "error") {
      const words = messageIn(value);
      if (words !== undefined) return words;
    }
  }
  return raw === "" ? undefined : raw;
}

/** One entry of a list of validation problems, with its place. */
function detail(entry: JsonObject): string {
  const place = Array.isArray(entry.loc) ? `${entry.loc.join(".")}: ` : "";
  return place + (messageIn(entry) ?? leftOver(entry));
}

function leftOver(item: JsonObject): string {
  return Object.keys(item).length === 0 ? "" : JSON.stringify(item);
}

/** The title of a page, or its visible text. */
function visibleText(html: string): string {
  const plain = (text: string) => text.replace(/<[^>]*>/g, " ").replace(/&nbsp;/g, " ");
  const title = /<title[^>]*>([\s\S]*?)<\/title>/i.exec(html)?.[1];
  if (title !== undefined && title.trim() !== "") return plain(title);
  const body = html.replace(/<(script|style|head)\b[\s\S]*?<\/\1>/gi, " ");
  return plain(body);
}
