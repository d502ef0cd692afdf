import assert from "node:assert/strict";
import { keyVariables } from "../../src/core/child_environment.ts";
import { settingTable } from "../../src/config/settings.ts";
import { findProvider, providers } from "../../src/providers/catalog.ts";
import { parseEndpoint, shownEndpoint } from "../../src/providers/http/endpoint.ts";

Deno.test("every provider has a name of its own and, but for one, an address", () => {
  const names = providers.map((provider) => provider.name);
  assert.equal(new Set(names).size, names.length);
  assert.equal(findProvider(settingTable.default_provider.default)?.name, "openrouter");
  for (const { name, endpoint } of providers) {
    if (name === "openai-compatible" || name === "replay") assert.equal(endpoint, undefined);
    else assert.equal(parseEndpoint(endpoint!)?.base, endpoint);
  }
});

Deno.test("children are kept from every variable that may hold a key", () => {
  for (const name of providers.flatMap((provider) => provider.keyVariables)) {
    assert.ok((keyVariables as readonly string[]).includes(name));
  }
});

Deno.test("an address is shown without what may be secret", () => {
  assert.equal(shownEndpoint("https://kim:pw@h.example/v1/?key=k#f"), "https://h.example/v1");
  assert.equal(shownEndpoint("no address"), "an address that is not a URL");
  assert.deepEqual(parseEndpoint("https://kim:p%40@h.example/v1/?key=k"), {
    base: "https://h.example/v1",
    query: "?key=k",
    authorization: `Basic ${btoa("kim:p@")}`,
  });
  for (const wrong of ["", "ftp://h/x", "localhost:1234", "h.example/v1"]) {
    assert.equal(parseEndpoint(wrong), undefined);
  }
});
