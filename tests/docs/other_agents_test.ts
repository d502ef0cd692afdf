/** The check that the page for people who come from another agent names flags that there are. */
import assert from "node:assert/strict";
import { optionTable } from "../../src/cli/options.ts";
import { peerAdvice } from "../../src/cli/peer_flags.ts";
import { root } from "./shown_commands.ts";

const page = Deno.readTextFileSync(`${root}docs/coming-from-another-agent.md`);
const known = new Set<string>(
  optionTable.flatMap(({ name, short, aliases = [] }) => [
    `--${name}`,
    ...aliases.map((alias) => `--${alias}`),
    ...short === undefined ? [] : [`-${short}`],
  ]),
);

/** Rows below the headings of the agents, as what it is there and here. */
const rows = page.split(/^## /m).filter((section) =>
  /^(pi|codex|opencode|gemini-cli|Claude Code)\n/.test(section)
).flatMap((section) => [...section.matchAll(/^\| (.+?)\s+\| (.+?)\s+\|$/gm)].slice(1))
  .map(([, there, here]) => ({ there: there!, here: here! }));

function flagsIn(text: string): string[] {
  return [...text.matchAll(/`([^`]+)`/g)].flatMap(([, code]) =>
    [...code!.matchAll(/(?<![\w.*-])--?[a-zA-Z][\w-]*/g)].map(([flag]) => flag)
  );
}

Deno.test("docs: a flag to use in the place of another agent's is one of nimlet's", () => {
  assert.ok(rows.length >= 60, `${rows.length} rows`);
  for (const { here } of rows) {
    for (const flag of flagsIn(here)) assert.ok(known.has(flag), `${flag} in: ${here}`);
  }
});

Deno.test("docs: a flag of another agent is one of nimlet's too, or is answered with the one to use", () => {
  for (const { there } of rows) {
    for (const flag of flagsIn(there)) {
      assert.ok(known.has(flag) || peerAdvice(flag) !== undefined, `${flag} in: ${there}`);
    }
  }
});
