/** The ground for tests with MCP servers: a fake model, fake servers, and the program between them. */
import assert from "node:assert/strict";
import { callAnswer, type Scripted, startFakeProvider, textAnswer } from "./fake_provider.ts";
import {
  programEnv,
  type RunningProgram,
  runProgram,
  startProgram,
  withScratch,
} from "./program.ts";
import { only, type Record as EventRecord } from "./records.ts";
import { checkedRecords } from "./records.ts";
import { fromFileUrl } from "./streams.ts";
import { isAlive, until } from "./until.ts";

const fakeServer = fromFileUrl(new URL("../mcp/fake_server.mjs", import.meta.url));

export type Settings = { [key: string]: unknown };

export interface McpGround {
  readonly workspace: string;
  readonly home: string;
  readonly root: string;
  /** The settings of a fake server, which writes what it is asked to the log. */
  fake(scenarios?: string, more?: Settings): Settings;
  /** Writes the person's config.json with these servers. */
  servers(servers: Settings, more?: Settings): Promise<void>;
  /** The lines that fake servers have written to their log. */
  notes(): string[];
  /** Runs a prompt; the model answers with the calls of `steps`, one step each, then with `done`. */
  run(steps: Step[], args?: string[], env?: Record<string, string>): Promise<McpRun>;
  /** The same, without waiting for its end. */
  start(steps: Step[], args?: string[]): Promise<RunningProgram>;
  /** Calls one tool without a model. */
  call(name: string, input?: Settings, args?: string[]): Promise<CallEnd>;
  /** Runs the program with other arguments. */
  program(args: string[], env?: Record<string, string>): ReturnType<typeof runProgram>;
  /** Numbers of the processes that fake servers were, and have started. */
  pids(): number[];
  /** Fails where one of those lives for long. */
  assertNothingLeft(): Promise<void>;
}

export type Step = readonly [name: string, input?: Settings];

export interface McpRun {
  readonly code: number;
  readonly records: readonly EventRecord[];
  readonly stderr: string;
  /** The outputs of the calls. */
  readonly outputs: readonly string[];
  readonly diagnostics: readonly string[];
  /** The names of the MCP tools in each request. */
  readonly offered: readonly string[][];
  readonly requests: readonly ModelRequest[];
}

export interface ModelRequest {
  readonly tools?: readonly {
    readonly function: {
      readonly name: string;
      readonly description: string;
      readonly parameters: Settings;
    };
  }[];
  readonly messages: readonly { readonly role: string; readonly content: unknown }[];
}

export interface CallEnd {
  readonly code: number;
  readonly output: string;
  readonly isError: boolean;
  readonly stderr: string;
  readonly images: readonly string[] | undefined;
}

export async function withMcp(use: (ground: McpGround) => Promise<void>): Promise<void> {
  await withScratch(async ({ root, workspace, home }) => {
    const log = `${root}/log`;
    const provider = startFakeProvider();
    const model = ["--provider", "openai-compatible", "--model", "m1"];
    const denoDir = programEnv(home).DENO_DIR;
    const script = (steps: Step[]) => {
      const answers: Scripted[] = steps.map(([name, input = {}]) =>
        callAnswer("chat", [{ name, input: input as never }])
      );
      provider.add(...answers, textAnswer("chat", "done"));
    };
    await Deno.mkdir(`${home}/.nimlet`);
    const notes = () => {
      try {
        return Deno.readTextFileSync(log).trim().split("\n");
      } catch {
        return [];
      }
    };
    const ground: McpGround = {
      workspace,
      home,
      root,
      fake: (scenarios = "", more = {}) => ({
        command: [Deno.execPath(), "run", "--quiet", "-A", fakeServer, scenarios],
        ...more,
        env: {
          FAKE_LOG: log,
          NO_COLOR: "1",
          ...denoDir === undefined ? {} : { DENO_DIR: denoDir },
          ...more.env as Settings | undefined,
        },
      }),
      async servers(servers, more = {}) {
        const providers = { "openai-compatible": { endpoint: provider.url } };
        const config = { providers, mcp: { servers }, ...more };
        await Deno.writeTextFile(`${home}/.nimlet/config.json`, JSON.stringify(config));
      },
      notes,
      async run(steps, args = [], env = {}) {
        script(steps);
        const before = provider.requests.length;
        const { code, stdout, stderr } = await runProgram(
          [...model, "--mode", "json", ...args, "go"],
          { cwd: workspace, env },
        );
        const records = checkedRecords(stdout);
        const requests = provider.requests.slice(before).map(({ body }) =>
          body as unknown as ModelRequest
        );
        return {
          code,
          records,
          stderr,
          outputs: only(records, "tool_result").map(({ output }) => String(output)),
          diagnostics: only(records, "diagnostic").map(({ message }) => String(message)),
          requests,
          offered: requests.map(({ tools = [] }) =>
            tools.map((tool) => tool.function.name).filter((name) => name.startsWith("mcp__"))
          ),
        };
      },
      start(steps, args = []) {
        script(steps);
        return Promise.resolve(
          startProgram([...model, "--mode", "json", ...args, "go"], { cwd: workspace }),
        );
      },
      async call(name, input = {}, args = []) {
        const { code, stdout, stderr } = await runProgram(
          ["--mode", "json", ...args, "--call-tool", name, JSON.stringify(input)],
          { cwd: workspace },
        );
        assert.notEqual(stdout, "", stderr);
        const { output, is_error, images } = JSON.parse(stdout);
        return { code, output, isError: is_error, stderr, images };
      },
      program: (args, env = {}) => runProgram(args, { cwd: workspace, env }),
      pids: () =>
        notes().map((note) => Number(/^(?:started|grandchild) (\d+)$/.exec(note)?.[1]))
          .filter((pid) => pid > 0),
      async assertNothingLeft() {
        await until(() => !ground.pids().some(isAlive), "the end of all servers", 5000);
      },
    };
    try {
      await use(ground);
      await ground.assertNothingLeft();
    } finally {
      for (const pid of ground.pids()) if (isAlive(pid)) Deno.kill(pid, "SIGKILL");
      await provider.close();
    }
  });
}
