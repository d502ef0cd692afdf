#!/usr/bin/env bash
# Runs nimlet on the prompt of a job's step, and hands the answer to the summary and to further steps.
# The prompt goes in by stdin: it is no part of any shell's text, nor of the command line.
set -uo pipefail

flags=()
if [ -n "${INPUT_FLAGS//[[:space:]]/}" ]; then
  # xargs takes quotes away, and expands nothing
  words=$(mktemp "$RUNNER_TEMP/nimlet-flags.XXXXXX")
  if ! xargs printf '%s\0' <<<"$INPUT_FLAGS" >"$words"; then
    echo "nimlet: the input flags has a quote without its end: $INPUT_FLAGS" >&2
    exit 2
  fi
  while IFS= read -r -d '' word; do flags+=("$word"); done <"$words"
  rm -f "$words"
fi

if [ -n "$INPUT_OUTPUT" ]; then
  case "$INPUT_OUTPUT" in
    /*) answer=$INPUT_OUTPUT ;;
    *) answer=$GITHUB_WORKSPACE/$INPUT_OUTPUT ;;
  esac
else
  answer=$(mktemp "$RUNNER_TEMP/nimlet-answer.XXXXXX")
fi
result=$(mktemp "$RUNNER_TEMP/nimlet-result.XXXXXX")
[ -z "$INPUT_SCHEMA" ] || flags+=(--output-schema "$INPUT_SCHEMA")

status=0
printf '%s' "$INPUT_PROMPT" |
  nimlet --mode result -v --output "$answer" ${flags[@]+"${flags[@]}"} >"$result" || status=$?

# A text of any number of lines needs an end that it cannot hold.
end="end-$(od -An -N16 -tx1 /dev/urandom | tr -d ' \n')"
{
  echo "exit-code=$status"
  echo "result-file=$result"
  echo "answer-file=$answer"
  echo "answer<<$end"
  if [ "$status" -eq 0 ]; then cat "$answer"; fi
  echo "$end"
} >>"$GITHUB_OUTPUT"

# A summary may have 1 MiB.
if [ "$status" -eq 0 ]; then
  head -c 1000000 "$answer" >>"$GITHUB_STEP_SUMMARY"
else
  echo "nimlet ended with exit status $status; the log of the step says why." >>"$GITHUB_STEP_SUMMARY"
fi
exit "$status"
