/** The rule by which NO_PROXY excludes a host, as curl has it. */

/**
 * Whether `host` (a URL's hostname) is excluded by `list`: names with all below them, with or without
 * a dot in front; addresses; networks as `10.0.0.0/8`; `*` for every host, addresses too.
 */
export function isExcluded(host: string, list: string): boolean {
  const name = host.replace(/^\[|\]$/g, "").replace(/\.$/, "").toLowerCase();
  return list.split(/[\s,]+/).some((raw) => {
    const entry = raw.toLowerCase().replace(/^\[|\]$/g, "").replace(/^\./, "").replace(/\.$/, "");
    if (entry === "") return false;
    if (entry === "*" || entry === name) return true;
    if (isAddress(name)) return entry.includes("/") && isWithin(name, entry);
    return name.endsWith(`.${entry}`);
  });
}

function isAddress(name: string): boolean {
  return name.includes(":") || /^\d+(\.\d+){3}$/.test(name);
}

function isWithin(address: string, network: string): boolean {
  const [base, length] = network.split("/");
  const bits = bitsOf(address), baseBits = bitsOf(base ?? "");
  const count = Number(length);
  return bits !== undefined && baseBits !== undefined && bits.length === baseBits.length &&
    /^\d+$/.test(length ?? "") && count <= bits.length &&
    bits.slice(0, count) === baseBits.slice(0, count);
}

/** An address as text of zeros and ones; undefined for anything else. */
function bitsOf(address: string): string | undefined {
  const binary = (value: number, length: number) => value.toString(2).padStart(length, "0");
  if (/^\d+(\.\d+){3}$/.test(address)) {
    const parts = address.split(".").map(Number);
    return parts.every((part) => part < 256)
      ? parts.map((part) => binary(part, 8)).join("")
      : undefined;
  }
  const url = URL.parse(`http://[${address}]/`);
  if (url === null) return undefined;
  const [head, tail] = url.hostname.slice(1, -1).split("::");
  const groups = (text: string | undefined) => text ? text.split(":") : [];
  const missing = 8 - groups(head).length - groups(tail).length;
  const all = [
    ...groups(head),
    ...Array(tail === undefined ? 0 : missing).fill("0"),
    ...groups(tail),
  ];
  return all.map((group) => binary(parseInt(group, 16), 16)).join("");
}
