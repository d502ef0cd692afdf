#!/usr/bin/env python3
"""PreToolUse, matcher "Edit|MultiEdit|Write": some files are for people alone."""
import json
import os
import sys

PROTECTED = (".env", "package-lock.json", "deno.lock", ".git/")

data = json.load(sys.stdin)
path = data.get("tool_input", {}).get("file_path", "")
inside = os.path.relpath(path, os.environ.get("CLAUDE_PROJECT_DIR", data["cwd"]))

for name in PROTECTED:
    hit = inside.startswith(name) if name.endswith("/") else os.path.basename(inside) == name
    if hit:
        print(f"{inside} is protected; say what should change instead", file=sys.stderr)
        sys.exit(2)
