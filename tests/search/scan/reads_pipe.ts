/** A process that reads the file of its one argument as a search does, and says how many bytes there were. */
import { basename, dirname } from "node:path";
import { batchWriter } from "../../../src/search/scan/file_batch.ts";
import { createOneFile } from "../../../src/search/scan/one_file.ts";

const [path = ""] = Deno.args;
const batch = batchWriter();
batch.add("", basename(path));
const file = createOneFile();
file.start(`${dirname(path)}/`, batch.take().bytes);
file.next();
console.log(file.read(new Uint8Array(64)) ?? 0);
