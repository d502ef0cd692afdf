/** Names what broke a connection, in a few words and without the address. */
import { oneLine } from "./one_line.ts";

/** The innermost reason of a connection's failure, in a few words. */
export function connectionReason(error: unknown): string {
  const messages: string[] = [];
  for (let at: unknown = error, depth = 0; at instanceof Error && depth < 6; depth++) {
    messages.push(at.message);
    at = at.cause;
  }
  const text = messages.join(": ");
  if (/connection refused|ECONNREFUSED/i.test(text)) return "connection refused";
  if (/dns error|failed to lookup|ENOTFOUND|name or service not known/i.test(text)) {
    return "the name has no address (DNS lookup failed)";
  }
  const certificate = /invalid peer certificate: ?(.*)/i.exec(text);
  if (certificate) return `its certificate is not trusted (${certificate[1]!.slice(0, 80)})`;
  if (/invalid HTTP version|invalid HTTP status|parsing header|preface/i.test(text)) {
    return "what answers there does not speak HTTP";
  }
  if (/InvalidContentType|wrong version number|corrupt message/i.test(text)) {
    return "what answers there does not speak HTTPS";
  }
  if (/connection reset|ECONNRESET/i.test(text)) return "connection reset";
  if (/timed? ?out|ETIMEDOUT/i.test(text)) return "the connection timed out";
  if (/closed before message|incomplete|unexpected eof|error reading a body/i.test(text)) {
    return "the connection was closed";
  }
  // The message may hold the whole address with its query.
  const last = (messages.at(-1) ?? String(error)).replace(/\(?https?:\/\/\S+/g, "")
    .replace(/^error sending request .*client error \(\w+\): /, "").trim();
  return oneLine(last, 200) || "no reason given";
}
