/** Which files of the source a run has loaded, as the runtime's record of what runs says. */
import type { Need } from "./test_where.ts";

/** What a test of the loaded files needs. */
export const recordedSource: readonly Need[] = [
  {
    met: !Deno.env.get("NIMLET_BIN"),
    reason: "needs the source: the files of a binary are one script",
  },
  // older runtimes keep such a record for their own tests alone
  { met: keepsRecord(), reason: "needs a runtime that records what it runs" },
];

function keepsRecord(): boolean {
  const folder = Deno.makeTempDirSync({ prefix: "nimlet-record-" });
  try {
    const script = `${folder}.js`;
    Deno.writeTextFileSync(script, "Deno.exit(0);");
    new Deno.Command(Deno.execPath(), {
      args: ["run", "--quiet", "--no-check", script],
      env: { DENO_COVERAGE_DIR: folder },
      stdout: "null",
      stderr: "null",
    }).outputSync();
    Deno.removeSync(script);
    return [...Deno.readDirSync(folder)].length > 0;
  } finally {
    Deno.removeSync(folder, { recursive: true });
  }
}

/** What ran with `folder` as DENO_COVERAGE_DIR, relative to `src`. */
export function loadedFiles(folder: string): string[] {
  return [...Deno.readDirSync(folder)].map(({ name }) => {
    const { url } = JSON.parse(Deno.readTextFileSync(`${folder}/${name}`)) as { url: string };
    return url.split("/src/").at(-1)!;
  });
}
