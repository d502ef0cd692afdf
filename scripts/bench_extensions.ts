/** The measurements of extensions: what they add to a start, a call, memory, and an end. */
import { type Answer, callTools, say } from "./bench_server.ts";
import {
  addedMs,
  interleaved,
  type Kit,
  median,
  type Place,
  type Row,
  runProgram,
  writeFiles,
} from "./bench_kit.ts";

const prompt = ["-p", "Go on."];

/** One that answers at once, in the languages that people write them in. */
const answering = {
  node: {
    command: ["node", "answer.mjs"],
    file: "answer.mjs",
    text: `
import { createInterface } from "node:readline";
const say = (line) => process.stdout.write(JSON.stringify(line) + "\\n");
createInterface({ input: process.stdin }).on("line", (text) => {
  const line = JSON.parse(text);
  if (line.type === "initialize") say({ type: "register", events: ["tool_call"] });
  else if (line.id !== undefined) say({ type: "response", id: line.id });
});
`,
  },
  python: {
    command: ["python3", "answer.py"],
    file: "answer.py",
    text: `
import json, sys
def say(line): print(json.dumps(line), flush=True)
for text in sys.stdin:
    line = json.loads(text)
    if line["type"] == "initialize": say({"type": "register", "events": ["tool_call"]})
    elif "id" in line: say({"type": "response", "id": line["id"]})
`,
  },
  sh: {
    command: ["sh", "answer.sh"],
    file: "answer.sh",
    text: `
read -r line
echo '{"type":"register","events":["tool_call"]}'
while read -r line; do
  case $line in *'"id":"n'*) ;; *) continue ;; esac
  id=\${line##*\\"id\\":\\"}
  echo "{\\"type\\":\\"response\\",\\"id\\":\\"\${id%%\\"*}\\"}"
done
`,
  },
};
type Language = keyof typeof answering;

/** Tools that answer with much, report without end, and an end that is not heard. */
const hostile = `
import { createInterface } from "node:readline";
const say = (line) => process.stdout.write(JSON.stringify(line) + "\\n");
const tool = (name) => ({ name, description: name, input_schema: { type: "object" }, capabilities: ["read"] });
process.on("SIGTERM", () => {});
setInterval(() => {}, 1000);
createInterface({ input: process.stdin }).on("line", (text) => {
  const line = JSON.parse(text);
  if (line.type === "initialize") say({ type: "register", tools: [tool("huge"), tool("updates")] });
  if (line.type !== "tool") return;
  const { bytes = 10, count = 0 } = line.arguments;
  let updates = "";
  for (let at = 0; at < count; at++) {
    updates += '{"type":"update","status":{"key":"k","text":"' + at + '"}}\\n';
  }
  process.stdout.write(updates);
  say({ type: "response", id: line.id, content: [{ type: "text", text: "x".repeat(bytes) }] });
});
`;

export const extensionRows: Row[] = [
  ...(["node", "python", "sh"] as const).map((language): Row => ({
    name: `extension-${language}`,
    what: `an extension in ${language} that is asked about a call and answers at once`,
    unit: "ms",
    wanted: { most: 3 },
    measure: async (kit) => ({ value: await askedMs(kit, { [language]: language }, 1) }),
  })),
  {
    name: "extension-many",
    what: "50 of them in a row",
    unit: "ms",
    wanted: { most: 60 },
    measure: async (kit) => ({
      value: await askedMs(
        kit,
        Object.fromEntries(Array.from({ length: 50 }, (_, index) => [`s${index}`, "sh" as const])),
        50,
      ),
    }),
  },
  payloadRow("extension-100k", 100_000, 1),
  payloadRow("extension-1m", 1_000_000, 8),
  {
    name: "extension-start",
    what: "start to the first request with three extensions of sh, over none",
    unit: "ms",
    wanted: { most: 25 },
    async measure(kit) {
      const without = await kit.place(), having = await kit.place();
      for (const name of ["a", "b", "c"]) await addExtension(having, name, "sh");
      const [bare, full] = await interleaved(
        kit.runs,
        () => firstRequestMs(kit, without),
        () => firstRequestMs(kit, having),
      );
      return addedMs(bare!, full!);
    },
  },
  {
    name: "extension-fifty",
    what: "50 extensions of sh that are all there, from the start to the end of a run",
    unit: "ms",
    wanted: { most: 3000 },
    async measure(kit) {
      const place = await kit.place();
      for (let index = 0; index < 50; index++) await addExtension(place, `s${index}`, "sh");
      const [value] = await interleaved(3, async () => {
        const { started, ended } = await runProgram(kit, place, prompt, { answers: [say("Hi.")] });
        return ended - started;
      });
      return { value: value! };
    },
  },
  {
    name: "extension-answer",
    what: "memory that an answer of 15 MB, and one of 50 MB that is dropped, add",
    unit: "MB",
    wanted: { most: 60 },
    async measure(kit) {
      const place = await hostilePlace(kit);
      const peak = async (...sizes: number[]) => {
        const answers = [...sizes.map((bytes) => callTools(["huge", { bytes }])), say("Done.")];
        const peaks: number[] = [];
        for (let round = 0; round < 3; round++) {
          const run = await runProgram(kit, place, prompt, { answers, watchMemory: true });
          peaks.push(run.peakBytes / 1e6);
        }
        return median(peaks);
      };
      const little = await peak(10, 11), large = await peak(50e6, 11), most = await peak(15e6, 11);
      return {
        value: Math.max(large, most) - little,
        note: `50 MB: +${(large - little).toFixed(0)}, 15 MB: +${(most - little).toFixed(0)}`,
      };
    },
  },
  {
    name: "extension-answer-time",
    what: "time of a call that is answered with 50 MB",
    unit: "ms",
    wanted: { most: 500 },
    measure: async (kit) => ({ value: await callMs(kit, "huge", { bytes: 50e6 }) }),
  },
  {
    name: "extension-updates",
    what: "time of a call that comes with 200,000 updates",
    unit: "ms",
    wanted: { most: 500 },
    measure: async (kit) => ({ value: await callMs(kit, "updates", { count: 200_000 }) }),
  },
  {
    name: "extension-deaf-end",
    what: "from the last request to the end, with an extension that nothing but KILL ends",
    unit: "ms",
    wanted: { most: 2500 },
    async measure(kit) {
      const place = await hostilePlace(kit);
      const [value] = await interleaved(Math.ceil(kit.runs / 5), async () => {
        const { ended, served } = await runProgram(kit, place, prompt, { answers: [say("Hi.")] });
        return ended - served.arrivals.at(-1)!;
      });
      return { value: value! };
    },
  },
];

