/** Puts the pieces of tool calls together, whatever a server does to index and id. */
import { isJsonObject, type Json, type JsonObject } from "../../../core/json.ts";
import type { WholeCall } from "../answer.ts";

interface Call {
  readonly ids: Set<string>;
  name: string;
  text: string;
  readonly scan: JsonScan;
  /** `extra_content` of Google's compatible endpoint: carries the thought signature. */
  extra: Json | undefined;
}

export interface CallPairing {
  /** Takes the `tool_calls` list of one delta; gives the pieces of arguments that were in it. */
  take(list: readonly Json[]): string;
  /** The calls so far, in the order of their beginnings; a name may be missing. */
  all(): WholeCall[];
}

/** `tools`: the names of those that were offered, which tell a piece of a name from a name. */
export function callPairing(tools: readonly string[]): CallPairing {
  const names = new Set(tools.map((name) => name.toLowerCase()));
  const calls: Call[] = [];
  const byIndex = new Map<number, Call>();
  const byId = new Map<string, Call>();

  /** The call that a piece belongs to; undefined: a new one. */
  const find = (piece: WirePiece, position: number, listLength: number): Call | undefined => {
    const { index, id, name } = piece;
    const known = id === undefined ? undefined : byId.get(id);
    if (index !== undefined) {
      const current = byIndex.get(index);
      if (current === undefined) return name === undefined ? known : undefined;
      if (id !== undefined && !current.ids.has(id) && current.ids.size > 0) {
        if (known !== undefined) return known; // both calls share an index, told apart by id
        return name === undefined || continues(current, name) ? current : undefined;
      }
      return startsAgain(current, piece) ? undefined : current;
    }
    if (known !== undefined) return startsAgain(known, piece) ? undefined : known;
    const last = calls.at(-1);
    if (name !== undefined) {
      if (last === undefined) return undefined;
      const isMore = id === undefined && isMoreOfName(last, name, names);
      return isMore || continues(last, name) ? last : undefined;
    }
    if (id === undefined && listLength > 1) return calls.at(position - listLength) ?? last;
    return last;
  };

  return {
    take: (list) => {
      let taken = "";
      list.forEach((item, position) => {
        if (!isJsonObject(item)) return;
        const piece = readPiece(item);
        let call = find(piece, position, list.length);
        if (call === undefined) {
          call = { ids: new Set(), name: "", text: "", scan: jsonScan(), extra: undefined };
          calls.push(call);
        }
        if (piece.index !== undefined) byIndex.set(piece.index, call);
        if (piece.id !== undefined) {
          call.ids.add(piece.id);
          byId.set(piece.id, call);
        }
        if (piece.extra !== undefined) call.extra = piece.extra;
        if (piece.name !== undefined && piece.name !== call.name) call.name += piece.name;
        call.text += piece.text;
        call.scan.add(piece.text);
        taken += piece.text;
      });
      return taken;
    },
    all: () =>
      calls.map(({ ids, name, text, extra }) => ({
        id: ids.values().next().value ?? "",
        name,
        inputText: text,
        ...extra === undefined ? {} : { metadata: { extra_content: extra } },
      })),
  };
}

interface WirePiece {
  readonly index: number | undefined;
  readonly id: string | undefined;
  readonly name: string | undefined;
  readonly text: string;
  readonly extra: Json | undefined;
}

function readPiece(item: JsonObject): WirePiece {
  const fn = isJsonObject(item.function) ? item.function : item;
  const args = fn.arguments;
  const index = typeof item.index === "string" && item.index.trim() !== ""
    ? Number(item.index)
    : item.index;
  return {
    index: typeof index === "number" && Number.isFinite(index) ? index : undefined,
    id: filled(item.id),
    name: filled(fn.name),
    // Some servers send the arguments parsed.
    text: typeof args === "string" ? args : isJsonObject(args) ? JSON.stringify(args) : "",
    extra: isJsonObject(item.extra_content) ? item.extra_content : undefined,
  };
}

function filled(value: Json | undefined): string | undefined {
  return typeof value === "string" && value.trim() !== "" ? value : undefined;
}

/** A named piece is more of `call`, not a new call: its arguments have begun and are not whole. */
function continues(call: Call, name: string): boolean {
  return call.name === "" || (call.name === name && call.text !== "" && !call.scan.isWhole());
}

/**
 * A name that comes in pieces, on a server that gives neither index nor id: the piece is no tool by
 * itself, and what it makes together with those before begins the name of one.
 */
function isMoreOfName(call: Call, piece: string, names: ReadonlySet<string>): boolean {
  if (call.text !== "" || call.name === "") return false;
  // a name space, as in `functions.bash`
  if (/[.:/]$/.test(call.name)) return true;
  if (names.has(piece.toLowerCase())) return false;
  const joined = (call.name + piece).toLowerCase();
  for (const name of names) if (name.startsWith(joined)) return true;
  return false;
}

/** A piece without a new id begins another call in the place of a whole one. */
function startsAgain(call: Call, piece: WirePiece): boolean {
  if (piece.name === undefined || call.name === "") return false;
  // A name that comes in two pieces is one call's: no arguments have come between them.
  if (piece.name !== call.name) return call.text !== "";
  return piece.text.trimStart().startsWith("{") && call.scan.isWhole();
}

interface JsonScan {
  add(text: string): void;
  /** An object was opened, and all that was opened is closed. */
  isWhole(): boolean;
}

function jsonScan(): JsonScan {
  let depth = 0;
  let opened = false, inText = false, escaped = false;
  return {
    add: (text) => {
      for (let at = 0; at < text.length; at++) {
        const char = text[at];
        if (inText) {
          if (escaped) escaped = false;
          else if (char === "\\") escaped = true;
          else if (char === '"') inText = false;
        } else if (char === '"') inText = true;
        else if (char === "{" || char === "[") {
          depth++;
          opened ||= char === "{";
        } else if (char === "}" || char === "]") depth--;
      }
    },
    isWhole: () => opened && depth === 0 && !inText,
  };
}
