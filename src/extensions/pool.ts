/** All extensions of a run: their tools, commands, state, and their part in the run. */
import type { ExtensionFacts } from "../core/extension_facts.ts";
import type { Clock } from "../core/host.ts";
import { RunFailure } from "../core/failure.ts";
import type { Participant, SessionStart } from "../core/moments.ts";
import type { AnyTool } from "../core/tool.ts";
import { version } from "../lib/version.ts";
import {
  type CommandAnswer,
  commandContext,
  commandOwners,
  type ExtensionCommand,
  runCommand,
} from "./command.ts";
import type { ConversationSide } from "./conversation_side.ts";
import type { FoundExtension } from "./discover.ts";
import { type EffectTaker, effectTaker } from "./effects.ts";
import { createExtension } from "./extension.ts";
import type { Extension } from "./extension_port.ts";
import { extensionTool, type ReadContent } from "./extension_tool.ts";
import type { Launcher } from "./launch.ts";
import { eventAsker, type ParticipantOptions } from "./event_asker.ts";
import { participantOf } from "./participant.ts";
import { sessionPayload } from "./payloads.ts";
import type { Registration, ShutdownReason } from "./protocol.ts";
import { checkMatcher, eventName, guardProblem } from "./registration.ts";
import { mergedTools } from "./tool_names.ts";

/** All together have so long for the end of a session. */
const endMs = 1000;

export interface PoolOptions {
  readonly found: readonly FoundExtension[];
  readonly launch: Launcher;
  readonly clock: Clock;
  readonly workspace: string;
  readonly readContent: ReadContent;
  readonly matchesTool: ParticipantOptions["matchesTool"];
  /** What else a command's name stands for, which wins. */
  commandOwner(name: string): Promise<string | undefined>;
}

export interface ExtensionPool {
  /** In their order. */
  readonly found: readonly FoundExtension[];
  readonly participants: readonly Participant[];
  /** Starts the processes, without a word to them. */
  start(): void;
  /** From here on they belong to the conversation, and are told of it. */
  attach(side: ConversationSide): void;
  /** A session goes on with other extensions: they are told of its beginning as of a reload. */
  beginAgain(): void;
  /**
   * Resolves when each has registered, failed, or had its time. Throws `RunFailure("config")` for a guard
   * that cannot guard, and the reason of the signal.
   */
  ready(signal: AbortSignal): Promise<void>;
  /** `others` and their tools; of two with one name the extension's. */
  tools(others: readonly AnyTool[]): readonly AnyTool[];
  commands(): readonly ExtensionCommand[];
  /** Rejects with an `Error` whose message is one sentence, or the reason of the signal. */
  runCommand(name: string, args: string, signal: AbortSignal): Promise<CommandAnswer>;
  states(): readonly ExtensionFacts[];
  /** Resolves when what they have kept is written. */
  settled(): Promise<void>;
  /** Ends all; `attach` or `start` begins anew. */
  close(reason: ShutdownReason): Promise<void>;
}

interface Member {
  readonly extension: Extension;
  readonly effects: EffectTaker;
  readonly participant: Participant;
  tools: readonly AnyTool[];
  /** Why it is to be told of the session once it has registered. */
  sessionReason?: SessionStart["source"] | "reload" | undefined;
  hasWarned: boolean;
}

