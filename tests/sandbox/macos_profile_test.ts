/** The profile for macOS: its text, and what its rules say by the order in which they count. */
import assert from "node:assert/strict";
import { type MacosPolicy, macosProfile } from "../../src/host/sandbox/macos_profile.ts";

const policy: MacosPolicy = {
  mode: "workspace",
  workspace: "/Users/me/proj",
  privateHome: "/Users/me/.nimlet/sandbox/ab/home",
  privateTemp: "/private/var/folders/xx/T/nimlet-1",
  nimletHome: "/Users/me/.nimlet",
  readable: ["/Users/me/.nvm"],
  writable: ["/Users/me/out"],
  hidden: ["/Users/me/proj/.env"],
  closed: ["/Users/me/proj/.git", "/Users/me/proj/sub/mod/.git"],
  net: "off",
  loopback: false,
};

type Form = string | Form[];

/** The forms of a profile; fails where brackets or quotes do not fit. */
function read(text: string): Form[] {
  const words = text.match(/#?"(?:[^"\\]|\\.)*"|[()]|[^\s()"]+/g) ?? [];
  assert.equal(words.join("").replaceAll(/\s/g, ""), text.replaceAll(/\s/g, ""));
  const stack: Form[][] = [[]];
  for (const word of words) {
    if (word === "(") stack.push([]);
    else if (word === ")") {
      const form = stack.pop()!;
      assert.ok(stack.length > 0, "one bracket too many");
      stack.at(-1)!.push(form);
    } else stack.at(-1)!.push(word);
  }
  assert.equal(stack.length, 1, "a bracket is open");
  return stack[0]!;
}

/** Whether the last rule that fits allows `operation` at `path`. */
function allows(profile: string, operation: string, path: string): boolean {
  let allowed = false;
  for (const rule of read(profile) as Form[][]) {
    const [verdict, ...rest] = rule;
    if (verdict !== "allow" && verdict !== "deny") continue;
    const names = rest.filter((part): part is string => typeof part === "string");
    const filters = rest.filter((part): part is Form[] => typeof part !== "string");
    const isOf = names.some((name) =>
      name === "default" || name === operation ||
      name.endsWith("*") && operation.startsWith(name.slice(0, -1))
    );
    if (isOf && (filters.length === 0 || filters.some((filter) => fits(filter, path)))) {
      allowed = verdict === "allow";
    }
  }
  return allowed;
}

function fits([kind, value]: Form[], path: string): boolean {
  if (kind === "require-not") return !fits(value as Form[], path);
  const text = String(value).replace(/^#?"|"$/g, "").replaceAll(/\\(.)/g, "$1");
  switch (kind) {
    case "literal":
      return path === text;
    case "subpath":
      return path === text || path.startsWith(`${text}/`);
    case "regex":
      return new RegExp(text).test(path);
    default:
      return false;
  }
}

Deno.test("macOS: what may be read and written, by the last rule that fits", () => {
  const profile = macosProfile(policy);
  const may = (operation: string, path: string) => allows(profile, operation, path);
  const home = "/Users/me";
  for (
    const path of [
      "/usr/bin/git",
      `${home}/proj/a`,
      `${home}/proj/.git/config`,
      `${home}/.nvm/x`,
      `${policy.privateHome}/x`,
      `${policy.privateTemp}/x`,
      `${home}/out/x`,
    ]
  ) assert.ok(may("file-read-data", path), path);
  for (
    const path of [
      `${home}/.ssh/id`,
      `${home}/.nimlet/auth.json`,
      `${home}/proj/.env`,
      "/private/tmp/x",
      "/Users/other/x",
      "/Library/Keychains/x",
      "/private/var/folders/yy/x",
    ]
  ) assert.ok(!may("file-read-data", path), path);
  for (const path of [`${home}/proj/a`, `${home}/out/x`, `${policy.privateHome}/x`]) {
    assert.ok(may("file-write-data", path), path);
  }
  for (
    const path of [
      "/usr/bin/git",
      `${home}/proj/.git/config`,
      `${home}/proj/.git`,
      `${home}/proj/sub/mod/.git`,
      `${home}/proj/sub/mod`,
      `${home}/proj/sub`,
      `${home}/.nvm/x`,
      `${home}/proj/.env`,
    ]
  ) assert.ok(!may("file-write-data", path), path);
  assert.ok(may("file-read-metadata", home) && !may("file-read-data", home));
  assert.ok(!may("file-write-setugid", `${home}/proj/a`));
  assert.ok(!may("file-link", "/usr/bin/git"));
  assert.ok(!may("network-outbound", "") && !may("system-socket", ""));
});

Deno.test("macOS: in read nothing of the workspace is written", () => {
  const profile = macosProfile({ ...policy, mode: "read" });
  assert.ok(!allows(profile, "file-write-data", "/Users/me/proj/a"));
  assert.ok(allows(profile, "file-write-data", `${policy.privateTemp}/x`));
});

Deno.test("macOS: the network is off, the proxy's port, loopback, or on", () => {
  const lines = (more: Partial<MacosPolicy>) =>
    macosProfile({ ...policy, ...more }).split("\n").filter((line) =>
      /network|system-socket/.test(line)
    );
  assert.deepEqual(lines({}), []);
  assert.deepEqual(lines({ net: 3128 }), ['(allow network-outbound (remote ip "localhost:3128"))']);
  assert.deepEqual(lines({ net: "on" }), ["(allow network*)", "(allow system-socket)"]);
  assert.equal(lines({ loopback: true }).length, 2);
});

Deno.test("macOS: paths of any kind stay within their quotes", () => {
  const workspace = '/Users/me/a "b" (x ) \\ (c) $(id)';
  const profile = macosProfile({ ...policy, workspace, closed: [`${workspace}/.git`], hidden: [] });
  assert.ok(allows(profile, "file-write-data", `${workspace}/x`));
  assert.ok(!allows(profile, "file-write-data", `${workspace}/.git/x`));
});

Deno.test("macOS: with nothing closed nothing is denied for that", () => {
  const profile = macosProfile({ ...policy, closed: [] });
  assert.ok(allows(profile, "file-write-data", "/Users/me/proj/.git/config"));
});

Deno.test("macOS: the whole text is as it was", async () => {
  const golden = new URL("macos_profile.golden", import.meta.url);
  assert.equal(macosProfile(policy), await Deno.readTextFile(golden));
});
