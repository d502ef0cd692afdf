/** The Model Context Protocol as this program speaks it: its revisions, and the messages on the wire. */
import type {
  CallToolRequestParams,
  Implementation,
  InitializeRequestParams,
} from "@modelcontextprotocol/client";
import { isJsonObject, type Json, type JsonObject, readJson } from "../core/json.ts";

/** The revision without a handshake and without sessions. */
export const statelessRevision = "2026-07-28";
/** The revisions that begin with `initialize`, the newest first. */
export const handshakeRevisions = ["2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"] as const;
export type HandshakeRevision = (typeof handshakeRevisions)[number];
export const allRevisions = [statelessRevision, ...handshakeRevisions].join(", ");

/** A message as it is sent or came in; of what comes in nothing but the shape is known. */
export interface Message {
  readonly jsonrpc: "2.0";
  readonly id?: number | string | null;
  readonly method?: string;
  readonly params?: JsonObject;
  readonly result?: unknown;
  /** Null where there is none, for some servers. */
  readonly error?: unknown;
}

export interface WireError {
  readonly code: number;
  readonly message: string;
  readonly data?: unknown;
}

/** Errors of the protocol that mean something here. */
export const wireErrors = {
  methodNotFound: -32601,
  unsupportedRevision: -32022,
} as const;

function clientInfo(version: string): Implementation {
  return { name: "nimlet", version };
}

export function initializeParams(
  version: string,
  revision: HandshakeRevision,
): InitializeRequestParams {
  return {
    protocolVersion: revision,
    capabilities: {},
    clientInfo: clientInfo(version),
  };
}

/** What each request of the stateless revision says about who sends it. */
export function statelessMeta(version: string): JsonObject {
  return {
    "io.modelcontextprotocol/protocolVersion": statelessRevision,
    "io.modelcontextprotocol/clientInfo": { ...clientInfo(version) } as JsonObject,
    "io.modelcontextprotocol/clientCapabilities": {},
  };
}

export function callParams(name: string, input: JsonObject): CallToolRequestParams {
  return { name, arguments: input };
}

/** More than one message of a usual server ever has. */
export const maxMessageBytes = 16 * 1024 * 1024;

/** The messages in a text: one, or an array of them; undefined where it is anything else. */
export function messagesIn(text: string): readonly Message[] | undefined {
  const json = text.replace(/^\ufeff/, "").trim();
  if (!/^[[{]/.test(json)) return undefined;
  let value: Json;
  try {
    value = readJson(json);
  } catch (error) {
    // nested too deeply counts as no message, too
    if (!(error instanceof SyntaxError || error instanceof RangeError)) throw error;
    return undefined;
  }
  const all: unknown[] = [value].flat().map(withoutNulls);
  return all.length > 0 && all.every(isMessage) ? all : undefined;
}

/** Some write every member of a message, null where there is none. */
function withoutNulls(value: Json): Json {
  if (!isJsonObject(value) || value.method !== null && value.params !== null) return value;
  const { method, params, ...rest } = value;
  return {
    ...rest,
    ...(method ?? null) === null ? {} : { method: method! },
    ...(params ?? null) === null ? {} : { params: params! },
  };
}

function isMessage(value: unknown): value is Message {
  if (!isJsonObject(value) || value.jsonrpc !== "2.0") return false;
  const { method = "", params = {}, id = 0 } = value;
  return typeof method === "string" && isJsonObject(params) &&
    (typeof id === "number" || typeof id === "string" || id === null);
}

/** True for an error that names no request: it answers the only one there is. */
export function isErrorOfAny({ id, method, error }: Message): boolean {
  return method === undefined && (id ?? null) === null && (error ?? null) !== null;
}

/** A foreign error, with whatever of it can be read. */
export function readError(error: unknown): WireError {
  const { code, message, data } = isJsonObject(error) ? error : { message: error } as JsonObject;
  return {
    code: typeof code === "number" ? code : 0,
    message: typeof message === "string" && message.trim() !== "" ? message : "no reason given",
    ...data === undefined ? {} : { data },
  };
}
