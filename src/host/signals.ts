/** The signals that ask the program to end. */

export type EndSignal = "SIGINT" | "SIGTERM" | "SIGHUP";

/** Calls `handler` for every signal that asks for the end; returns what stops listening. */
export function onSignals(handler: (signal: EndSignal) => void): () => void {
  const stops = endSignals().map((signal) => listen(signal, handler));
  return () => stops.forEach((stop) => stop());
}

function endSignals(): EndSignal[] {
  // Windows has no TERM to listen for; HUP there is the closing console window
  return Deno.build.os === "windows" ? ["SIGINT", "SIGHUP"] : ["SIGINT", "SIGTERM", "SIGHUP"];
}

function listen(signal: EndSignal, handler: (signal: EndSignal) => void): () => void {
  const listener = () => handler(signal);
  Deno.addSignalListener(signal, listener);
  return () => Deno.removeSignalListener(signal, listener);
}
