/** The beginning of a conversation: which revision is spoken, and what the server is. */
import { isJsonObject, type JsonObject } from "../core/json.ts";
import { McpFailure } from "./failure.ts";
import {
  allRevisions,
  type HandshakeRevision,
  handshakeRevisions,
  initializeParams,
  statelessRevision,
  wireErrors,
} from "./protocol.ts";
import type { RequestOptions, Session } from "./session.ts";

/** More of it is never used, and it is remembered. */
const maxInstructionChars = 16 * 1024;

export interface Greeting {
  readonly revision: string;
  /** The server's own name and version, as it gives them. */
  readonly server: string;
  readonly hasTools: boolean;
  /** What else it offers, which is only counted. */
  readonly others: readonly ("prompts" | "resources")[];
  readonly instructions: string;
}

/**
 * Settles the revision. `initialize` comes first: nearly every server knows it, and one that does not refuses
 * it at once, while servers in use hang or exit at a first request that they do not know.
 */
export async function greet(session: Session, options: RequestOptions): Promise<Greeting> {
  session.settle(undefined);
  let refusal: McpFailure;
  let wanted: HandshakeRevision | undefined = handshakeRevisions[0];
  do {
    try {
      const greeting = await initialize(session, wanted, options);
      if (greeting !== undefined) return greeting;
      refusal = unknownRevision(statelessRevision);
      wanted = undefined;
    } catch (error) {
      if (!isRefusal(error)) throw error;
      refusal = error;
      // an older one may refuse what it does not know, and say what it does
      wanted = wanted === handshakeRevisions[0] ? olderIn(error) : undefined;
    }
  } while (wanted !== undefined);
  session.settle(statelessRevision);
  try {
    const given = { ...options, silenceMs: discoverMs };
    const answer = asObject(await session.ask("server/discover", {}, given));
    const supported = answer.supportedVersions;
    if (Array.isArray(supported) && !supported.includes(statelessRevision)) {
      throw unknownRevision(supported);
    }
    return greetingOf(answer, statelessRevision);
  } catch (error) {
    if (!(error instanceof McpFailure)) throw error;
    // of a server that knows neither the first answer says more
    if (error.kind === "protocol" || error.kind === "gone") throw error;
    if (error.code === wireErrors.unsupportedRevision) throw unknownRevision(supportedIn(error));
    throw refusal;
  }
}

/** Undefined where the server wants the revision without a handshake. */
async function initialize(
  session: Session,
  wanted: HandshakeRevision,
  options: RequestOptions,
): Promise<Greeting | undefined> {
  const params = { ...initializeParams(session.version, wanted) } as JsonObject;
  const answer = asObject(await session.ask("initialize", params, options));
  const { protocolVersion: revision } = answer;
  if (revision === statelessRevision) return undefined;
  if (!isHandshakeRevision(revision)) throw unknownRevision(revision);
  session.settle(revision);
  await session.notify("notifications/initialized");
  return greetingOf(answer, revision);
}

/** The newest revision with a handshake that a refusal says is spoken, if it is not the first one. */
function olderIn({ data }: McpFailure): HandshakeRevision | undefined {
  const supported = isJsonObject(data) && Array.isArray(data.supported) ? data.supported : [];
  return handshakeRevisions.slice(1).find((known) => supported.includes(known));
}

function isHandshakeRevision(revision: unknown): revision is HandshakeRevision {
  return handshakeRevisions.some((known) => known === revision);
}

/** A server that has refused `initialize` and is silent then speaks neither way. */
const discoverMs = 5000;

/** True for a server that was reached and does not take `initialize`. */
function isRefusal(error: unknown): error is McpFailure {
  if (!(error instanceof McpFailure)) return false;
  return error.kind === "answer" ||
    error.kind === "refused" && (error.status === 400 || error.code !== undefined);
}

function unknownRevision(found: unknown): McpFailure {
  const shown = [found].flat().map((one) => JSON.stringify(one ?? null)).join(", ").slice(0, 200);
  return new McpFailure(
    "protocol",
    `speaks ${shown} of the protocol; nimlet speaks ${allRevisions}`,
  );
}

function supportedIn({ data }: McpFailure): unknown {
  return isJsonObject(data) && Array.isArray(data.supported) ? data.supported : "another revision";
}

function asObject(answer: unknown): JsonObject {
  if (isJsonObject(answer)) return answer;
  throw new McpFailure("protocol", "answered the handshake with what is no object");
}

function greetingOf(answer: JsonObject, revision: string): Greeting {
  const meta = isJsonObject(answer._meta)
    ? answer._meta["io.modelcontextprotocol/serverInfo"]
    : null;
  const info = isJsonObject(answer.serverInfo) ? answer.serverInfo : isJsonObject(meta) ? meta : {};
  const offers = isJsonObject(answer.capabilities) ? answer.capabilities : {};
  const parts = [info.name, info.version].filter((part) => typeof part === "string");
  return {
    revision,
    server: parts.join(" ").slice(0, 200),
    hasTools: Boolean(offers.tools),
    others: (["prompts", "resources"] as const).filter((kind) => Boolean(offers[kind])),
    instructions: typeof answer.instructions === "string"
      ? answer.instructions.slice(0, maxInstructionChars)
      : "",
  };
}
