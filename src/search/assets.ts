/**
 * Where the search worker and PCRE2's WebAssembly file are found.
 *
 * In a bundle this module's own URL ends in `.js`; `search_worker.js` (the bundle of `worker.ts`)
 * and `libpcre2.wasm.gz` (the package's file, compressed) lie in the same folder. From source the
 * worker is `worker.ts` beside this file, and the WebAssembly file is the package's own.
 */
import { unpacked } from "../lib/packed.ts";
import { locatePcre2 } from "../lib/pcre2_wasm.ts";
import { createPcre2Engine, type Pcre2Engine } from "./engine/pcre2_instance.ts";

export function workerUrl(): URL {
  return new URL(isBundle() ? "./search_worker.js" : "./scan/worker.ts", import.meta.url);
}

/** PCRE2 for this thread, loaded on first use; it throws where the installation is incomplete. */
export function pcre2ForThread(): Pcre2Engine {
  let module: WebAssembly.Module | undefined;
  return createPcre2Engine(
    () => module ??= new WebAssembly.Module(unpacked(Deno.readFileSync(pcre2Url()))),
  );
}

function pcre2Url(): URL {
  return isBundle() ? new URL("./libpcre2.wasm.gz", import.meta.url) : new URL(locatePcre2());
}

function isBundle(): boolean {
  return import.meta.url.endsWith(".js");
}
