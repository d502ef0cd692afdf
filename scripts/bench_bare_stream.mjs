/**
 * The bare client of streams, for Deno: one answer, a line of JSON for each delta, written in large
 * pieces.
 *
 *     deno run --allow-net bench_bare_stream.mjs <endpoint>
 */
const [endpoint] = Deno.args;
const pieceChars = 65_536;
/** As long as ours. */
const ids = {
  session_id: "20260131-235959999-k3f9x2ab",
  run_id: "abcdefabcdef",
  turn_id: "abcdefabcdef",
};

const { body } = await fetch(`${endpoint}/chat/completions`, { method: "POST", body: "{}" });
const decoder = new TextDecoder(), encoder = new TextEncoder();
let rest = "", lines = "";

function write() {
  const bytes = encoder.encode(lines);
  for (let done = 0; done < bytes.length;) done += Deno.stdout.writeSync(bytes.subarray(done));
  lines = "";
}

for await (const bytes of body) {
  rest += decoder.decode(bytes, { stream: true });
  let from = 0;
  for (let end = rest.indexOf("\n\n"); end >= 0; end = rest.indexOf("\n\n", from)) {
    const event = rest.slice(from, end);
    from = end + 2;
    if (!event.startsWith("data: {")) continue;
    const delta = JSON.parse(event.slice(6)).choices[0]?.delta?.content;
    if (!delta) continue;
    lines += `${
      JSON.stringify({ version: 1, type: "message_delta", ...ids, step: 1, delta, model: "m" })
    }\n`;
    if (lines.length > pieceChars) write();
  }
  rest = rest.slice(from);
}
write();
