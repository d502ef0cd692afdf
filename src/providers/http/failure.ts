/** Judges a failed request: its kind, whether it may be retried, and the sentence. */
import { RunFailure } from "../../core/failure.ts";
import { ModelError, type ModelErrorKind } from "../../core/model.ts";
import {
  type Asked,
  certificateAdvice,
  connectAdvice,
  keyAdvice,
  laterAdvice,
  notFoundAdvice,
  requestAdvice,
} from "./advice.ts";
import { connectionReason } from "../../lib/connection_reason.ts";
import type { Fault } from "./fault.ts";
import { isOverflow } from "./overflow.ts";
import { redact } from "./redact.ts";
import { type ServerWords, serverWords } from "./server_words.ts";

export interface RequestContext extends Asked {
  /** As it may be shown. */
  readonly endpoint: string;
  /** Texts that no message may hold: keys, and header values. */
  readonly secrets: readonly string[];
  readonly now: number;
}

/** The failure to throw for `fault`. */
export function failureOf(fault: Fault, ask: RequestContext): ModelError {
  const judged = judge(fault, ask);
  const details = {
    retryable: judged.retryable,
    ...judged.waitMs === undefined ? {} : { waitMs: judged.waitMs },
    ...judged.status === undefined ? {} : { status: judged.status },
    ...judged.advice ? { advice: judged.advice } : {},
    ...judged.parameter === undefined ? {} : { parameter: judged.parameter },
    ...fault.type === "connection" ? { cause: harmless(fault.error, ask.secrets) } : {},
  };
  return new ModelError(judged.kind, redact(judged.sentence, ask.secrets), details);
}

interface Judgement {
  readonly kind: ModelErrorKind;
  readonly retryable: boolean;
  /** Ends in the advice. */
  readonly sentence: string;
  readonly advice?: string;
  readonly status?: number;
  readonly waitMs?: number;
  readonly parameter?: string;
}

function judge(fault: Fault, ask: RequestContext): Judgement {
  const { model, endpoint } = ask;
  const who = `${ask.provider} (${model === undefined ? "" : `${model} at `}${endpoint})`;
  switch (fault.type) {
    case "connection":
      return connectionFailure(fault, who, ask);
    case "protocol":
      return {
        kind: "protocol",
        retryable: !/web page|provider |more than|larger than/.test(fault.problem),
        sentence: sentence(
          `The answer of ${who} ${fault.problem}`,
          protocolAdvice(fault.problem, ask),
        ),
        advice: protocolAdvice(fault.problem, ask),
      };
    case "stopped":
      return {
        kind: "stopped",
        retryable: fault.retryable,
        sentence: sentence(`${who} stopped without an answer: ${fault.reason}`, laterAdvice(ask)),
        advice: laterAdvice(ask),
      };
    case "http": {
      const words = serverWords(fault.body);
      const wait = retryAfterMs(fault.headers, ask.now);
      return refusal(fault.status, words, wait, who, ask);
    }
    case "stream": {
      const words = serverWords(fault.error);
      return refusal(words.status ?? statusOfCodes(words.codes), words, undefined, who, ask);
    }
  }
}

