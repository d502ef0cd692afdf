/** Prints which signals are ignored, asked in both ways; run by the tests of ignored signals. */
import { byLibrary, candidates, ignoredSignals } from "../../src/host/ignored_signals.ts";

const bySystem = [...ignoredSignals()];
const inLibrary = candidates.filter(byLibrary("libc.so.6")).map(([name]) => name);
console.log(JSON.stringify([bySystem, inLibrary]));
