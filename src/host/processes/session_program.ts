/** Finds the program that gives a child a session of its own, where that is quicker than the runtime. */
import { accessSync, constants, existsSync } from "node:fs";
import { readHead } from "../folders.ts";
import { canLook } from "./linux_processes.ts";

/** Fixed places: a PATH that others have set does not choose it. */
const places = ["/usr/bin/setsid", "/bin/setsid"];

let found: string | undefined | null = null;

/**
 * The path of `setsid`, where `file` is sure to start through it. The runtime's own way copies this
 * process for each child, which takes longer the more memory it holds: 1 ms at 70 MB, 6 to 12 ms at
 * 170 MB, against 0.5 ms. But `setsid` reports a program that does not start as an exit status, so it is for
 * those whose start cannot fail; and only where processes are shown, as the session begins a moment
 * after the start, and its members are known until then by their environment.
 */
export function sessionProgram(file: string): string | undefined {
  if (Deno.build.os !== "linux") return undefined;
  if (found === null) found = canLook() ? places.find(existsSync) : undefined;
  return found !== undefined && starts(file, 1) ? found : undefined;
}

/** Systems take no longer first line of a script. */
const scriptLineBytes = 255;

/** True where the system can run `file`, down to its interpreter or loader. */
function starts(file: string, scripts: number): boolean {
  if (!file.startsWith("/")) return false;
  try {
    accessSync(file, constants.X_OK);
  } catch {
    return false;
  }
  const head = headOf(file);
  if (latin1(head.subarray(0, 2)) === "#!") {
    const firstLine = latin1(head.subarray(0, scriptLineBytes));
    const [, interpreter] = /^#![ \t]*([^ \t\n]+)[^\n]*\n/.exec(firstLine) ?? [];
    return scripts > 0 && interpreter !== undefined && starts(interpreter, scripts - 1);
  }
  if (latin1(head.subarray(0, 4)) !== "\x7fELF") return false;
  const loader = loaderOf(head);
  return loader === undefined || (loader !== "" && existsSync(loader));
}

const segmentBytes = 56;
const interpreterSegment = 3;

/** The path of an ELF program's loader; undefined: it needs none; "": that cannot be seen. */
function loaderOf(head: Uint8Array): string | undefined {
  const view = new DataView(head.buffer, head.byteOffset, head.length);
  const isWide = head[4] === 2, isLittle = head[5] === 1;
  if (!isWide || head.length < 64) return "";
  const at = Number(view.getBigUint64(32, isLittle)), count = view.getUint16(56, isLittle);
  if (at + count * segmentBytes > head.length) return "";
  for (let segment = at; segment < at + count * segmentBytes; segment += segmentBytes) {
    if (view.getUint32(segment, isLittle) !== interpreterSegment) continue;
    const from = Number(view.getBigUint64(segment + 8, isLittle));
    const length = Number(view.getBigUint64(segment + 32, isLittle));
    return from + length > head.length ? "" : latin1(head.subarray(from, from + length - 1));
  }
  return undefined;
}

const headBytes = 4096;

function headOf(path: string): Uint8Array {
  const head = readHead(path, headBytes);
  return head.kind === "head" ? head.bytes : new Uint8Array();
}

function latin1(bytes: Uint8Array): string {
  return String.fromCharCode(...bytes);
}
