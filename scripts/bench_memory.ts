/** The measurements of memory under load. */
import { type Answer, callTools, say } from "./bench_server.ts";
import { type Kit, median, type Row, runProgram } from "./bench_kit.ts";

export const memoryRows: Row[] = [
  {
    name: "output",
    what: "memory that 1 GB of a command's output adds",
    unit: "MB",
    wanted: { most: 60 },
    async measure(kit) {
      const run = (bytes: number) => [
        callTools(["bash", { command: `yes 'a line of output' | head -c ${bytes}` }]),
        say("Done."),
      ];
      const little = await peak(kit, run(1000)), much = await peak(kit, run(1e9));
      return grown(little, much, 1e6);
    },
  },
  {
    name: "answer",
    what: "memory that an answer of 20 MB adds, in its own size",
    unit: "x",
    wanted: { most: 3 },
    async measure(kit) {
      const size = 20e6, delta = "word ".repeat(800);
      const little = await peak(kit, [say("word ")]);
      const much = await peak(kit, [say(delta, size / delta.length)]);
      return grown(little, much, size);
    },
  },
];

/** Median of the most memory held in runs with these answers, all of stdout read. */
async function peak(kit: Kit, answers: readonly Answer[]): Promise<number> {
  const place = await kit.place();
  const peaks: number[] = [];
  for (let round = 0; round < 3; round++) {
    const { peakBytes } = await runProgram(kit, place, ["--mode", "json", "Go on."], {
      answers,
      watchMemory: true,
      onStdout: () => {},
    });
    peaks.push(peakBytes);
  }
  return median(peaks);
}

function grown(little: number, much: number, unitBytes: number) {
  return {
    value: (much - little) / unitBytes,
    note: `${(much / 1e6).toFixed(0)} MB against ${(little / 1e6).toFixed(0)} MB`,
  };
}
