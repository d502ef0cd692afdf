/** One server of a run: when it is started, what it offers, and that a call reaches it at most once. */
import type { Clock } from "../core/host.ts";
import { messageOf } from "../core/failure.ts";
import type { JsonObject } from "../core/json.ts";
import type { McpServerSettings, McpServerState } from "../core/mcp_server.ts";
import { within } from "../lib/within.ts";
import { unlessAborted } from "../lib/unless_aborted.ts";
import { askTool, type CallOptions } from "./ask_tool.ts";
import { countOthers } from "./count_others.ts";
import { McpFailure, ToolChanged } from "./failure.ts";
import { greet, type Greeting } from "./handshake.ts";
import { maxStarts, startLimit } from "./start_limit.ts";
import { StartFailure, startProblem, tooOften } from "./start_failure.ts";
import { type ServerLog, serverLog } from "./log_text.ts";
import { openSession, type Session } from "./session.ts";
import { fetchTools, type KnownServer, type ServerTool } from "./tool_list.ts";
import type { Transport } from "./transport.ts";

export interface ServerParts {
  readonly settings: McpServerSettings;
  /** Starts or reaches it. Rejects with `StartFailure`. */
  open(): Promise<Transport>;
  readonly clock: Clock;
  /** Of this program. */
  readonly version: string;
  readonly remembered: KnownServer | undefined;
  /** Called with each list that the server itself has given. */
  listed(known: KnownServer): void;
}

export interface McpServer {
  readonly settings: McpServerSettings;
  readonly known: KnownServer | undefined;
  readonly state: McpServerState["state"];
  /** Why it could not be started or listed, as a sentence. */
  readonly error: string | undefined;
  readonly words: Transport["words"] & { readonly log: string };
  /** How many prompts and resources it has, where it runs and has any; "" else. Never rejects. */
  countOthers(signal: AbortSignal): Promise<string>;
  /** Settles when the list is known and current: starts the server only where it has to. */
  list(): Promise<void>;
  /** Starts it, or asks it again: what it says now. Rejects with the sentence. */
  refresh(): Promise<void>;
  /** Rejects with `McpFailure`, `ToolChanged`, or an error whose message says why there is no start. */
  call(tool: ServerTool, input: JsonObject, options: CallOptions): Promise<unknown>;
  /** Ends it until the next call; forgets that it failed. */
  stop(): Promise<void>;
}

interface Running {
  readonly session: Session;
  readonly transport: Transport;
  readonly greeting: Greeting;
}

const maxSilentCalls = 2;

