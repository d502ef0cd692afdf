/** A workspace whose changes are noted: edit and write as a run calls them. */
import assert from "node:assert/strict";
import { type ChangeLog, createChangeLog } from "../../src/changes/change_log.ts";
import type { Json } from "../../src/core/json.ts";
import type { ToolContext } from "../../src/core/tool.ts";
import { editTool } from "../../src/tools/edit.ts";
import { writeTool } from "../../src/tools/write.ts";
import { callTool, toolContext, withWorkspace } from "../support/tool_context.ts";

export interface NotedWorkspace {
  readonly log: ChangeLog;
  readonly bounds: ToolContext;
  edit(path: string, old_text: string, new_text: string): Promise<void>;
  write(path: string, content: string): Promise<void>;
  /** Another program writes. */
  put(path: string, content: string | Uint8Array): void;
  text(path: string): string;
}

export function withNotedChanges(use: (place: NotedWorkspace) => Promise<void>): Promise<void> {
  return withWorkspace(async (workspace) => {
    const log = createChangeLog();
    const bounds = { ...toolContext(workspace), fileChanged: log.add };
    const call = async (tool: typeof editTool | typeof writeTool, input: Json) => {
      const { isError, text } = await callTool(tool as typeof editTool, input, bounds);
      assert.ok(!isError, text);
    };
    await use({
      log,
      bounds,
      edit: (path, old_text, new_text) => call(editTool, { path, old_text, new_text }),
      write: (path, content) => call(writeTool, { path, content, overwrite: true }),
      put(path, content) {
        const bytes = typeof content === "string" ? new TextEncoder().encode(content) : content;
        Deno.writeFileSync(`${workspace}/${path}`, bytes);
      },
      text: (path) => Deno.readTextFileSync(`${workspace}/${path}`),
    });
  });
}
