import assert from "node:assert/strict";
import { isExcluded } from "../../src/lib/no_proxy.ts";

Deno.test("NO_PROXY excludes names with all below them, addresses and networks", () => {
  const cases: [host: string, list: string, excluded: boolean][] = [
    ["127.0.0.1", "*", true],
    ["example.com", "*", true],
    ["[::1]", "*", true],
    ["example.com", "", false],
    ["example.com", "other.org, example.com", true],
    ["api.example.com", "example.com", true],
    ["api.example.com", ".example.com", true],
    ["example.com", ".example.com", true],
    ["notexample.com", "example.com", false],
    ["EXAMPLE.com.", "example.COM", true],
    ["127.0.0.1", "localhost 127.0.0.1", true],
    ["10.1.2.3", "10.0.0.0/8", true],
    ["11.1.2.3", "10.0.0.0/8", false],
    ["10.1.2.3", "10.1.2.2/31", true],
    ["1.10.1.2", "10.1.2", false],
    ["[::1]", "::1", true],
    ["[::1]", "[::1]", true],
    ["[fd00::1:2]", "fd00::/8", true],
    ["[fe80::1]", "fd00::/8", false],
    ["10.1.2.3", "10.0.0.0/99", false],
    ["10.1.2.3", "fd00::/8", false],
  ];
  for (const [host, list, excluded] of cases) {
    assert.equal(isExcluded(host, list), excluded, `${host} in ${list}`);
  }
});
