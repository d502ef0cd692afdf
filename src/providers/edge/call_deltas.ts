/** The pairing of tool call pieces in the chat wire, whatever a server does to index and id. */
import { isJsonObject, type Json, type JsonObject } from "../../core/json.ts";

/** One piece as an unmistakable server would have sent it. */
export interface CallPiece {
  readonly index: number;
  readonly id?: string;
  readonly name?: string;
  readonly text: string;
  /** `extra_content` of Google's compatible endpoint: carries the thought signature. */
  readonly extra?: Json;
}

interface Call {
  readonly index: number;
  readonly ids: Set<string>;
  name: string;
  text: string;
  /** Pieces that came before the name. */
  held: string;
  extra: Json | undefined;
}

export interface CallPairing {
  /** Takes the `tool_calls` list of one delta; returns pieces with stable indexes and ids. */
  take(list: readonly Json[]): CallPiece[];
  /** True where a call never got a name. */
  hasNameless(): boolean;
}

export function callPairing(): CallPairing {
  const calls: Call[] = [];
  const byWireIndex = new Map<number, Call>();
  const usedIds = new Set<string>();

  const newCall = (): Call => {
    const call: Call = {
      index: calls.length,
      ids: new Set(),
      name: "",
      text: "",
      held: "",
      extra: undefined,
    };
    calls.push(call);
    return call;
  };

  /** The call that a piece belongs to; undefined: a new one. */
  const find = (piece: WirePiece, position: number, listLength: number): Call | undefined => {
    const { index, id, name } = piece;
    const known = id === undefined ? undefined : calls.findLast((call) => call.ids.has(id));
    if (index !== undefined) {
      const current = byWireIndex.get(index);
      if (current === undefined) return name === undefined ? known : undefined;
      if (id !== undefined && !current.ids.has(id) && current.ids.size > 0) {
        if (known !== undefined) return known; // both calls share an index, told apart by id
        return name === undefined || continues(current, name) ? current : undefined;
      }
      return startsAgain(current, piece) ? undefined : current;
    }
    if (known !== undefined) return startsAgain(known, piece) ? undefined : known;
    const last = calls.at(-1);
    if (name !== undefined) return last && continues(last, name) ? last : undefined;
    if (id === undefined && listLength > 1) return calls.at(position - listLength) ?? last;
    return last;
  };

  return {
    take: (list) => {
      const pieces: CallPiece[] = [];
      list.forEach((item, position) => {
        if (!isJsonObject(item)) return;
        const piece = readPiece(item);
        const call = find(piece, position, list.length) ?? newCall();
        if (piece.index !== undefined) byWireIndex.set(piece.index, call);
        if (piece.id !== undefined) call.ids.add(piece.id);
        if (piece.extra !== undefined) call.extra = piece.extra;
        call.text += piece.text;
        if (call.name === "") {
          if (piece.name === undefined) {
            call.held += piece.text;
            return;
          }
          call.name = piece.name;
          pieces.push({
            index: call.index,
            id: distinctId(call, usedIds),
            name: call.name,
            text: call.held + piece.text,
            ...call.extra === undefined ? {} : { extra: call.extra },
          });
        } else if (piece.text !== "") pieces.push({ index: call.index, text: piece.text });
      });
      return pieces;
    },
    hasNameless: () => calls.some((call) => call.name === ""),
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
  return call.name === "" || (call.name === name && call.text !== "" && !isWhole(call.text));
}

/** A piece without a new id begins another call in the place of a whole one. */
function startsAgain(call: Call, piece: WirePiece): boolean {
  if (piece.name === undefined || call.name === "") return false;
  if (piece.name !== call.name) return true;
  return piece.text.trimStart().startsWith("{") && isWhole(call.text);
}

function isWhole(text: string): boolean {
  if (!text.trimEnd().endsWith("}")) return false;
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false; // not JSON yet: more will come
  }
}

/** The server's id where it is the first of its kind in the answer, else a new one. */
function distinctId(call: Call, used: Set<string>): string {
  const own = call.ids.values().next().value;
  const id = own !== undefined && !used.has(own) ? own : `call_${crypto.randomUUID().slice(0, 18)}`;
  used.add(id);
  return id;
}
