/**
 * Owns where the search worker and PCRE2's WebAssembly file are found.
 *
 * In a bundle this module's own URL ends in `.js`; `search_worker.js` (the bundle of `worker.ts`)
 * and `libpcre2.wasm` (a copy of the package's file) lie in the same folder. From source the worker
 * is `worker.ts` beside this file, and the WebAssembly file is the package's own.
 */
import { locatePcre2 } from "../lib/pcre2_wasm.ts";

export function workerUrl(): URL {
  return new URL(isBundle() ? "./search_worker.js" : "./worker.ts", import.meta.url);
}

/** The bytes of the WebAssembly file; throws where the installation is incomplete. */
export async function readPcre2(): Promise<Uint8Array<ArrayBuffer>> {
  const url = isBundle()
    ? new URL("./libpcre2.wasm", import.meta.url)
    : new URL(await locatePcre2());
  return Deno.readFileSync(url);
}

function isBundle(): boolean {
  return import.meta.url.endsWith(".js");
}
