/**
 * The filter of system calls that commands run under, as bytes for `bwrap --seccomp`: what would leave
 * the sandbox through the terminal, the kernel's keys, or a set-uid file that stays behind is refused.
 */

interface Machine {
  /** The kernel's number for the architecture. */
  readonly audit: number;
  readonly ioctl: number;
  readonly socket: number;
  readonly clone: number;
  readonly unshare: number;
  /** Refused with EPERM. */
  readonly refused: readonly number[];
  /** Calls that take a file's mode: number, and which argument it is. */
  readonly modes: readonly (readonly [number, number])[];
  /** Calls that open: number, argument of the flags, argument of the mode. */
  readonly opens: readonly (readonly [number, number, number])[];
  /** True where numbers from 2^30 on are another table of calls. */
  readonly hasX32: boolean;
}

const machines: Readonly<Record<string, Machine>> = {
  x86_64: {
    audit: 0xc000003e,
    ioctl: 16,
    socket: 41,
    clone: 56,
    unshare: 272,
    // add_key, request_key, keyctl, bpf, perf_event_open, userfaultfd, open_by_handle_at, kexec (2),
    // modules (3), syslog
    refused: [248, 249, 250, 321, 298, 323, 304, 246, 320, 175, 313, 176, 103],
    // chmod, fchmod, creat, fchmodat, fchmodat2, mknod, mknodat
    modes: [[90, 1], [91, 1], [85, 1], [268, 2], [452, 2], [133, 1], [259, 2]],
    opens: [[2, 1, 2], [257, 2, 3]],
    hasX32: true,
  },
  aarch64: {
    audit: 0xc00000b7,
    ioctl: 29,
    socket: 198,
    clone: 220,
    unshare: 97,
    refused: [217, 218, 219, 280, 241, 282, 265, 104, 294, 105, 273, 106, 116],
    modes: [[52, 1], [53, 2], [452, 2], [33, 2]],
    opens: [[56, 2, 3]],
    hasX32: false,
  },
};

/** Of both architectures: io_uring (3), clone3, openat2; programs fall back where these are missing. */
const missing = [425, 426, 427, 435, 437];

const load = 0x20, jumpEqual = 0x15, jumpAtLeast = 0x35, jumpBits = 0x45, end = 0x06;
const allow = 0x7fff0000, refuse = 0x00050000;
const eperm = 1, enosys = 38, eafnosupport = 97;
const setIdBits = 0o6000, creates = 0o100 | 0o20000000, newUser = 0x10000000;
const terminalInput = 0x5412, consoleInput = 0x541c;
const vsock = 40, cryptography = 38;

/** The filter for a processor, as `Deno.build.arch` names it; undefined where none was written. */
export function seccompFilter(arch: string): Uint8Array | undefined {
  const machine = machines[arch];
  if (machine === undefined) return undefined;
  const code: (readonly [number, number, number, number])[] = [];
  const add = (operation: number, value: number, yes = 0, no = 0) =>
    void code.push([operation, yes, no, value]);
  const number = () => add(load, 0);
  /** The low half of an argument: the kernel ignores the rest of these. */
  const argument = (index: number) => add(load, 16 + 8 * index);
  const fail = (reason: number) => add(end, refuse | reason);
  /** Runs `steps` where the call is `call`; they know how long they are. */
  const of = (call: number, length: number, steps: () => void) => {
    add(jumpEqual, call, 0, length + 1);
    steps();
    number();
  };
  const bits = (call: number, index: number, mask: number) =>
    of(call, 3, () => {
      argument(index);
      add(jumpBits, mask, 0, 1);
      fail(eperm);
    });
  const values = (call: number, index: number, wanted: readonly number[], reason: number) =>
    of(call, 1 + 2 * wanted.length, () => {
      argument(index);
      for (const value of wanted) {
        add(jumpEqual, value, 0, 1);
        fail(reason);
      }
    });

  add(load, 4);
  add(jumpEqual, machine.audit, 1, 0);
  fail(eperm);
  number();
  if (machine.hasX32) {
    add(jumpAtLeast, 0x40000000, 0, 1);
    fail(enosys);
  }
  for (const call of [...machine.refused, ...missing]) {
    add(jumpEqual, call, 0, 1);
    fail(missing.includes(call) ? enosys : eperm);
  }
  values(machine.ioctl, 1, [terminalInput, consoleInput], eperm);
  values(machine.socket, 0, [vsock, cryptography], eafnosupport);
  bits(machine.clone, 0, newUser);
  bits(machine.unshare, 0, newUser);
  for (const [call, index] of machine.modes) bits(call, index, setIdBits);
  for (const [call, flags, mode] of machine.opens) {
    of(call, 5, () => {
      argument(flags);
      add(jumpBits, creates, 0, 3);
      argument(mode);
      add(jumpBits, setIdBits, 0, 1);
      fail(eperm);
    });
  }
  add(end, allow);
  return bytesOf(code);
}

function bytesOf(code: readonly (readonly [number, number, number, number])[]): Uint8Array {
  const view = new DataView(new ArrayBuffer(code.length * 8));
  code.forEach(([operation, yes, no, value], index) => {
    view.setUint16(index * 8, operation, true);
    view.setUint8(index * 8 + 2, yes);
    view.setUint8(index * 8 + 3, no);
    view.setUint32(index * 8 + 4, value >>> 0, true);
  });
  return new Uint8Array(view.buffer);
}
