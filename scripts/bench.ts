/**
 * The measurements of speed and memory: what is measured, the figure wanted, the table.
 *
 *     deno task bench [--only <names>] [--runs <count>] [--no-build] [--list]
 *
 * Compiles dist/nimlet and an empty program with the deno that runs it (`DENORT_BIN` as for `deno task
 * compile`) and runs both in turn on the same machine, so that most figures are ratios or differences.
 * Exits with 1 where a figure falls short.
 */
import { parseArgs } from "node:util";
import { openKit, root, type Row } from "./bench_kit.ts";
import { extensionRows } from "./bench_extensions.ts";
import { growthRows } from "./bench_growth.ts";
import { hookRows } from "./bench_hooks.ts";
import { mcpRows } from "./bench_mcp.ts";
import { memoryRows } from "./bench_memory.ts";
import { sandboxRows } from "./bench_sandbox.ts";
import { searchRows } from "./bench_search.ts";
import { startRows } from "./bench_start.ts";
import { stepRows } from "./bench_steps.ts";
import { compile, compileEmpty } from "./compile.ts";

const rows: Row[] = [
  ...startRows,
  ...stepRows,
  ...growthRows,
  ...memoryRows,
  ...searchRows,
  ...mcpRows,
  ...extensionRows,
  ...hookRows,
  ...sandboxRows,
];

async function bench(args: string[]): Promise<number> {
  const { values } = parseArgs({
    args,
    options: {
      only: { type: "string" },
      runs: { type: "string", default: "21" },
      "no-build": { type: "boolean", default: false },
      list: { type: "boolean", default: false },
    },
  });
  const chosen = chooseRows(values.only);
  if (values.list) {
    for (const { name, what } of chosen) console.log(`${name.padEnd(nameWidth)}${what}`);
    return 0;
  }
  const nimlet = `${root}dist/nimlet`, empty = `${root}dist/empty`;
  if (!values["no-build"]) {
    if (await compile(["--output", nimlet]) !== 0 || await compileEmpty(empty) !== 0) return 1;
  }
  const kit = await openKit(nimlet, empty, Number(values.runs));
  try {
    let short = 0;
    for (const row of chosen) {
      console.log(await lineOf(row, () => short++, () => row.measure(kit)));
    }
    console.log(short === 0 ? "every figure holds" : `${short} of ${chosen.length} fall short`);
    return short === 0 ? 0 : 1;
  } finally {
    await kit.close();
  }
}

function chooseRows(only: string | undefined): readonly Row[] {
  if (only === undefined) return rows;
  const names = only.split(",");
  const unknown = names.filter((name) => !rows.some((row) => row.name === name));
  if (unknown.length > 0) {
    throw new Error(
      `--only: no row named ${unknown.join(", ")}; rows are ${
        rows.map(({ name }) => name).join(", ")
      }`,
    );
  }
  return rows.filter((row) => names.includes(row.name));
}

const nameWidth = Math.max(...rows.map(({ name }) => name.length)) + 2;
const whatWidth = Math.max(...rows.map(({ what }) => what.length)) + 2;

async function lineOf(
  row: Row,
  fallShort: () => void,
  measure: () => ReturnType<Row["measure"]>,
): Promise<string> {
  const head = `${row.name.padEnd(nameWidth)}${row.what.padEnd(whatWidth)}`;
  const bound = "most" in row.wanted ? row.wanted.most : row.wanted.least;
  const wanted = `${"most" in row.wanted ? "<=" : ">="} ${bound}`;
  let text: string, holds: boolean;
  try {
    const { value, note } = await measure();
    holds = "most" in row.wanted ? value <= bound : value >= bound;
    text = `${shown(value, row.unit)} (wanted ${wanted}) ${holds ? "ok" : "SHORT"}` +
      (note === undefined ? "" : `  [${note}]`);
  } catch (error) {
    // a program to compare with is not there: nothing falls short
    holds = error instanceof Deno.errors.NotFound;
    text = `${holds ? "left out" : "NOT MEASURED"}: ${
      error instanceof Error ? error.message : String(error)
    }`;
  }
  if (!holds) fallShort();
  return head + text;
}

function shown(value: number, unit: string): string {
  const digits = Math.abs(value) >= 100 ? 0 : 2;
  return `${value.toFixed(digits)} ${unit}`;
}

if (import.meta.main) Deno.exit(await bench(Deno.args));
