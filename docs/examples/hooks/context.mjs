#!/usr/bin/env node
// SessionStart and UserPromptSubmit: tells the model what it cannot know.
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";

const data = JSON.parse(readFileSync(0, "utf8"));
const notes = join(process.env.CLAUDE_PROJECT_DIR, "NOTES.md");
const parts = data.hook_event_name === "SessionStart"
  ? existsSync(notes) ? [readFileSync(notes, "utf8")] : []
  : /\bdeploy/i.test(data.prompt)
  ? ["Deployments are frozen until Monday."]
  : [];

if (parts.length > 0) {
  console.log(JSON.stringify({
    hookSpecificOutput: {
      hookEventName: data.hook_event_name,
      additionalContext: parts.join("\n"),
    },
  }));
}
