/** What commands the README and the docs show, and which of them a test cannot run. */
import { fileURLToPath } from "node:url";

export const root = fileURLToPath(new URL("../..", import.meta.url));

export interface Block {
  /** As `docs/tools.md:39`. */
  readonly place: string;
  readonly lines: readonly string[];
}

/** Pages whose commands another test runs and looks at more closely. */
const testedElsewhere = ["docs/scripting.md"];

/** Every `sh` block that is not the text of a script. */
export function shownBlocks(): Block[] {
  return pages().filter((page) => !testedElsewhere.includes(page)).flatMap((page) => {
    const lines = Deno.readTextFileSync(root + page).split("\n");
    const blocks: Block[] = [];
    for (let at = 0; at < lines.length; at++) {
      if (!/^```(sh|bash|shell|console)$/.test(lines[at]!)) continue;
      const end = lines.indexOf("```", at);
      const block = { place: `${page}:${at + 1}`, lines: lines.slice(at + 1, end) };
      if (!block.lines[0]!.startsWith("#!")) blocks.push(block);
      at = end;
    }
    return blocks;
  });
}

export function pages(): string[] {
  const docs = [...Deno.readDirSync(`${root}docs`)].map(({ name }) => name)
    .filter((name) => name.endsWith(".md")).sort();
  return ["README.md", ...docs.map((name) => `docs/${name}`)];
}

/** Lines that no test runs as they are, with the reason, and what is run in their place. */
export const notRun: readonly {
  readonly line: RegExp;
  readonly reason: string;
  readonly instead?: string;
}[] = [
  {
    line: /^npx -y deno@\S+ task demo\b/,
    reason: "would download deno; the deno that runs the tests does the same task",
    instead: '(cd "$NIMLET_ROOT" && deno task demo)',
  },
  {
    line: /^npx -y deno@\S+ task test\b/,
    reason: "is what runs this test",
  },
  {
    line: /^nimlet --endpoint https:/,
    reason: "asks a server that is not there",
    instead: 'nimlet --provider openai-compatible --model NAME "hello"',
  },
  {
    line: /^npx -y deno@\S+ task (compile|release)\b/,
    reason: "embeds a runtime that must be downloaded; a stand-in for the binary is made",
    instead: "mkdir -p dist && printf '#!/bin/sh\\necho nimlet 0\\n' > dist/nimlet && " +
      "chmod +x dist/nimlet && mkdir -p ~/.local/bin",
  },
  {
    line: /^cd dist\/release\/npm$/,
    reason: "is made by a release; another test packs and installs such packages",
    instead: "exit 0",
  },
  {
    line: /^scripts\/install\.sh\b/,
    reason: "installs the stand-in for the binary",
    instead: '"$NIMLET_ROOT"/scripts/install.sh dist/nimlet',
  },
  {
    line: /^mkdir -p \S+ && ln -sf "\$PWD\/scripts\/nimlet"/,
    reason: "is meant for the clone; a link from elsewhere must do as well",
    instead:
      'mkdir -p ~/.local/bin && ln -s "$NIMLET_ROOT/scripts/nimlet" ~/.local/bin/nimlet && ' +
      "~/.local/bin/nimlet --version",
  },
  {
    line: /^ollama pull\b/,
    reason: "downloads a model; a server on loopback answers in its place",
  },
];
