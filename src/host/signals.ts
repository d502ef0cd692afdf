/** Listens for the signals that ask the program to end, and for those that it has to outlive. */
import { ignoredSignals } from "./ignored_signals.ts";

export type EndSignal = "SIGINT" | "SIGTERM" | "SIGHUP";

/**
 * Before any other listener: signals that are ignored now stay so, and a write beyond a limit on file
 * sizes fails as on a full disk.
 */
export function prepareSignals(): void {
  const ignored = ignoredSignals();
  // the runtime would end the program by a signal that nobody listens for
  for (const signal of endSignals()) if (ignored.has(signal)) listen(signal, () => {});
  if (Deno.build.os !== "windows" && !ignored.has("SIGXFSZ")) listen("SIGXFSZ", () => {});
}

/**
 * Calls `handler` for every signal that asks for the end, but for those that were ignored from the
 * start; returns what stops listening.
 */
export function onSignals(handler: (signal: EndSignal) => void): () => void {
  const stops = heardSignals().map((signal) => listen(signal, () => handler(signal)));
  return () => stops.forEach((stop) => stop());
}

/** Calls `handler` whenever the program goes on after a stop; returns what stops listening. */
export function onContinue(handler: () => void): () => void {
  return Deno.build.os === "windows" ? () => {} : listen("SIGCONT", handler);
}

/** Those that ask for the end, but for those that were ignored from the start. */
export function heardSignals(): EndSignal[] {
  const ignored = ignoredSignals();
  return endSignals().filter((signal) => !ignored.has(signal));
}

function endSignals(): EndSignal[] {
  // Windows has no TERM to listen for; HUP there is the closing console window
  return Deno.build.os === "windows" ? ["SIGINT", "SIGHUP"] : ["SIGINT", "SIGTERM", "SIGHUP"];
}

function listen(signal: Deno.Signal, listener: () => void): () => void {
  Deno.addSignalListener(signal, listener);
  return () => Deno.removeSignalListener(signal, listener);
}
