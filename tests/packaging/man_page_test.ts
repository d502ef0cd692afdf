/** The tests of the man page: all flags and variables, and a text that man shows without a warning. */
import assert from "node:assert/strict";
import { manPage } from "../../scripts/packaging/man_page.ts";
import { releaseDate } from "../../scripts/packaging/release_date.ts";
import { optionTable } from "../../src/cli/options.ts";
import { fromFileUrl } from "../support/streams.ts";
import { installed, testWhere } from "../support/test_where.ts";

const root = fromFileUrl(new URL("../..", import.meta.url));
const page = manPage("9.9.9", "2026-01-31");

Deno.test("man page: every flag with its help, every variable and exit status", () => {
  for (const { name, help } of optionTable) {
    assert.ok(page.includes(`\\fB\\-\\-${name.replaceAll("-", "\\-")}\\fR`), name);
    assert.ok(
      page.includes(help.slice(1, 12).replaceAll("-", "\\-").replaceAll("'", "\\(aq")),
      help,
    );
  }
  const table = Deno.readTextFileSync(`${root}/docs/configuration.md`).match(/^\| `NIMLET_.*$/gm)!;
  const names = table.flatMap((row) => row.split("|")[1]!.match(/NIMLET_\w+/g)!);
  assert.ok(names.length >= 8, names.join(", "));
  for (const name of names) {
    assert.ok(page.includes(name), `${name}: name it in scripts/packaging/man_page.ts`);
  }
  for (const status of ["0", "1", "2", "3", "129, 130, 143"]) {
    assert.ok(page.includes(`.TP\n\\fB${status}\\fR\n`), status);
  }
});

testWhere(
  installed("groff"),
  "man page: groff shows it without a warning, as it was meant",
  async () => {
    const child = new Deno.Command("groff", {
      args: ["-man", "-Tutf8", "-ww", "-rLL=100n", "-P-cbou"],
      stdin: "piped",
      stdout: "piped",
      stderr: "piped",
    }).spawn();
    const writer = child.stdin.getWriter();
    await writer.write(new TextEncoder().encode(page));
    await writer.close();
    const { code, stdout, stderr } = await child.output();
    assert.deepEqual([code, new TextDecoder().decode(stderr)], [0, ""]);
    const text = new TextDecoder().decode(stdout);
    assert.match(text, /\n {7}nimlet - a coding agent for the shell\n/);
    assert.match(text, /\n {7}-p, --print\n {14}Print only the final answer\.\n/);
    assert.match(text, /\n {14}json: events; rpc:/);
    assert.match(text, /\n {7}~\/\.nimlet\/config\.json\n/);
    assert.match(text, /jq -r 'select\(\.type == "tool_call"\)\.tool_name'\n/);
  },
);

testWhere(
  installed("mandoc", ["/dev/null"]),
  "man page: mandoc finds nothing to warn of",
  async () => {
    const child = new Deno.Command("mandoc", {
      args: ["-T", "lint", "-W", "warning"],
      stdin: "piped",
      stdout: "piped",
      stderr: "piped",
    }).spawn();
    const writer = child.stdin.getWriter();
    await writer.write(new TextEncoder().encode(page));
    await writer.close();
    const { code, stdout, stderr } = await child.output();
    const said = new TextDecoder().decode(stdout) + new TextDecoder().decode(stderr);
    assert.deepEqual([code, said], [0, ""]);
  },
);

Deno.test("man page: its date is that of the version in the change log", () => {
  const changes =
    "# Changes\n\n## Unreleased\n\n## 1.0.1 (2026-12-31)\n\n## 1.0.0\n\nOf 2026-11-30.\n";
  const dates = ["1.0.1", "1.0.0", "1.0"].map((version) => releaseDate(changes, version));
  assert.deepEqual(dates, ["2026-12-31", "", ""]);
});
