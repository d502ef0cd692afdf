/**
 * The syntax that PCRE2 10.34 takes but reads in another way than later versions, or gets wrong:
 * the first is an error, the second a warning, as a silent surprise would be worse.
 */

export interface Incompatibility {
  /** refuse: it means something else in later versions. warn: matches may be missing. */
  readonly kind: "refuse" | "warn";
  readonly message: string;
  /** In UTF-16 units. */
  readonly offset: number;
}

interface OpenGroup {
  readonly number: number | undefined;
  readonly name: string | undefined;
  /** In `(?|...)` every alternative counts from here. */
  readonly resetTo: number | undefined;
  readonly looks: boolean;
  highest: number;
}

/** The first place in `pattern` that must be refused, or else that calls for a warning. */
export function findIncompatibility(
  pattern: string,
  caseInsensitive: boolean,
): Incompatibility | undefined {
  const doubts = [...findDoubts(pattern)];
  if (caseInsensitive || /\(\?\^?[A-Za-z]*i/.test(pattern)) {
    const offset = pattern.search(/\\[pP]\{\^?\s*L[ult]\s*\}/);
    if (offset >= 0) {
      const message = "letters of one case only (\\p{Lu}, \\p{Ll}) stay so without regard to case";
      doubts.push({ kind: "warn", message, offset });
    }
  }
  return doubts.find(({ kind }) => kind === "refuse") ?? doubts[0];
}

function* findDoubts(pattern: string): Generator<Incompatibility> {
  const extended = /\(\?\^?[A-Za-z]*x/.test(pattern);
  const groups: OpenGroup[] = [];
  let captures = 0, definedAbove = false;
  for (let i = 0; i < pattern.length;) {
    const end = endOfSkipped(pattern, i, extended);
    if (end > i) {
      i = end;
      continue;
    }
    const rest = pattern.slice(i, i + 200);
    const reference = readReference(rest);
    if (reference && isOpen(groups, reference.target, captures)) {
      yield {
        kind: "warn",
        message: "a reference to the group it stands in can miss matches",
        offset: i,
      };
    }
    if (reference) {
      i += reference.length;
      continue;
    }
    const char = pattern[i]!;
    if (char === "\\") i += 2;
    else if (char === "[") i = endOfClass(pattern, i);
    else if (char === "(") {
      if (/^\(\?\(DEFINE\)/.test(rest)) definedAbove = true;
      else if (definedAbove && /^\(\?<[=!]/.test(rest)) {
        yield {
          kind: "warn",
          message: "a lookbehind after (?(DEFINE)...) can miss matches: put the definitions last",
          offset: i,
        };
      }
      if (verb.test(rest) && groups.some(({ looks }) => looks)) {
        yield {
          kind: "warn",
          message: "a verb like (*COMMIT) inside a lookaround can miss matches",
          offset: i,
        };
      }
      const opening = readOpening(rest);
      if (opening.captures) captures++;
      groups.push({
        number: opening.captures ? captures : undefined,
        name: opening.name,
        resetTo: opening.resets ? captures : undefined,
        looks: look.test(rest),
        highest: captures,
      });
      i += opening.length;
    } else if (char === "|") {
      const group = groups.at(-1);
      if (group?.resetTo !== undefined) {
        group.highest = Math.max(group.highest, captures);
        captures = group.resetTo;
      }
      i++;
    } else if (char === ")") {
      const group = groups.pop();
      if (group?.resetTo !== undefined) captures = Math.max(group.highest, captures);
      i++;
    } else if (char === "{" && newerQuantifier.test(rest) && i > 0) {
      yield {
        kind: "refuse",
        message:
          "only newer versions of PCRE2 know {,n} and spaces in {n,m}: write {0,n} without " +
          "spaces, or \\{ for a brace",
        offset: i,
      };
      i++;
    } else i++;
  }
}

/** Just after a quotation or comment that starts at `at`; `at` itself where none does. */
function endOfSkipped(pattern: string, at: number, extended: boolean): number {
  const after = (mark: string) => {
    const found = pattern.indexOf(mark, at + 1);
    return found < 0 ? pattern.length : found + mark.length;
  };
  if (pattern.startsWith("\\Q", at)) return after("\\E");
  if (pattern.startsWith("(?#", at)) return after(")");
  return extended && pattern[at] === "#" ? after("\n") : at;
}

const look = /^\((?:\?<?[=!*]|\*(?:na)?[pn]l[ab]:|\*(?:non_atomic_)?(?:positive|negative)_look)/;
const verb = /^\(\*(?:COMMIT|PRUNE|SKIP|THEN)[:)]/;

const newerQuantifier =
  /^\{(?:[ \t]*,[ \t]*\d{1,5}[ \t]*|[ \t]+\d{1,5}[ \t]*(?:,[ \t]*\d{0,5}[ \t]*)?|\d{1,5}[ \t]+(?:,[ \t]*\d{0,5}[ \t]*)?|\d{1,5},(?:[ \t]+\d{0,5}[ \t]*|\d{1,5}[ \t]+))\}/;

function readReference(rest: string): { target: string; length: number } | undefined {
  const match =
    /^(?:\\([1-9]\d{0,4})|\\g(-?\d{1,5})|\\g\{([^}]*)\}|\\k(?:<([^>]*)>|'([^']*)'|\{([^}]*)\})|\(\?P=([^)]*)\))/
      .exec(rest);
  if (!match) return undefined;
  const target = match.slice(1).find((part) => part !== undefined) ?? "";
  return { target: target.trim(), length: match[0].length };
}

function isOpen(groups: readonly OpenGroup[], target: string, captures: number): boolean {
  if (!/^-?\d+$/.test(target)) return groups.some((group) => group.name === target);
  const number = target.startsWith("-") ? captures + 1 + Number(target) : Number(target);
  return groups.some((group) => group.number === number);
}

function readOpening(rest: string) {
  const named = /^\(\?(?:P?<(?![=!])([^>]*)>|'([^']*)')/.exec(rest);
  if (named) {
    return { captures: true, resets: false, name: named[1] ?? named[2], length: named[0].length };
  }
  const special = /^\([?*]/.test(rest);
  return {
    captures: !special,
    resets: rest.startsWith("(?|"),
    name: undefined,
    length: rest.startsWith("(?|") ? 3 : special ? 2 : 1,
  };
}

/** Just after the `]` of the class that starts at `start`, or the end of the pattern. */
function endOfClass(pattern: string, start: number): number {
  let i = start + 1;
  if (pattern[i] === "^") i++;
  if (pattern[i] === "]") i++;
  for (; i < pattern.length; i++) {
    if (pattern[i] === "\\") i++;
    else if (/^\[:\^?[a-z]+:\]/.test(pattern.slice(i, i + 20))) i = pattern.indexOf("]", i + 2);
    else if (pattern[i] === "]") return i + 1;
  }
  return pattern.length;
}
