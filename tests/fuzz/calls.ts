/** The making of random calls: right ones by template, then most of them damaged. */
import type { Json, JsonObject } from "../../src/core/json.ts";
import type { Random } from "../support/random.ts";
import { anyTime, oneSecond, quickCommands, slowCommands } from "./commands.ts";
import { damagedObject, damagedText } from "./damage.ts";
import { revisions, someGlob, somePath, somePattern, texts } from "./values.ts";

/** A call as a model streams it. */
export interface RandomCall {
  readonly name: string;
  /** The argument text; mostly JSON. */
  readonly inputText: string;
}

type Template = (random: Random) => JsonObject;

const maybe = (random: Random, value: () => Json): Json | undefined =>
  random.oneIn(2) ? value() : undefined;

const line = (random: Random): number =>
  random.pick([1, 1, 1, 2, 3, 80, 4000, 2 ** 31, 2 ** 53 - 1, 0]);

const templates: Record<string, Template> = {
  read: (random) => ({
    path: somePath(random),
    ...defined({ start_line: maybe(random, () => line(random)) }),
    ...defined({ end_line: maybe(random, () => line(random)) }),
  }),
  grep: (random) =>
    defined({
      pattern: somePattern(random),
      glob: maybe(random, () => someGlob(random)),
      path: maybe(random, () => somePath(random)),
      case_insensitive: maybe(random, () => random.oneIn(2)),
      max_matches: maybe(random, () => random.pick([1, 3, 80, 200, 201, 1e9])),
    }),
  glob: (random) =>
    defined({ pattern: someGlob(random), path: maybe(random, () => somePath(random)) }),
  git: (random) =>
    defined({
      operation: random.pick([
        undefined,
        "status",
        "log",
        "show",
        "diff",
        "blame",
        "push",
        "STATUS",
      ]),
      path: maybe(random, () => somePath(random)),
      commit: maybe(random, () => random.pick(revisions)),
      limit: maybe(random, () => random.pick([1, 3, 100, 1000, 0, -1, 1.5])),
    }),
  read_skill: (random) => ({
    name: random.pick([
      "plain",
      "Plain!",
      "long",
      "broken",
      "odd",
      "../plain",
      "",
      "\ud800",
      "nope",
    ]),
  }),
  edit: (random) => {
    const hunk = () => ({
      old_text: !random.oneIn(4) ? random.pick(["one\n", "one", "two"]) : random.pick(texts),
      new_text: random.pick(texts),
    });
    const hunks = () => Array.from({ length: random.pick([0, 1, 1, 1, 2, 3]) }, hunk);
    return {
      path: somePath(random),
      ...random.oneIn(2) ? hunk() : { replacements: hunks() },
      ...random.oneIn(6) ? { expected_version: random.pick(["", "0".repeat(16), "x"]) } : {},
    };
  },
  write: (random) =>
    defined({
      path: somePath(random),
      content: random.pick(texts),
      overwrite: maybe(random, () => random.oneIn(2)),
    }),
  ask_user: (random) => ({ question: random.pick(texts), options: [random.pick(texts), "b"] }),
  echo_tool: (random) => ({
    text: random.pick(texts),
    ...defined({ count: maybe(random, () => 3), list: maybe(random, () => [1, 2]) }),
  }),
  failing_tool: () => ({}),
  broken_tool: () => ({ any: "thing" }),
  noisy_tool: () => ({}),
};

/** How often a tool is called; those that start processes cost the most time. */
const shares: readonly (readonly [number, string])[] = [
  ...[[20, "read"], [14, "grep"], [10, "glob"], [8, "git"], [4, "read_skill"]] as const,
  ...[[18, "edit"], [14, "write"], [5, "bash"], [3, "ask_user"]] as const,
  ...[[2, "echo_tool"], [1, "failing_tool"], [1, "broken_tool"], [1, "noisy_tool"]] as const,
];

export function randomCall(random: Random): RandomCall {
  if (random.oneIn(60)) return { name: unknownName(random), inputText: '{"path":"a.txt"}' };
  const name = random.weighted(shares);
  if (name === "bash") return commandCall(random);
  let input: Json = templates[name]!(random);
  for (let times = 2; times > 0 && random.oneIn(4); times--) input = damagedObject(random, input);
  const text = JSON.stringify(input);
  return { name, inputText: random.oneIn(12) ? damagedText(random, text) : text };
}

/** Commands are taken from the list as they are; only what stands around them is damaged. */
function commandCall(random: Random): RandomCall {
  if (random.oneIn(25)) {
    const command = random.pick(slowCommands);
    return {
      name: "bash",
      inputText: JSON.stringify({ command, timeout_seconds: random.pick(oneSecond) }),
    };
  }
  const command: Json = random.oneIn(8)
    ? random.pick<Json>([null, 5, true, [], ["true"], {}, "", "a\0b", "echo \ud800"])
    : random.pick(quickCommands);
  const input = defined({
    command,
    timeout_seconds: random.oneIn(6)
      ? random.pick<Json>(["NaN", [], {}, "", "x"])
      : random.pick(anyTime),
    ...random.oneIn(10) ? { extra: 1 } : {},
  });
  const text = JSON.stringify(input);
  return { name: "bash", inputText: random.oneIn(12) ? JSON.stringify(text) : text };
}

function unknownName(random: Random): string {
  return random.pick([
    "",
    "Read",
    "read ",
    "__proto__",
    "toString",
    "\ud800",
    "x".repeat(100_000),
    "a\nb",
  ]);
}

function defined(values: Record<string, Json | undefined>): JsonObject {
  return Object.fromEntries(
    Object.entries(values).filter((entry): entry is [string, Json] => entry[1] !== undefined),
  );
}
