/** The built-in table of well-known models, by family, most special first. */
import type { ThinkingLevel } from "../../core/model.ts";
import { type ModelFacts, type Prices, unknownModel } from "./model_facts.ts";

interface Family {
  /** Tried on the model's id in lower case, without a vendor in front. */
  readonly pattern: RegExp;
  readonly contextWindow: number;
  readonly maxOutputTokens: number;
  readonly images: boolean;
  readonly thinking: readonly ThinkingLevel[];
  /** Dollars a million tokens: input, output, cache reads, cache writes. */
  readonly prices?: readonly [number, number, number?, number?];
}

const never: readonly ThinkingLevel[] = ["none"];
const threeLevels: readonly ThinkingLevel[] = ["low", "medium", "high"];
const offAndThree: readonly ThinkingLevel[] = ["none", ...threeLevels];
const everyLevel: readonly ThinkingLevel[] = [
  "none",
  "minimal",
  "low",
  "medium",
  "high",
  "xhigh",
  "max",
];

const efforts: readonly ThinkingLevel[] = [...threeLevels, "xhigh", "max"];
const offAndEfforts: readonly ThinkingLevel[] = ["none", ...efforts];
const withoutXhigh: readonly ThinkingLevel[] = [...offAndThree, "max"];
const opusPrices = [5, 25, 0.5, 6.25] as const;
const sonnetPrices = [3, 15, 0.3, 3.75] as const;

function family(
  pattern: RegExp,
  contextWindow: number,
  maxOutputTokens: number,
  images: boolean,
  thinking: readonly ThinkingLevel[],
  prices?: readonly [number, number, number?, number?],
): Family {
  return prices === undefined
    ? { pattern, contextWindow, maxOutputTokens, images, thinking }
    : { pattern, contextWindow, maxOutputTokens, images, thinking, prices };
}

