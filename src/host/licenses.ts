/**
 * The notices of all that the program holds. In a bundle they were made with it and lie beside it,
 * compressed; from source they are the file that `deno task licenses` writes.
 */
import { unpacked } from "../lib/packed.ts";

export function readLicenses(): string {
  const isBundle = import.meta.url.endsWith(".js");
  const path = isBundle ? "./licenses.txt.gz" : "../../scripts/packaging/LICENSES";
  const bytes = Deno.readFileSync(new URL(path, import.meta.url));
  return new TextDecoder().decode(unpacked(bytes));
}
