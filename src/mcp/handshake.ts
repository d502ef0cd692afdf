/** The beginning of a conversation: which revision is spoken, and what the server is. */
import { isJsonObject, type JsonObject } from "../core/json.ts";
import { McpFailure } from "./failure.ts";
import {
  allRevisions,
  handshakeRevisions,
  initializeParams,
  statelessRevision,
  wireErrors,
} from "./protocol.ts";
import type { RequestOptions, Session } from "./session.ts";

export interface Greeting {
  readonly revision: string;
  /** The server's own name and version, as it gives them. */
  readonly server: string;
  readonly hasTools: boolean;
  readonly instructions: string;
}

/**
 * Settles the revision. `initialize` comes first: nearly every server knows it, and one that does not refuses
 * it at once, while servers in use hang or exit at a first request that they do not know.
 */
export async function greet(session: Session, options: RequestOptions): Promise<Greeting> {
  session.settle(undefined);
  let refusal: McpFailure;
  try {
    const answer = asObject(
      await session.ask(
        "initialize",
        { ...initializeParams(session.version) } as JsonObject,
        options,
      ),
    );
    const revision = answer.protocolVersion;
    if (!handshakeRevisions.some((known) => known === revision)) throw unknownRevision(revision);
    session.settle(revision as string);
    await session.notify("notifications/initialized");
    return greetingOf(answer, revision as string);
  } catch (error) {
    if (!isRefusal(error)) throw error;
    refusal = error;
  }
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
  const parts = [info.name, info.version].filter((part) => typeof part === "string");
  return {
    revision,
    server: parts.join(" ").slice(0, 200),
    hasTools: isJsonObject(answer.capabilities) && isJsonObject(answer.capabilities.tools),
    instructions: typeof answer.instructions === "string" ? answer.instructions : "",
  };
}
