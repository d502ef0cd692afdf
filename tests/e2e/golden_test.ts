import assert from "node:assert/strict";
import { runProgram, withScratch } from "../support/program.ts";
import { checkedRecords } from "../support/records.ts";
import { fromFileUrl } from "../support/streams.ts";

// Each folder of fixtures/golden is a run: a cassette, arguments, a workspace, and the events it gives.
// NIMLET_GOLDEN=write writes the events anew, for a change that is meant.
const folder = fromFileUrl(new URL("../../fixtures/golden", import.meta.url));

for (const { name } of [...Deno.readDirSync(folder)].sort((a, b) => a.name < b.name ? -1 : 1)) {
  Deno.test(`the events of the run "${name}" are what they were`, async () => {
    await withScratch(async ({ workspace, root }) => {
      const own = `${folder}/${name}`;
      for (const file of Deno.readDirSync(`${own}/workspace`)) {
        await Deno.copyFile(`${own}/workspace/${file.name}`, `${workspace}/${file.name}`);
      }
      await Deno.copyFile(`${own}/cassette.jsonl`, `${root}/cassette.jsonl`);
      const args: string[] = JSON.parse(await Deno.readTextFile(`${own}/args.json`));
      const result = await runProgram(
        ["--provider", "replay", "--model", "../cassette.jsonl", "--mode", "json", ...args],
        { cwd: workspace },
      );
      const found = stable(checkedRecords(result.stdout), root);
      const expected = `${own}/events.jsonl`;
      if (Deno.env.get("NIMLET_GOLDEN") === "write") await Deno.writeTextFile(expected, found);
      assert.equal(found, await Deno.readTextFile(expected));
    });
  });
}

/** The records with ids, times and the scratch folder replaced. */
function stable(records: readonly unknown[], root: string): string {
  const ids = new Map<string, string>();
  const replaced = (key: string, value: unknown): unknown => {
    if (typeof value === "number" && key.endsWith("_ms")) return 0;
    if (typeof value !== "string") return value;
    const isMadeUp = key === "tool_id" && /^call_[0-9a-f]{16}$/.test(value);
    if (isMadeUp || /^(session|run|turn)_id$/.test(key)) {
      const kind = key.replace("_id", "");
      if (!ids.has(value)) ids.set(value, `${kind}-${ids.size + 1}`);
      return ids.get(value);
    }
    return value.replaceAll(root, "ROOT")
      .replace(/trying again in [\d.]+ s/, "trying again in N s");
  };
  return records.map((record) => `${JSON.stringify(record, replaced)}\n`).join("");
}
