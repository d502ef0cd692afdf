/** The calls of the system's C library that Deno lacks; where one is missing, its answer says so. */

export interface LibraryCalls extends Disposable {
  /** Exchanges two names of the current folder in one step; false where that was not done. */
  exchange(one: string, other: string): boolean;
  /** True where some process has the file `name` open for writing; undefined where nobody knows. */
  isOpenForWriting(name: string): boolean | undefined;
}

const none: LibraryCalls = {
  exchange: () => false,
  isOpenForWriting: () => undefined,
  [Symbol.dispose]() {},
};

/** Opens the library for one use, which takes about a millisecond. */
export function openLibraryCalls(): LibraryCalls {
  try {
    switch (Deno.build.os) {
      case "linux":
        return linuxCalls();
      case "darwin":
        return darwinCalls();
      default:
        return none;
    }
  } catch {
    return none; // A library without them, as a very old one.
  }
}

/** The current folder, in place of an open one. */
const atCurrentFolder = { linux: -100, darwin: -2 };
const exchangeFlag = 2;

function linuxCalls(): LibraryCalls {
  const library = Deno.dlopen("libc.so.6", {
    renameat2: { parameters: ["i32", "buffer", "i32", "buffer", "u32"], result: "i32" },
    open: { parameters: ["buffer", "i32"], result: "i32" },
    close: { parameters: ["i32"], result: "i32" },
    fcntl: { parameters: ["i32", "i32", "i32"], result: "i32" },
    __errno_location: { parameters: [], result: "pointer" },
  });
  const c = library.symbols, here = atCurrentFolder.linux;
  return {
    [Symbol.dispose]: () => library.close(),
    exchange: (one, other) => c.renameat2(here, text(one), here, text(other), exchangeFlag) === 0,
    isOpenForWriting(name) {
      const fd = c.open(text(name), nonBlocking | closeOnExec);
      if (fd < 0) return undefined;
      try {
        // A lease for reading is not given while somebody has the file open for writing.
        if (c.fcntl(fd, setLease, readLease) === 0) {
          c.fcntl(fd, setLease, noLease);
          return false;
        }
        const errno = c.__errno_location();
        const isBusy = errno !== null && new Deno.UnsafePointerView(errno).getInt32() === tryAgain;
        return isBusy ? true : undefined;
      } finally {
        c.close(fd);
      }
    },
  };
}

const nonBlocking = 0o4000, closeOnExec = 0o2000000;
const setLease = 1024, readLease = 0, noLease = 2;
const tryAgain = 11;

function darwinCalls(): LibraryCalls {
  const library = Deno.dlopen("libSystem.B.dylib", {
    renameatx_np: { parameters: ["i32", "buffer", "i32", "buffer", "u32"], result: "i32" },
  });
  const c = library.symbols, here = atCurrentFolder.darwin;
  return {
    ...none,
    [Symbol.dispose]: () => library.close(),
    exchange: (one, other) =>
      c.renameatx_np(here, text(one), here, text(other), exchangeFlag) === 0,
  };
}

function text(value: string): Uint8Array<ArrayBuffer> {
  return new TextEncoder().encode(`${value}\0`);
}