const families: readonly Family[] = [
  // Anthropic
  family(/claude-(fable|mythos)|claude-(opus|sonnet)-5[-.]5/, 200_000, 128_000, true, efforts),
  family(/claude-opus-(4[-.][78]|[5-9])/, 200_000, 128_000, true, offAndEfforts, opusPrices),
  family(/claude-sonnet-[5-9]/, 200_000, 128_000, true, offAndEfforts, sonnetPrices),
  family(/claude-opus-4[-.][6-9]/, 200_000, 128_000, true, withoutXhigh, opusPrices),
  family(/claude-sonnet-4[-.][6-9]/, 200_000, 128_000, true, withoutXhigh, sonnetPrices),
  family(/claude-opus-4[-.]5/, 200_000, 64_000, true, everyLevel, opusPrices),
  family(/claude-opus-4|claude-4-opus/, 200_000, 32_000, true, everyLevel, [15, 75, 1.5, 18.75]),
  family(/claude-haiku-4|claude-haiku-[5-9]/, 200_000, 64_000, true, everyLevel, [1, 5, 0.1, 1.25]),
  family(
    /claude-(sonnet-4|4-sonnet)|claude-3[-.]7-sonnet/,
    200_000,
    64_000,
    true,
    everyLevel,
    sonnetPrices,
  ),
  family(/claude-3[-.]5-haiku/, 200_000, 8192, true, never, [0.8, 4, 0.08, 1]),
  family(/claude-3[-.]5/, 200_000, 8192, true, never, [3, 15, 0.3, 3.75]),
  family(/claude-3/, 200_000, 4096, true, never),
  family(/claude/, 200_000, 64_000, true, everyLevel),
  // OpenAI
  family(/gpt-([6-9](?!\d)|[12]\d)/, 400_000, 128_000, true, efforts),
  family(/gpt-5[.\d]*-pro/, 400_000, 128_000, true, ["medium", "high", "xhigh"], [21, 168]),
  family(/gpt-5\.[2-9]/, 400_000, 128_000, true, [...offAndThree, "xhigh"], [1.75, 14, 0.175]),
  family(/gpt-5\.1-codex-max/, 400_000, 128_000, true, [...offAndThree, "xhigh"], [
    1.25,
    10,
    0.125,
  ]),
  family(/gpt-5\.1/, 400_000, 128_000, true, offAndThree, [1.25, 10, 0.125]),
  family(/gpt-5-chat/, 128_000, 16_384, true, never, [1.25, 10, 0.125]),
  family(/gpt-5-codex/, 400_000, 128_000, true, threeLevels, [1.25, 10, 0.125]),
  family(/gpt-5-nano/, 400_000, 128_000, true, ["minimal", ...threeLevels], [0.05, 0.4, 0.005]),
  family(/gpt-5-mini/, 400_000, 128_000, true, ["minimal", ...threeLevels], [0.25, 2, 0.025]),
  family(/gpt-5/, 400_000, 128_000, true, ["minimal", ...threeLevels], [1.25, 10, 0.125]),
  family(/gpt-4\.1-nano/, 1_047_576, 32_768, true, never, [0.1, 0.4, 0.025]),
  family(/gpt-4\.1-mini/, 1_047_576, 32_768, true, never, [0.4, 1.6, 0.1]),
  family(/gpt-4\.1/, 1_047_576, 32_768, true, never, [2, 8, 0.5]),
  family(/gpt-4o-mini/, 128_000, 16_384, true, never, [0.15, 0.6, 0.075]),
  family(/gpt-4o/, 128_000, 16_384, true, never, [2.5, 10, 1.25]),
  family(/gpt-oss/, 131_072, 32_768, false, threeLevels),
  family(/gpt-3\.5/, 16_385, 4096, false, never, [0.5, 1.5]),
  family(/gpt-4/, 128_000, 4096, true, never, [10, 30]),
  family(/(^|\/)o[34]-mini/, 200_000, 100_000, true, threeLevels, [1.1, 4.4, 0.275]),
  family(/(^|\/)o[134]/, 200_000, 100_000, true, threeLevels, [2, 8, 0.5]),
  // Google
  family(/gemini-3[.\d]*-flash/, 1_048_576, 65_536, true, ["minimal", ...threeLevels], [
    0.5,
    3,
    0.05,
  ]),
  family(/gemini-3/, 1_048_576, 65_536, true, threeLevels, [2, 12, 0.2]),
  family(/gemini-2\.5-flash-lite/, 1_048_576, 65_536, true, everyLevel, [0.1, 0.4, 0.01]),
  family(/gemini-2\.5-flash/, 1_048_576, 65_536, true, everyLevel, [0.3, 2.5, 0.03]),
  family(/gemini-2\.5/, 1_048_576, 65_536, true, everyLevel.slice(1), [1.25, 10, 0.125]),
  family(/gemini-(2\.0|1\.5)/, 1_048_576, 8192, true, never, [0.1, 0.4, 0.025]),
  family(/gemini/, 1_048_576, 65_536, true, threeLevels),
  family(/gemma/, 131_072, 8192, true, never),
  // Others
  family(/magistral/, 128_000, 40_000, true, ["none", "high"], [2, 5]),
  family(/codestral|devstral/, 256_000, 32_768, false, never, [0.3, 0.9]),
  family(/mistral-large/, 256_000, 32_768, true, never, [0.5, 1.5]),
  family(/mistral-(medium|small)/, 128_000, 32_768, true, ["none", "high"], [0.4, 2]),
  family(/ministral|mixtral|mistral/, 128_000, 32_768, false, never),
  family(/deepseek/, 131_072, 32_768, false, offAndThree, [0.28, 0.42, 0.028]),
  family(/grok-code/, 256_000, 32_768, false, never, [0.2, 1.5, 0.02]),
  family(/grok-4[-.]?\d*-fast/, 2_000_000, 32_768, true, offAndThree, [0.2, 0.5, 0.05]),
  family(/grok-4/, 256_000, 32_768, true, offAndThree, [3, 15, 0.75]),
  family(/grok-3-mini/, 131_072, 32_768, false, ["low", "high"], [0.3, 0.5, 0.075]),
  family(/grok/, 131_072, 32_768, false, never, [3, 15, 0.75]),
  family(/qwen.*(vl|omni)/, 131_072, 32_768, true, offAndThree),
  family(/qwen3-coder/, 262_144, 65_536, false, never),
  family(/qwen|qwq/, 131_072, 32_768, false, offAndThree),
  family(/kimi|moonshot/, 262_144, 32_768, false, offAndThree, [0.6, 2.5, 0.15]),
  family(/glm-4\.\dv|glm-5v/, 131_072, 32_768, true, offAndThree),
  family(/glm/, 200_000, 65_536, false, offAndThree, [0.6, 2.2, 0.11]),
  family(/minimax/, 204_800, 65_536, false, offAndThree, [0.3, 1.2]),
  family(/llama-4/, 1_048_576, 16_384, true, never),
  family(/llama.*vision|llava|pixtral/, 131_072, 8192, true, never),
  family(/llama|phi|command-r|granite|nemotron/, 131_072, 8192, false, never),
];

/** What is known about `model` from its name; unknown names get careful guesses. */
export function builtInFacts(model: string): ModelFacts {
  const id = model.toLowerCase();
  const found = families.find(({ pattern }) => pattern.test(id));
  if (found === undefined) return unknownModel;
  const { contextWindow, maxOutputTokens, images, thinking, prices } = found;
  const facts = { contextWindow, maxOutputTokens, images, thinking };
  return prices === undefined ? facts : { ...facts, prices: named(prices) };
}

function named([input, output, cacheRead, cacheWrite]: readonly [
  number,
  number,
  number?,
  number?,
]): Prices {
  return {
    input,
    output,
    ...cacheRead === undefined ? {} : { cacheRead },
    ...cacheWrite === undefined ? {} : { cacheWrite },
  };
}
