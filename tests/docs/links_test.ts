/** The check that pages of the docs lead to one another, and to what is there. */
import assert from "node:assert/strict";
import { dirname, normalize } from "node:path";
import { pages, root } from "./shown_commands.ts";

const guides = ["CONTRIBUTING.md", "SECURITY.md"];
const texts = new Map(
  [...pages(), ...guides].map((page) => [page, Deno.readTextFileSync(root + page)]),
);

/** The text without code, where links are none. */
function prose(text: string): string {
  return text.replace(/^```[^]*?^```$/gm, "").replace(
    /`[^`\n]*`/g,
    (code) => code.replaceAll("[", " "),
  );
}

/** Names of the headings, as links use them. */
function anchors(text: string): Set<string> {
  const headings = [...text.replace(/^```[^]*?^```$/gm, "").matchAll(/^#+ (.+)$/gm)];
  return new Set(
    headings.map(([, title]) =>
      title!.toLowerCase().replace(/[^\p{L}\p{N} _-]/gu, "").replaceAll(" ", "-")
    ),
  );
}

Deno.test("docs: every link leads to a file or heading that is there", () => {
  for (const [page, text] of texts) {
    for (const [, target] of prose(text).matchAll(/\]\(([^)\s]+)\)/g)) {
      if (/^https?:/.test(target!)) continue;
      const [path, anchor] = target!.split("#") as [string, string | undefined];
      const file = path === "" ? page : normalize(`${dirname(page)}/${path}`);
      assert.ok(isThere(root + file), `${page}: ${target} leads nowhere`);
      if (anchor === undefined) continue;
      const there = anchors(Deno.readTextFileSync(root + file));
      assert.ok(there.has(anchor), `${page}: ${target}: no such heading`);
    }
  }
});

Deno.test("docs: the README leads to every page", () => {
  const readme = texts.get("README.md")!;
  for (const page of texts.keys()) {
    if (page !== "README.md") assert.ok(readme.includes(`(${page}`), `${page} is not in README.md`);
  }
});

Deno.test("docs: every page starts with its title and names no file of the program that is not there", () => {
  for (const [page, text] of texts) {
    assert.match(text, /^# \S/, page);
    for (const [, path] of text.matchAll(/`((?:src|scripts|tests|docs|fixtures)\/[\w./-]+)`/g)) {
      assert.ok(isThere(root + path!), `${page}: ${path} is not there`);
    }
  }
});

function isThere(path: string): boolean {
  try {
    Deno.statSync(path);
    return true;
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return false;
    throw error;
  }
}