export function extensionPool(options: PoolOptions): ExtensionPool {
  const { clock, readContent } = options;
  let side: ConversationSide | undefined;
  /** What nobody could be told of yet. */
  let held: string[] = [];
  let endLimit: AbortSignal | undefined;
  const told = new Set<string>();
  const warn = (sentence: string) => {
    if (side === undefined) held.push(sentence);
    else side.notify("warning", sentence);
  };
  const warnOnce = (sentence: string) => {
    if (told.has(sentence)) return;
    told.add(sentence);
    warn(sentence);
  };

  function memberOf(found: FoundExtension): Member {
    const effects = effectTaker(found.name, () => side, clock.monotonic);
    const extension = createExtension({
      found,
      launch: options.launch,
      clock,
      initialize: () => ({
        type: "initialize",
        version: 1,
        workspace: options.workspace,
        session_id: side?.now().sessionId ?? null,
        mode: side?.now().mode ?? "act",
        front: side?.front ?? "print",
        nimlet: version,
      }),
      callContext(toolId) {
        const place = side?.now();
        return {
          session_id: place?.sessionId ?? null,
          run_id: place?.runId ?? null,
          tool_id: toolId ?? null,
          mode: place?.mode ?? "act",
        };
      },
      events: {
        effects: (given) => effects.take(given),
        hostRequest(request) {
          if (side === undefined) throw new Error("there is no session here");
          return side.answer(request);
        },
      },
      answered: (response, to) =>
        effects.take(response, to.type === "event" && to.event === "turn_end"),
      warn,
      onRegistered: (registration, isFirst) => registered(member, registration, isFirst),
    });
    const participantOptions: ParticipantOptions = {
      matchesTool: options.matchesTool,
      warn(one, sentence) {
        if (member.hasWarned) return;
        member.hasWarned = true;
        warn(`${one.found.title} ${sentence}`);
      },
      entries: (name) => side?.entries(name) ?? [],
      sayLater: (_, reason) => void (member.sessionReason = reason),
      endLimit: () => endLimit ??= AbortSignal.timeout(endMs),
    };
    const asker = eventAsker(extension, participantOptions);
    const participant = participantOf(extension, asker, participantOptions);
    const member: Member = { extension, effects, participant, tools: [], hasWarned: false };
    return member;
  }

  async function registered(
    member: Member,
    registration: Registration,
    isFirst: boolean,
  ): Promise<void> {
    const { extension } = member, { found } = extension;
    const tools: AnyTool[] = [];
    for (const given of registration.tools ?? []) {
      const tool = await extensionTool(extension, given, readContent);
      if (!("problem" in tool)) tools.push(tool);
      else warnOnce(`${found.title}: the tool ${given.name} is skipped: ${tool.problem}`);
    }
    member.tools = tools;
    for (const event of registration.events ?? []) checkMatcher(event);
    for (const { name } of registration.commands ?? []) {
      const owner = await options.commandOwner(name);
      if (owner !== undefined) warnOnce(`/${name} of ${found.title} is not used: it is ${owner}`);
    }
    // a process that comes later has missed how the session began
    const reason = member.sessionReason ?? (isFirst ? undefined : "resume");
    member.sessionReason = undefined;
    const wantsStart = registration.events?.some((event) => eventName(event) === "session_start");
    if (reason === undefined || !wantsStart || side === undefined) return;
    const payload = sessionPayload(
      side.now().sessionId ?? "",
      reason,
      side.entries(found.name),
    );
    // it is not waited for: the process is not known as ready before this returns
    queueMicrotask(() => extension.tell({ type: "event", event: "session_start", payload }));
  }

  const members = options.found.map(memberOf);
  const owners = () => commandOwners(members.map(({ extension }) => extension), warnOnce);

  return {
    found: options.found,
    participants: members.map(({ participant }) => participant),
    start: () => members.forEach(({ extension }) => extension.start()),
    attach(given) {
      side = given;
      endLimit = undefined;
      for (const sentence of held) warn(sentence);
      held = [];
      members.forEach(({ extension }) => extension.begin());
    },
    beginAgain: () => members.forEach((member) => void (member.sessionReason = "reload")),
    async ready(signal) {
      await Promise.all(members.map(({ extension }) => extension.ready(signal)));
      const problem = members.map(({ extension }) => guardProblem(extension)).find((one) =>
        one !== undefined
      );
      if (problem !== undefined) throw new RunFailure("config", problem);
    },
    tools: (others) => mergedTools(others, members.map(({ tools }) => tools), warnOnce),
    commands: () => Array.from(owners().values(), ({ command }) => command),
    runCommand: (name, args, signal) =>
      runCommand(owners().get(name)!, args, commandContext(options.workspace, side!.now()), signal),
    states: () =>
      members.map(({ extension, effects, tools }) => ({
        name: extension.found.name,
        state: extension.state,
        tools: tools.length,
        commands: (extension.registration?.commands ?? []).map(({ name }) => name),
        events: (extension.registration?.events ?? []).map(eventName),
        status: effects.statuses(),
        ...extension.registeredMs === undefined ? {} : { registeredMs: extension.registeredMs },
        ...extension.error === undefined ? {} : { error: extension.error.split("\n")[0]! },
      })),
    settled: async () => {
      await Promise.all(members.map(({ effects }) => effects.settled()));
    },
    async close(reason) {
      await Promise.all(members.map(({ extension }) => extension.close(reason)));
      for (const member of members) {
        await member.effects.settled();
        member.effects.clear();
        member.tools = [];
        member.hasWarned = false;
      }
      side = undefined;
    },
  };
}
