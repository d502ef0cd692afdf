#!/usr/bin/env bash
# PreToolUse, matcher "Bash": pushes are asked about, and npm is pnpm here.
command=$(jq -r '.tool_input.command')

if grep -qE '(^|[;&|] *)git push' <<<"$command"; then
  jq -n '{hookSpecificOutput: {hookEventName: "PreToolUse",
    permissionDecision: "ask", permissionDecisionReason: "it pushes"}}'
elif [[ $command == "npm "* ]]; then
  jq -n --arg command "p$command" '{hookSpecificOutput: {hookEventName: "PreToolUse",
    updatedInput: {command: $command}}}'
fi
