/** Notices that the reader of stdout has gone, also while there is nothing to write. */

const lookMs = 1000;

/** Calls `onGone` once where stdout is a pipe or socket whose reader goes; returns what ends the watch. */
export function watchReader(onGone: () => void): () => void {
  if (!isPipe()) return () => {};
  let hasGone: (() => boolean) | undefined;
  const timer = setInterval(() => {
    hasGone ??= readerTest();
    if (!hasGone()) return;
    clearInterval(timer);
    onGone();
  }, lookMs);
  return () => clearInterval(timer);
}

function isPipe(): boolean {
  if (Deno.build.os === "windows") return false;
  try {
    const { isFifo, isSocket } = Deno.statSync("/dev/fd/1");
    return isFifo === true || isSocket === true;
  } catch {
    return false;
  }
}

const hungUp = 0x18; // POLLERR and POLLHUP, which need not be asked for

/** Loaded at the first look: most runs are over by then. */
function readerTest(): () => boolean {
  try {
    const library = Deno.dlopen(Deno.build.os === "darwin" ? "libSystem.B.dylib" : "libc.so.6", {
      poll: { parameters: ["buffer", "usize", "i32"], result: "i32" },
    });
    return () => {
      const asked = new DataView(new ArrayBuffer(8));
      asked.setInt32(0, 1, true);
      library.symbols.poll(new Uint8Array(asked.buffer), 1n, 0);
      return (asked.getInt16(6, true) & hungUp) !== 0;
    };
  } catch {
    return () => false; // Then it is noticed with the next write.
  }
}
