/** The installer of a release: the script `get.sh` with its version and address filled in. */
import { downloads } from "./downloads.ts";
import { minGlibc } from "./platforms.ts";

export async function installerText(version: string): Promise<string> {
  const template = await Deno.readTextFile(new URL("./get.sh", import.meta.url));
  const values: Record<string, string> = {
    DOWNLOADS: downloads,
    VERSION: version,
    MIN_GLIBC: minGlibc,
  };
  return template.replace(/@([A-Z_]+)@/g, (whole, name: string) => values[name] ?? whole);
}
