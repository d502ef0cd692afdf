/**
 * The one command that says whether everything is in order.
 *
 *     deno task ok [--no-tests]
 *
 * Runs every check, also after one has failed, and exits with 1 where any has.
 */
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));

const checks: Record<string, string[]> = {
  format: ["fmt", "--check", "--quiet"],
  lint: ["lint", "--quiet"],
  types: ["check", "--quiet", "main.ts", "src", "scripts", "tests"],
  layers: ["run", "-A", "scripts/check_layers.ts"],
  docs: ["run", "-A", "scripts/docs.ts", "--check"],
  tests: ["run", "-A", "scripts/test.ts"],
};

async function ok(withTests: boolean): Promise<number> {
  const failed: string[] = [];
  for (const [name, args] of Object.entries(checks)) {
    if (name === "tests" && !withTests) continue;
    console.log(`# ${name}`);
    const { success } = await new Deno.Command(Deno.execPath(), { args, cwd: root, stdin: "null" })
      .spawn().status;
    if (!success) failed.push(name);
  }
  console.log(failed.length === 0 ? "# all in order" : `# not in order: ${failed.join(", ")}`);
  return failed.length === 0 ? 0 : 1;
}

if (import.meta.main) Deno.exit(await ok(!Deno.args.includes("--no-tests")));
