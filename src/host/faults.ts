/** Errors that nobody caught, which would end the program with a stack trace. */

/** Calls `handler` with every error that nobody caught; the program goes on until it says otherwise. */
export function onFault(handler: (error: unknown) => void): void {
  globalThis.addEventListener("unhandledrejection", (event) => {
    event.preventDefault();
    handler(event.reason);
  });
  globalThis.addEventListener("error", (event) => {
    event.preventDefault();
    handler(event.error ?? event.message);
  });
}
