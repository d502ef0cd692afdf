/** The conformance suite of the Model Context Protocol, with the program as the client. */
import assert from "node:assert/strict";
import { createServer } from "node:http";
import { fromFileUrl } from "../support/streams.ts";
import { type Need, testWhere } from "../support/test_where.ts";

const suite = "npm:@modelcontextprotocol/conformance@0.1.16";
const client = fromFileUrl(new URL("../conformance/mcp_client.ts", import.meta.url));

/** The runtime keeps the package in its cache, from npm at first. */
const cached: Need = {
  met: new Deno.Command(Deno.execPath(), {
    args: ["cache", "--quiet", suite],
    stdout: "null",
    stderr: "null",
  }).outputSync().success,
  reason: `needs ${suite}, which could not be fetched`,
};

/** Older ones do not say at once which port they were given, which one scenario of the suite needs. */
const port: Need = {
  met: knowsPort(),
  reason: "needs a runtime that knows its port at once",
};

function knowsPort(): boolean {
  const server = createServer().listen(0), address = server.address();
  server.close();
  return typeof address === "object" && address !== null && address.port > 0;
}

for (
  const [scenario, checks] of [["initialize", 1], ["tools_call", 1], ["sse-retry", 3]] as const
) {
  testWhere(
    scenario === "tools_call" ? [cached, port] : cached,
    `conformance: ${scenario}`,
    async () => {
      const folder = await Deno.makeTempDir({ prefix: "nimlet-conformance-" });
      try {
        const { code, stdout, stderr } = await new Deno.Command(Deno.execPath(), {
          args: [
            ...["run", "--quiet", "-A", suite, "client", "--scenario", scenario],
            ...["--command", `${Deno.execPath()} run --quiet --no-check -A ${client}`],
          ],
          cwd: folder,
          stdin: "null",
        }).output();
        const text = new TextDecoder().decode(stdout) + new TextDecoder().decode(stderr);
        assert.equal(code, 0, text);
        assert.ok(text.includes(`Passed: ${checks}/${checks}, 0 failed`), text);
      } finally {
        await Deno.remove(folder, { recursive: true });
      }
    },
  );
}
