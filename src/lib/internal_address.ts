/** Tells addresses of the public network from those of this machine and its surroundings. */

/** What an address is that leads to no public host: `loopback`; undefined for a public one. */
export function internalKind(address: string): string | undefined {
  const groups = address.includes(":") ? groupsOf(address) : undefined;
  if (groups === undefined) return internalV4(address);
  const [first, second] = groups as [number, number];
  const head = groups.slice(0, 6);
  // an IPv4 address in other clothes is judged as what it is
  if (isAll(head.slice(0, 5), 0) && head[5] === 0xffff) return internalV4(quadOf(groups, 6));
  if (first === 0x64 && second === 0xff9b && isAll(groups.slice(2, 6), 0)) {
    return internalV4(quadOf(groups, 6));
  }
  if (first === 0x2002) return internalV4(quadOf(groups, 1));
  if (isAll(groups.slice(0, 7), 0)) {
    return groups[7] === 0 ? "unspecified" : groups[7] === 1 ? "loopback" : "reserved";
  }
  if (isAll(head, 0)) return "reserved";
  if ((first & 0xffc0) === 0xfe80) return "link-local";
  if ((first & 0xfe00) === 0xfc00) return "private";
  if ((first & 0xff00) === 0xff00) return "multicast";
  return (first & 0xe000) === 0x2000 ? undefined : "reserved";
}

function internalV4(address: string): string | undefined {
  if (!/^\d{1,3}(\.\d{1,3}){3}$/.test(address)) return "unknown";
  const [a = 0, b = 0] = address.split(".").map(Number);
  if (a === 0) return "unspecified";
  if (a === 127) return "loopback";
  if (a === 169 && b === 254) return "link-local";
  if (a === 10 || (a === 172 && b >= 16 && b < 32) || (a === 192 && b === 168)) return "private";
  if (a === 100 && b >= 64 && b < 128) return "shared";
  if (a >= 224 && a < 240) return "multicast";
  if (a >= 240 || (a === 192 && b === 0) || (a === 198 && (b === 18 || b === 19))) {
    return "reserved";
  }
  return undefined;
}

/** The eight groups of an IPv6 address; undefined for what is none. */
function groupsOf(address: string): number[] | undefined {
  // a zone names an interface
  const plain = URL.parse(`http://[${address.split("%")[0]}]/`)?.hostname.slice(1, -1);
  if (plain === undefined) return undefined;
  const [head = "", tail] = plain.split("::");
  const list = (text: string) =>
    text === "" ? [] : text.split(":").map((group) => parseInt(group, 16));
  const front = list(head), back = list(tail ?? "");
  return [...front, ...Array(8 - front.length - back.length).fill(0), ...back];
}

function quadOf(groups: readonly number[], at: number): string {
  const [high = 0, low = 0] = groups.slice(at, at + 2);
  return [high >> 8, high & 255, low >> 8, low & 255].join(".");
}

function isAll(values: readonly number[], value: number): boolean {
  return values.every((each) => each === value);
}
