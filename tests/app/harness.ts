/** A conversation on scripted models, in a workspace and a home of its own. */
import { mcpOwner } from "../../src/app/mcp.ts";
import { createConversation } from "../../src/app/session/conversation.ts";
import {
  type ConversationEnvironment,
  type EnvironmentOptions,
  loadEnvironment,
} from "../../src/app/session/conversation_environment.ts";
import { createEventStream } from "../../src/app/session/event_stream.ts";
import { chooseSession } from "../../src/app/session/open_session.ts";
import type { OwnedConversation } from "../../src/app/session/owned_conversation.ts";
import type { RunOptions } from "../../src/app/run_options.ts";
import type { AgentEvent, EventIds } from "../../src/core/event.ts";
import { RunFailure } from "../../src/core/failure.ts";
import type { OutputSchema } from "../../src/core/output_schema.ts";
import type { PermissionQuestion } from "../../src/core/permission.ts";
import type { Person } from "../../src/core/person.ts";
import { realHost } from "../../src/host/real_host.ts";
import type { OpenedSession } from "../../src/session/session.ts";
import { withScratch } from "../support/program.ts";
import { type Script, type ScriptedModel, scriptedModel } from "../support/scripted_model.ts";

export interface Place {
  readonly workspace: string;
  readonly home: string;
  readonly events: (AgentEvent & { readonly ids: EventIds })[];
  /** Those that a person was asked, who allows them for the session. */
  readonly questions: PermissionQuestion[];
  readonly models: ScriptedModel[];
  readonly conversation: OwnedConversation;
  load(changes?: Partial<RunOptions>): Promise<ConversationEnvironment>;
  session(ref?: string): Promise<OpenedSession>;
  prompt(text: string): ReturnType<OwnedConversation["prompt"]>;
}

export interface Start {
  /** The scripts of the models, in the order in which they are made. */
  readonly scripts?: Script[];
  readonly runOptions?: Partial<RunOptions>;
  readonly outputSchema?: OutputSchema;
  prepare?(place: { workspace: string; home: string }): Promise<void>;
}

export function withConversation(
  { scripts = [], runOptions = {}, outputSchema, prepare }: Start,
  use: (place: Place) => Promise<void>,
): Promise<void> {
  return withScratch(async ({ workspace, home }) => {
    await prepare?.({ workspace, home });
    const real = realHost();
    const variables: Record<string, string> = { HOME: home, PATH: Deno.env.get("PATH") ?? "" };
    const env = { get: (name: string) => variables[name], all: () => ({ ...variables }) };
    // no timer outlives a test
    const clock = { ...real.clock, delay: () => Promise.resolve() };
    const host = { ...real, clock, env: { ...env, home, cwd: workspace } };
    const events: Place["events"] = [], questions: PermissionQuestion[] = [];
    const models: ScriptedModel[] = [];
    const signal = new AbortController().signal;
    const options: RunOptions = {
      noExtensions: false,
      plan: false,
      yolo: false,
      strict: false,
      noSession: false,
      resume: false,
      ...runOptions,
    };
    const person: Person = {
      askPermission: (question) => {
        questions.push(question);
        return Promise.resolve("session");
      },
      askTrust: undefined,
    };
    const stream = createEventStream((event, ids) =>
      Promise.resolve(void events.push({ ...event, ids }))
    );
    const load = (changes: Partial<RunOptions> = {}) => {
      const given: EnvironmentOptions = {
        front: "console",
        notify: stream.notify,
        runOptions: { ...options, ...changes },
        host,
        person,
        mcp: mcpOwner(host),
      };
      return loadEnvironment(given, signal);
    };
    const make = ({ provider = "script", model = "m" }: { provider?: string; model?: string }) => {
      if (model === "missing") throw new RunFailure("config", "there is no such model");
      models.push(scriptedModel(scripts[models.length] ?? [], model, provider));
      return Promise.resolve(models.at(-1)!);
    };
    const environment = await load();
    const session = (ref?: string) => {
      const wanted = {
        noSession: false,
        resume: false,
        ...ref === undefined ? {} : { session: ref },
      };
      return chooseSession(wanted, environment, stream.notify);
    };
    const conversation = createConversation({
      front: "print",
      events: stream,
      person,
      models: {
        choose: () => {
          throw new Error("not asked for here");
        },
        make: async (wanted) => await make(wanted),
        close: () => Promise.resolve(),
      },
      outputSchema,
      environment,
      session: await chooseSession(options, environment, stream.notify),
      model: await make(options),
      source: "typed",
      runOptions: options,
    });
    try {
      await use({
        workspace,
        home,
        events,
        questions,
        models,
        conversation,
        load,
        session,
        prompt: (text) => conversation.prompt(text, signal),
      });
    } finally {
      await conversation.current().session.settle();
      conversation.current().session.close();
    }
  });
}