export function mcpServer(parts: ServerParts): McpServer {
  const { settings } = parts;
  const callMs = settings.callTimeoutSeconds * 1000;
  let known = parts.remembered, error: string | undefined;
  let running: Promise<Running> | undefined, isUp = false, hasRun = false, hasFailed = false;
  let isStale = false, silentCalls = 0, again: Promise<void> | undefined;
  let words: Transport["words"] = { errors: "", strayLines: [] };
  let current: Transport | undefined, log: ServerLog | undefined;
  /** Grows with every stop: a start that was going on then does not count. */
  let lives = 0;
  const limit = startLimit(parts.clock);

  /** One start for all who wait; one that failed is forgotten. */
  function up(): Promise<Running> {
    if (running !== undefined) return running;
    const mine = start().catch((reason) => {
      // one that was stopped meanwhile has not failed
      if (running === mine) {
        running = undefined;
        hasFailed = true;
        error = (reason as Error).message;
      }
      throw reason;
    });
    return running = mine;
  }

  async function start(): Promise<Running> {
    if (!limit.take()) throw new StartFailure(tooOften(settings.name, maxStarts));
    const life = lives, transport = await parts.open();
    if (life === lives) current = transport;
    const ownLog = log = serverLog(transport.hide);
    const begin = async (): Promise<Running> => {
      if (life !== lives) throw new McpFailure("gone", "was stopped");
      const session = openSession(transport, parts.version, {
        listChanged: () => isStale = true,
        logged: ownLog.add,
        closed: () => forget(transport),
      });
      const greeting = await greet(session, {});
      const one = { session, transport, greeting };
      await takeList(one);
      return one;
    };
    try {
      const one = await withinStart(begin());
      if (current !== transport) throw new McpFailure("gone", "ended");
      isUp = hasRun = true;
      hasFailed = false;
      error = undefined;
      return one;
    } catch (reason) {
      if (current === transport) current = undefined;
      await transport.close();
      throw new StartFailure(startProblem(settings.name, reason, transport.words.errors));
    } finally {
      words = transport.words;
    }
  }

  function forget(transport: Transport): void {
    words = transport.words;
    if (current !== transport) return;
    // a start that is going on fails by itself
    if (isUp) running = undefined;
    current = undefined;
    isUp = false;
  }

  async function takeList({ session, greeting }: Pick<Running, "session" | "greeting">) {
    isStale = false;
    const list = greeting.hasTools
      ? await fetchTools(session, {}, settings.reach.kind === "http")
      : { tools: [], warnings: [] };
    const { revision, server, instructions } = greeting;
    known = { ...list, revision, server, instructions };
    parts.listed(known);
  }

  /** A session that the server has forgotten is begun anew; its list may be another one by now. */
  function renewed(one: Running): Promise<void> {
    return again ??= (async () => {
      const greeting = await greet(one.session, {});
      await takeList({ ...one, greeting });
    })().finally(() => again = undefined);
  }

  async function end(): Promise<void> {
    const transport = current;
    lives++;
    running = current = undefined;
    isUp = false;
    await transport?.close();
  }

  /** The list as it is now, with a new session where the server has forgotten the old one. */
  async function listAgain(one: Running): Promise<void> {
    try {
      await withinStart(
        takeList(one).catch((reason) => {
          if (!(reason instanceof McpFailure) || reason.kind !== "session gone") throw reason;
          return renewed(one);
        }),
      );
    } catch (reason) {
      throw new StartFailure(`mcp server ${settings.name}: it ${messageOf(reason)}.`);
    }
  }

  function assertOffered(tool: ServerTool): void {
    const now = known?.tools.find(({ name }) => name === tool.name);
    if (now === undefined) throw new ToolChanged("gone");
    if (now.digest !== tool.digest) throw new ToolChanged("changed");
  }

  function withinStart<T>(work: Promise<T>): Promise<T> {
    const { name, startupTimeoutSeconds: seconds } = settings;
    const key = `mcp.servers.${name}.startup_timeout_seconds`;
    return within(
      seconds * 1000,
      work,
      () => new McpFailure("time-out", `no answer within ${seconds} s; ${key} sets the limit`),
    );
  }

  const ask = (one: Running, tool: ServerTool, input: JsonObject, options: CallOptions) =>
    askTool(one.session, tool, input, callMs, options);

  return {
    settings,
    get known() {
      return known;
    },
    get state() {
      if (isUp) return "running";
      if (running !== undefined) return "starting";
      if (hasFailed) return "failed";
      if (hasRun) return "ended";
      return known === undefined ? "waiting" : "remembered";
    },
    get error() {
      return error;
    },
    get words() {
      return { ...current?.words ?? words, log: log?.text ?? "" };
    },
    async countOthers(signal) {
      if (!isUp || running === undefined) return "";
      const { session, greeting } = await running;
      return await countOthers(session, greeting, signal);
    },
    async list() {
      const isNeeded = settings.required ? !hasRun : known === undefined && !hasFailed;
      if (isNeeded) await up();
      if (!isStale || running === undefined) return;
      await listAgain(await running).catch(({ message }: Error) => error = message);
    },
    async refresh() {
      if (running === undefined) return void await up();
      await listAgain(await running);
    },
    async call(tool, input, options) {
      const one = await unlessAborted(up(), options.signal);
      assertOffered(tool);
      try {
        const answer = await ask(one, tool, input, options).catch(async (reason) => {
          if (!(reason instanceof McpFailure) || reason.kind !== "session gone") throw reason;
          // refused before it was looked at: asking again does nothing twice
          await withinStart(renewed(one));
          assertOffered(tool);
          return await ask(one, tool, input, options);
        });
        silentCalls = 0;
        return answer;
      } catch (reason) {
        // a session that is lost twice is no session: the next call begins with a new start
        if (reason instanceof McpFailure && reason.kind === "session gone") await end();
        const isLate = reason instanceof McpFailure && reason.kind === "time-out";
        silentCalls = isLate ? silentCalls + 1 : 0;
        if (silentCalls >= maxSilentCalls) {
          silentCalls = 0;
          await end();
        }
        throw reason;
      }
    },
    stop() {
      limit.reset();
      [hasFailed, error] = [false, undefined];
      return end();
    },
  };
}
