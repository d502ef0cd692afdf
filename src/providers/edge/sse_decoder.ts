/** The reading of server-sent events from bytes that may be cut anywhere. */

export interface SseEvent {
  /** The `event:` field; empty where there was none. */
  readonly name: string;
  /** The `data:` lines of the event, in order. */
  readonly data: readonly string[];
}

export class OversizedEvent extends Error {
  override readonly name = "OversizedEvent";
}

/** One event of a model's stream is far smaller; without a limit a broken server fills the memory. */
const defaultMaxChars = 64 * 1024 * 1024;

export interface SseDecoder {
  /** Takes the next bytes and calls `take` for each event that they complete. */
  push(bytes: Uint8Array, take: (event: SseEvent) => void): void;
  /** The stream is over: what is left is an event, too, though its blank line is missing. */
  end(take: (event: SseEvent) => void): void;
}

/** Reads LF, CRLF and CR line ends, a byte order mark, comments, and fields without a space. */
export function sseDecoder(maxEventChars = defaultMaxChars): SseDecoder {
  const decoder = new TextDecoder(); // drops the byte order mark
  let pieces: string[] = []; // of a line whose end has not come
  let pieceChars = 0;
  let afterCr = false;
  let name = "";
  let data: string[] = [];
  let dataChars = 0;

  const dispatch = (take: (event: SseEvent) => void) => {
    if (data.length > 0) take({ name, data });
    name = "";
    data = [];
    dataChars = 0;
  };
  const line = (text: string, take: (event: SseEvent) => void) => {
    if (text === "") return dispatch(take);
    if (text.startsWith("data:")) {
      const value = text.charCodeAt(5) === 32 ? text.slice(6) : text.slice(5);
      dataChars += value.length;
      if (dataChars > maxEventChars) throw new OversizedEvent("an event is too large");
      data.push(value);
    } else if (text.startsWith("event:")) name = text.slice(6).trim();
    else if (text.charCodeAt(0) === 58) {
      // Some gateways forget the line end between a keep-alive comment and the data after it.
      const glued = text.indexOf("data: {");
      if (glued > 0) data.push(text.slice(glued + 6));
    }
  };
  const consume = (text: string, take: (event: SseEvent) => void) => {
    let start = afterCr && text.startsWith("\n") ? 1 : 0;
    afterCr = false;
    let cr = text.indexOf("\r", start);
    while (true) {
      const lf = text.indexOf("\n", start);
      if (cr >= 0 && cr < start) cr = text.indexOf("\r", start);
      const isCr = cr >= 0 && (lf < 0 || cr < lf);
      const end = isCr ? cr : lf;
      if (end < 0) break;
      let whole = text.slice(start, end);
      if (pieces.length > 0) {
        whole = pieces.join("") + whole;
        pieces = [];
        pieceChars = 0;
      }
      line(whole, take);
      start = end + 1;
      if (!isCr) continue;
      if (start === text.length) afterCr = true;
      else if (text.charCodeAt(start) === 10) start++;
    }
    if (start >= text.length) return;
    pieces.push(text.slice(start));
    pieceChars += text.length - start;
    if (pieceChars > maxEventChars) throw new OversizedEvent("a line is too long");
  };
  return {
    push: (bytes, take) => {
      const text = decoder.decode(bytes, { stream: true });
      if (text !== "") consume(text, take);
    },
    end: (take) => {
      consume(decoder.decode() + "\n", take);
      dispatch(take);
    },
  };
}
