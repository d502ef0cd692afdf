/** The meaning of an ignore file: its lines, and which of them decides about a path. */
import { withoutEnd } from "../../lib/trim.ts";
import { parseSegment, type SegmentGlob } from "../glob/segment.ts";
import { parseGlobSegments } from "../glob/glob.ts";

export interface IgnoreRules {
  /** What a verdict may cost for each character of a path, in steps. */
  readonly weight: number;
  /**
   * True: ignored; false: taken back by a `!` line; undefined: no line speaks of it. The path is `folder`
   * and `name`, relative to the file's folder from `from` on.
   */
  verdict(folder: string, from: number, name: string, isFolder: boolean): boolean | undefined;
}

interface Rule {
  readonly ignores: boolean;
  readonly foldersOnly: boolean;
  readonly weight: number;
  /** Against the name alone, or the path relative to the file's folder. */
  readonly test: (path: string, name: string) => boolean;
  /** Matches every name that the rule speaks of; undefined where that may be any. */
  readonly last: SegmentGlob | undefined;
}

/** Longer files, in lines, are read only that far. */
const maxRules = 10_000;
/** No path is longer, so that a longer line is no rule. */
const maxRuleChars = 4096;

/** Reads an ignore file's text; undefined where it holds no rule. */
export function parseIgnoreRules(text: string): IgnoreRules | undefined {
  const rules = text.replace(/^\uFEFF/, "").split(/\r?\n/, maxRules)
    .flatMap((line) => parseRule(line) ?? []).reverse();
  if (rules.length === 0) return undefined;
  const maySpeakOf = nameLook(rules.map(({ last }) => last));
  return {
    weight: rules.reduce((sum, rule) => sum + rule.weight, 0),
    verdict(folder, from, name, isFolder) {
      if (!maySpeakOf(name)) return undefined;
      const path = folder.slice(from) + name;
      for (const rule of rules) {
        if ((isFolder || !rule.foldersOnly) && rule.test(path, name)) return rule.ignores;
      }
      return undefined;
    },
  };
}

function parseRule(line: string): Rule | undefined {
  if (line.length > maxRuleChars) return undefined;
  let source = trimEnd(line);
  if (source === "" || source.startsWith("#")) return undefined;
  const ignores = !source.startsWith("!");
  if (!ignores) source = source.slice(1);
  const foldersOnly = source.endsWith("/");
  if (foldersOnly) source = withoutEnd(source, "/");
  if (source === "") return undefined;
  if (!source.includes("/")) {
    const last = parseSegment(source);
    const { weight, test } = last;
    return { ignores, foldersOnly, weight, test: (_path, name) => test(name), last };
  }
  const { weight, test, last } = parseGlobSegments(source);
  return { ignores, foldersOnly, weight, test: (path) => test(path), last };
}

/**
 * False for names that no rule speaks of, which are nearly all: most rules name a file outright, or an
 * ending (`*.log`). Two looks in small tables, for the last two characters and for the first one, answer
 * for nearly every name, and a look in a set for most of the others.
 */
function nameLook(lasts: readonly (SegmentGlob | undefined)[]): (name: string) => boolean {
  const tails = new Uint8Array(tailKinds), heads = new Uint8Array(headKinds);
  const namedHeads = new Uint8Array(headKinds);
  const names = new Set<string>(), endings = new Set<string>();
  const byTail: SegmentGlob[] = [], byHead: SegmentGlob[] = [];
  for (const last of lasts) {
    if (last === undefined) return () => true;
    const tail = last.literal ?? last.suffix;
    if (tail === undefined || last.literal === undefined && tail.length < 2) {
      byHead.push(last);
      if (last.start === "") heads.fill(1);
      else heads[headOf(last.start)] = 1;
      continue;
    }
    tails[tailOf(tail)] = 1;
    if (last.literal !== undefined) {
      names.add(tail);
      namedHeads[headOf(tail)] = 1;
    } else if (tail.lastIndexOf(".") === 0) endings.add(tail);
    else byTail.push(last);
  }
  const isNamed = (name: string) =>
    namedHeads[headOf(name)] === 1 && names.has(name) ||
    endings.has(name.slice(Math.max(0, name.lastIndexOf(".")))) ||
    byTail.some((segment) => segment.test(name));
  return (name) =>
    tails[tailOf(name)] === 1 && isNamed(name) ||
    heads[headOf(name)] === 1 && byHead.some((segment) => segment.test(name));
}

const tailKinds = 1024, headKinds = 128;

/** The same for names with the same last two characters, and for few others. */
function tailOf(name: string): number {
  const end = name.length;
  return (name.charCodeAt(end - 2) * 33 + name.charCodeAt(end - 1)) & (tailKinds - 1);
}

function headOf(name: string): number {
  return name.charCodeAt(0) & (headKinds - 1);
}

/** Without trailing spaces, except one that a backslash keeps. */
function trimEnd(line: string): string {
  let end = line.length;
  while (end > 0 && line[end - 1] === " ") {
    let slashes = 0;
    while (line[end - 2 - slashes] === "\\") slashes++;
    if (slashes % 2 === 1) break;
    end--;
  }
  return line.slice(0, end);
}