function payloadRow(name: string, bytes: number, most: number): Row {
  return {
    name,
    what: `one in node that is asked about a call of ${bytes / 1000} KB`,
    unit: "ms",
    wanted: { most },
    measure: async (kit) => ({ value: await askedMs(kit, { node: "node" }, 1, bytes) }),
  };
}

/** The time that the extensions of one call take together; the median of several calls. */
async function askedMs(
  kit: Kit,
  extensions: Record<string, Language>,
  expected: number,
  bytes = 1000,
): Promise<number> {
  const place = await kit.place();
  for (const [name, language] of Object.entries(extensions)) {
    await addExtension(place, name, language);
  }
  const answers = Array.from(
    { length: 20 },
    (_, index) => callTools(["write", { path: `f${index}`, content: "x".repeat(bytes) }]),
  );
  const records = await recordsOf(kit, place, [...answers, say("Done.")]);
  const times = records.filter(({ type }) => type === "tool_result").map(({ hooks = [] }) => {
    const asked = hooks as { readonly ms: number; readonly outcome: string }[];
    if (asked.length !== expected || asked.some(({ outcome }) => outcome !== "passed")) {
      throw new Error(`expected ${expected} answers, found ${JSON.stringify(asked)}`);
    }
    return asked.reduce((sum, { ms }) => sum + ms, 0);
  });
  return median(times.slice(1));
}

async function callMs(kit: Kit, tool: string, input: Record<string, number>): Promise<number> {
  const place = await hostilePlace(kit);
  const records = await recordsOf(kit, place, [
    ...Array(4).fill(callTools([tool, input])),
    say("Done."),
  ]);
  const times = records.filter(({ type }) => type === "tool_result")
    .map(({ duration_ms }) => Number(duration_ms)).slice(1);
  return median(times);
}

async function addExtension({ home }: Place, name: string, language: Language): Promise<void> {
  const { command, file, text } = answering[language];
  const [program, ...args] = command;
  const folder = `${home}/.nimlet/extensions/${name}`;
  const words = [program, ...args.map((arg) => `${folder}/${arg}`)];
  await writeFiles(folder, {
    "extension.json": JSON.stringify({ name, command: words }),
    [file]: text,
  });
}

async function hostilePlace(kit: Kit): Promise<Place> {
  const place = await kit.place(), folder = `${place.home}/.nimlet/extensions/h`;
  await writeFiles(folder, {
    "extension.json": JSON.stringify({ name: "h", command: ["node", `${folder}/h.mjs`] }),
    "h.mjs": hostile,
  });
  return place;
}

async function firstRequestMs(kit: Kit, place: Place): Promise<number> {
  const { started, served } = await runProgram(kit, place, prompt, { answers: [say("Hi.")] });
  return served.arrivals[0]! - started;
}

async function recordsOf(kit: Kit, place: Place, answers: readonly Answer[]) {
  const { stdout } = await runProgram(kit, place, ["--mode", "json", "Go on."], { answers });
  const text = await new Blob(stdout as BlobPart[]).text();
  return text.trim().split("\n").map((line) => JSON.parse(line) as Record<string, unknown>);
}
