/** What a person can do about a failed request. */
import { findProvider } from "../catalog.ts";

/** Who was asked, as far as advice depends on it. */
export interface Asked {
  readonly provider: string;
  /** Undefined where the server was asked for its list of models. */
  readonly model: string | undefined;
  readonly hasKey: boolean;
  /** Names of the tools offered, in order. */
  readonly tools: readonly string[];
  /** The proxy that was asked, as it may be shown. */
  readonly proxy?: string;
}

export function keyAdvice(ask: Asked): string {
  const variables = findProvider(ask.provider)?.keyVariables ?? [];
  const name = variables[0];
  if (name === undefined) {
    return ask.hasKey
      ? `check providers.${ask.provider}.api_key`
      : `set providers.${ask.provider}.api_key if the server wants a key`;
  }
  return ask.hasKey ? `check the key in ${name}` : `set ${name} to a key`;
}

export function notFoundAdvice(ask: Asked): string {
  if (ask.model === undefined) return "check the endpoint; some servers have no list of models";
  if (!findProvider(ask.provider)?.isLocal) return "check the model's name and the endpoint";
  return ["local", "ollama"].includes(ask.provider)
    ? `check that the server has the model "${ask.model}" (with Ollama: ollama pull ${ask.model})`
    : `check that the server has loaded the model "${ask.model}"`;
}

/** For a server's own trouble, when trying again did not help. */
export function laterAdvice({ model }: Pick<Asked, "model">): string {
  return model === undefined ? "try again later" : "try again later, or use another model";
}

/** A request that the server does not take as it is. */
export function requestAdvice(text: string, ask: Asked): string {
  if (ask.model === undefined) return `check the endpoint and providers.${ask.provider}.headers`;
  return toolAdvice(text, ask) ??
    `check the model's name, the thinking level and providers.${ask.provider}.options`;
}

/** No server takes fewer. */
const manyTools = 20;

/** True for a refusal that speaks of the tools and of how many there may be. */
function refusesNumber(text: string): boolean {
  return /\b(?:tools?|functions?|function_declarations)\b/i.test(text) &&
    /too (?:long|many)|max(?:imum|_length|Items)?\b|at most|exceed|more than|limit|up to/i.test(
      text,
    );
}

/** Servers name a tool by its place in the request; a person knows its name. */
function toolAdvice(text: string, ask: Asked): string | undefined {
  if (ask.tools.length > manyTools && refusesNumber(text)) {
    return `${ask.tools.length} tools are more than it takes; choose some with --tools, as ` +
      "--tools read,grep,glob,edit,write,bash";
  }
  const place =
    /(?:tools|function_declarations|functions)[.[](?:\d+\]?\.function_declarations[.[])?(\d+)/
      .exec(text)?.[1];
  const name = place === undefined ? undefined : ask.tools[Number(place)];
  return name && `it does not take the tool ${name}; leave it out with --tools`;
}

/** Undefined where `reason` has nothing to do with a certificate. */
export function certificateAdvice(reason: string): string | undefined {
  if (/CaUsedAsEndEntity/i.test(reason)) {
    return "it is that of an authority itself (CA:TRUE); let the server have one of its own";
  }
  if (/NotValidForName/i.test(reason)) return "it is for another name; check the endpoint";
  if (/Expired|NotValidYet/i.test(reason)) return "check its dates and this machine's clock";
  return /certificate|UnknownIssuer/i.test(reason)
    ? "name the file of your certificate authority in NIMLET_CA_CERT"
    : undefined;
}

export function connectAdvice(reason: string, ask: Asked): string {
  if (ask.proxy !== undefined) return "check the proxy, or exclude the host with NO_PROXY";
  const start = findProvider(ask.provider)?.start;
  if (start !== undefined && /refused/i.test(reason)) return start;
  if (/dns|lookup|name or service/i.test(reason)) return "check the endpoint and the network";
  if (/does not speak HTTP/.test(reason)) return "check the endpoint, http or https, and its port";
  return "check the network and the endpoint";
}