/** A server's no, by status (0: none was told), the server's words and its codes. */
function refusal(
  status: number,
  { text, codes, parameter }: ServerWords,
  waitMs: number | undefined,
  who: string,
  ask: RequestContext,
): Judgement {
  const said = text === "" ? "" : `: ${text}`;
  const head = status === 0 ? `${who} reports an error` : `${who} answered ${status}`;
  const told = status === 0 ? {} : { status };
  const wait = waitMs === undefined ? {} : { waitMs };
  const make = (kind: ModelErrorKind, retryable: boolean, advice: string): Judgement => ({
    kind,
    retryable,
    sentence: sentence(`${head}${said}`, advice),
    advice,
    ...told,
    ...retryable ? wait : {},
    ...parameter === undefined ? {} : { parameter },
  });

  if (isOverflow(status, text, codes)) {
    return make(
      "overflow",
      false,
      "the conversation is longer than the model takes, go on with less of it or a new session",
    );
  }
  if (
    status === 401 || status === 403 || /invalid.?api.?key|authentication/i.test(codes.join(" "))
  ) {
    return make("auth", false, keyAdvice(ask));
  }
  if (codes.includes("tool_use_failed")) {
    return make("stopped", true, "the model asked for a tool in a wrong form");
  }
  if (status === 402 || codes.includes("insufficient_quota") || /credit balance/i.test(text)) {
    return make("quota", false, "check the plan and the balance of the account");
  }
  if (status === 429 || /rate.?limit|resource_exhausted|throttl/i.test(codes.join(" "))) {
    const asked = waitMs !== undefined && waitMs > 60_000
      ? `, it asks to wait ${Math.ceil(waitMs / 1000)} s${waitMs < maxWaitMs ? "" : " or more"}`
      : "";
    return make("quota", true, `too many requests${asked}; wait, or use another model`);
  }
  if (status === 404) {
    return make("request", false, notFoundAdvice(ask));
  }
  if (status === 408 || status === 409 || status === 425) {
    return make("overload", true, laterAdvice(ask));
  }
  if (status >= 500 || /overloaded|server_error|unavailable|internal/i.test(codes.join(" "))) {
    return make("overload", true, laterAdvice(ask));
  }
  if (status >= 300 && status < 400) return make("request", false, "check the endpoint");
  // Without a status and a known code, an error inside a stream is the server's own trouble.
  if (status === 0 && codes.length === 0) return make("overload", true, laterAdvice(ask));
  return make("request", false, requestAdvice(text, ask));
}

function protocolAdvice(problem: string, ask: Asked): string {
  if (problem.includes("web page")) return "check the endpoint, it may lack /v1";
  if (/more than|larger than/.test(problem)) return "ask for less";
  return problem.includes("provider ") ? "" : laterAdvice(ask);
}

function sentence(head: string, advice: string): string {
  const body = head.replace(/[.\s]+$/, "");
  return advice === "" ? `${body}.` : `${body}; ${advice}.`;
}

function statusOfCodes(codes: readonly string[]): number {
  const text = codes.join(" ");
  if (/overloaded/i.test(text)) return 529;
  if (/rate_limit|resource_exhausted/i.test(text)) return 429;
  if (/authentication|permission/i.test(text)) return 401;
  return 0;
}

function connectionFailure(
  fault: Fault & { type: "connection" },
  who: string,
  ask: RequestContext,
): Judgement {
  if (fault.error instanceof RunFailure) { // something that was set cannot be used
    return { kind: "request", retryable: false, sentence: fault.error.message };
  }
  const reason = connectionReason(fault.error);
  if (fault.started) {
    return {
      kind: "network",
      retryable: true,
      sentence: sentence(`The answer of ${who} broke off: ${reason}`, laterAdvice(ask)),
      advice: laterAdvice(ask),
    };
  }
  const certificate = certificateAdvice(reason);
  const advice = certificate ?? connectAdvice(reason, ask);
  return {
    kind: "network",
    retryable: certificate === undefined &&
      !/invalid url|not permitted|forbidden port|does not speak/i.test(reason),
    sentence: sentence(
      ask.proxy === undefined
        ? `Cannot reach ${who}: ${reason}`
        : `Cannot reach ${who} through the proxy ${ask.proxy}: ${reason}`,
      advice,
    ),
    advice,
  };
}

/** The cause without what may hang on it: request, headers, address. */
function harmless(error: unknown, secrets: readonly string[]): Error {
  const cause = new Error(
    redact(error instanceof Error ? error.message : String(error), secrets),
  );
  cause.name = error instanceof Error ? error.name : "Error";
  return cause;
}

/** Longer wishes count as this; whoever repeats requests decides what is too long for him. */
const maxWaitMs = 3_600_000;

/** Milliseconds asked for by `retry-after-ms` or `retry-after` (seconds or a date), capped. */
function retryAfterMs(headers: Headers, now: number): number | undefined {
  const exact = amount(headers.get("retry-after-ms"));
  if (exact !== undefined) return capped(exact);
  const value = headers.get("retry-after")?.trim();
  if (!value) return undefined;
  const seconds = amount(value);
  if (seconds !== undefined) return capped(seconds * 1000);
  const date = Date.parse(value);
  return Number.isNaN(date) ? undefined : capped(date - now);
}

function amount(value: string | null): number | undefined {
  return value !== null && /^\s*\d+(\.\d+)?\s*$/.test(value) ? Number(value) : undefined;
}

function capped(waitMs: number): number {
  return Math.min(maxWaitMs, Math.max(0, Math.ceil(waitMs)));
}
