/** A process that searches again and again, and says how much memory it took, in bytes. */
import { realHost } from "../../src/host/real_host.ts";
import { createGrepTool } from "../../src/tools/grep.ts";

const [workspace = ".", ...patterns] = Deno.args;
const rounds = 60;
const grep = createGrepTool();
let peakBytes = 0;
for (let round = 0; round < rounds; round++) {
  const pattern = patterns[round % patterns.length]!;
  const parsed = await grep.input.parse({ pattern, max_matches: 5 });
  if ("problems" in parsed) throw new Error(parsed.problems.join("; "));
  await grep.run(parsed.input, {
    workspace,
    host: realHost(),
    signal: new AbortController().signal,
    childEnv: {},
    progress: () => {},
    limits: { maxOutputBytes: 100_000 },
  });
  peakBytes = Math.max(peakBytes, Deno.memoryUsage().rss);
}
console.log(peakBytes);
Deno.exit(0);
