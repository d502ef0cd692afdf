#!/usr/bin/env bash
# Puts nimlet on the PATH of a job's further steps: the one that is there, a release, or one compiled
# from the sources of the action.
set -euo pipefail

if command -v nimlet >/dev/null; then
  nimlet --version
  exit 0
fi

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../../.." && pwd)
export NIMLET_INSTALL_DIR="$RUNNER_TEMP/nimlet/bin"
if [ -n "${NIMLET_DOWNLOADS:-}" ]; then
  if [ -z "${NIMLET_VERSION:-}" ]; then
    echo "nimlet: expected the input version beside downloads, found none" >&2
    exit 2
  fi
  curl -fsSL "${NIMLET_DOWNLOADS%/}/v$NIMLET_VERSION/get.sh" -o "$RUNNER_TEMP/get.sh"
  sh "$RUNNER_TEMP/get.sh"
else
  (cd "$root" && npx -y deno@2.6.8 task compile)
  "$root/scripts/install.sh"
fi
echo "$NIMLET_INSTALL_DIR" >>"$GITHUB_PATH"
