/** What the tests of sessions share: a folder, options, records, the lines of a file. */
import type { Message } from "../../src/core/message.ts";
import type { SessionRecord } from "../../src/core/record.ts";
import type { SessionOptions } from "../../src/session/session.ts";

export interface SessionFolder extends SessionOptions {
  /** The notices told so far, as `warning: sentence`. */
  readonly told: string[];
  in(workspace: string): SessionFolder;
}

/** Makes a temporary folder for sessions, hands it over, and removes it. */
export async function withSessions(use: (folder: SessionFolder) => Promise<void>): Promise<void> {
  const root = await Deno.realPath(await Deno.makeTempDir({ prefix: "nimlet-sessions-" }));
  try {
    await use(folderIn(`${root}/sessions`, root));
  } finally {
    await Deno.remove(root, { recursive: true });
  }
}

export function folderIn(dir: string, workspace: string): SessionFolder {
  const told: string[] = [];
  let calls = 0;
  return {
    dir,
    workspace,
    told,
    notice: (level, sentence) => told.push(`${level}: ${sentence}`),
    host: {
      clock: {
        now: () => Date.now(),
        monotonic: () => performance.now(),
        delay: () => Promise.resolve(),
      },
      randomId: (length) => `${crypto.randomUUID().replaceAll("-", "")}${calls++}`.slice(0, length),
    },
    in: (other) => folderIn(dir, other),
  };
}

export const user = (text: string): SessionRecord => ({
  kind: "user",
  content: [{ type: "text", text }],
});

export const says = (text: string): SessionRecord => ({
  kind: "assistant",
  content: [{ type: "text", text }],
  provider: "replay",
  model: "m",
  finish: "stop",
  usage: { input_tokens: 10, output_tokens: 2 },
});

export const calls = (...ids: string[]): SessionRecord => ({
  kind: "assistant",
  content: ids.map((id) => ({ type: "tool_use", id, name: "bash", input: { command: id } })),
  provider: "replay",
  model: "m",
  finish: "tool_calls",
  usage: {},
});

export const result = (toolId: string, text = `did ${toolId}`): SessionRecord => ({
  kind: "tool_result",
  tool_id: toolId,
  tool_name: "bash",
  content: [{ type: "text", text }],
  is_error: false,
});

export const header = (workspace: string, id = "20260101-000000000-aaaaaaaa"): SessionRecord => ({
  kind: "session",
  version: 2,
  id,
  workspace,
  created: "2026-01-01T00:00:00.000Z",
});

/** A message in one line: `user: text`, `assistant: text [id]`, `result id: text`. */
export function brief(message: Message): string {
  const parts = message.content.map((part) =>
    part.type === "text" ? part.text : part.type === "tool_use" ? `[${part.id}]` : part.type
  );
  const who = message.role === "tool_result" ? `result ${message.toolId}` : message.role;
  return `${who}: ${parts.join(" ")}`;
}

/** The parsed lines of a session file; throws where one does not parse, or the last has no LF. */
export function linesOf(path: string): Record<string, unknown>[] {
  const text = Deno.readTextFileSync(path);
  if (!text.endsWith("\n")) throw new Error("the last line has no LF");
  return text.slice(0, -1).split("\n").map((line) => JSON.parse(line));
}
