/** The hosts that a sandbox lets commands reach: how a list is written, and what it covers. */

/** off: nothing but the command's own loopback · on: the host's network · a list: through a proxy. */
export type HostList = "off" | "on" | readonly string[];

interface HostRule {
  /** Lower case, without a final dot; IPv6 without brackets. */
  readonly name: string;
  /** True for `*.name`: what lies below it, not itself. */
  readonly below: boolean;
  /** Absent: 80 and 443. */
  readonly port?: number;
}

/** The list that `text` means, or what is wrong with it, as the end of a sentence. */
export function parseHostList(text: string): HostList | { readonly problem: string } {
  const words = text.split(",").map((word) => word.trim().toLowerCase()).filter(Boolean);
  const [first] = words;
  if (words.length === 1 && (first === "off" || first === "on")) return first;
  const wrong = words.find((word) => ruleOf(word) === undefined);
  return wrong === undefined && words.length > 0 ? [...new Set(words)] : {
    problem: "expected off, on, or hosts as pkg.example.com,*.example.org,git.example:8443" +
      `, found ${JSON.stringify(wrong ?? text)}`,
  };
}

/** The list as one text, from a text or an array of them; undefined for anything else. */
export function hostListText(value: unknown): string | undefined {
  const isList = Array.isArray(value) && value.every((item) => typeof item === "string");
  const text = isList ? value.join(",") : value;
  const list = typeof text === "string" ? parseHostList(text) : undefined;
  if (typeof list === "string") return list;
  return list === undefined || "problem" in list ? undefined : list.join(",");
}

/** True where one of `rules` lets `host` be reached at `port`. */
export function allowsHost(rules: readonly string[], host: string, port: number): boolean {
  const name = foldedHost(host);
  return rules.some((text) => {
    const rule = ruleOf(text);
    if (rule === undefined || !coversPort(rule, port)) return false;
    return rule.below ? isBelow(name, rule.name) : rule.name === name;
  });
}

/** True where `list` reaches nothing that `outer` does not. */
export function isShorter(list: HostList, outer: HostList): boolean {
  if (list === "off" || outer === "on") return true;
  if (outer === "off" || list === "on") return false;
  const wide = outer.map((text) => ruleOf(text)!);
  return list.every((text) => {
    const rule = ruleOf(text)!;
    return wide.some((over) =>
      over.port === rule.port &&
      (over.name === rule.name && over.below === rule.below ||
        over.below && isBelow(rule.name, over.name))
    );
  });
}

/** A host as it is compared: lower case, no brackets, no final dot. */
export function foldedHost(host: string): string {
  return host.toLowerCase().replace(/^\[|\]$/g, "").replace(/\.$/, "");
}

function coversPort({ port }: HostRule, wanted: number): boolean {
  return port === undefined ? wanted === 80 || wanted === 443 : port === wanted;
}

function isBelow(name: string, top: string): boolean {
  return name.endsWith(`.${top}`) && name.length > top.length + 1;
}

function ruleOf(text: string): HostRule | undefined {
  const parts = /^(\*\.)?(\[[0-9a-f:.]+\]|[a-z0-9_](?:[a-z0-9_.-]*[a-z0-9_])?)\.?(?::(\d{1,5}))?$/
    .exec(text);
  if (parts === null) return undefined;
  const [, star, name = "", digits] = parts;
  const port = digits === undefined ? undefined : Number(digits);
  if (port !== undefined && (port < 1 || port > 65535) || name.includes("..")) return undefined;
  return {
    name: foldedHost(name),
    below: star !== undefined,
    ...(port === undefined ? {} : { port }),
  };
}
