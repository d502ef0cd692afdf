import assert from "node:assert/strict";
import { redact } from "../../src/providers/http/redact.ts";

const key = "sk-Secret/key+with&odd=characters-0123456789";
const bytes = new TextEncoder().encode(key);
const base64 = (prefix: string) =>
  btoa(String.fromCharCode(...new TextEncoder().encode(prefix), ...bytes));

Deno.test("a key is hidden in every form that a server may send back", () => {
  const hex = [...bytes].map((byte) => byte.toString(16).padStart(2, "0"));
  for (
    const shown of [
      key,
      key.toLowerCase(),
      key.toUpperCase(),
      encodeURIComponent(key),
      encodeURIComponent(key).toLowerCase(),
      `%${hex.join("%")}`,
      JSON.stringify(key).slice(1, -1),
      key.replaceAll("&", "&#38;"),
      key.replaceAll("&", "&amp;"),
      hex.join(""),
      hex.join("").toUpperCase(),
      base64(""),
      base64("Bearer "),
      base64("user:"),
      base64("x"),
      base64("").replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, ""),
      key.slice(0, 20),
    ]
  ) {
    const clean = redact(`before ${shown} after`, [key]);
    assert.match(clean, /^before .*\*\*\*.* after$/);
    // what base64 leaves at the edges are bits of its neighbours
    assert.ok(clean.length < "before *** after".length + 14, `${shown} became ${clean}`);
  }
});

Deno.test("other words stay, and short secrets are no secrets", () => {
  assert.equal(redact("the key is wrong", [key]), "the key is wrong");
  assert.equal(redact("abc abc", ["abc"]), "abc abc");
  assert.equal(redact("user:abcd İ user:abcd", ["abcd"]), "user:*** İ user:***");
});
