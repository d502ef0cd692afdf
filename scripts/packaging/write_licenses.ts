/**
 * The writing of the file `LICENSES` beside this one, which `nimlet --licenses` prints from source.
 *
 *     deno task licenses
 *
 * A binary prints the text that was made with its own bundle.
 */
import { fileURLToPath } from "node:url";
import { bundle } from "../bundle.ts";
import { withFolder } from "../compile_folder.ts";
import { licensesText } from "./licenses.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));

const packages = await withFolder((folder) => bundle(root, folder));
await Deno.writeTextFile(`${root}scripts/packaging/LICENSES`, await licensesText(packages));
console.log(`licenses: ${packages.length} packages`);
