/** Messages in few words, for a summary: long texts and tool output are shortened. */
import type {
  AssistantMessage,
  ImagePart,
  Message,
  TextPart,
  ToolUsePart,
} from "../core/message.ts";
import { assertNever } from "../lib/assert_never.ts";
import { byteLength, capMiddle } from "../lib/well_formed.ts";

export const maxTextBytes = 8000;
const maxArgumentBytes = 1000;
const maxResultBytes = 2000;
const minTextBytes = 200;

/** One message as text; `scale`, at most 1, shortens it further. */
export function transcribe(message: Message, scale = 1): string {
  const lines = linesOf(message).map(({ text, maxBytes, wrap }) =>
    wrap(cut(text, mostBytes(maxBytes, scale)))
  );
  return `[${headingOf(message)}]\n${lines.join("\n")}`;
}

/** Brackets, line end, and the empty line after a message. */
const headingSigns = 4;

/** How many bytes the message's transcript has, at most, at each of `scales`. */
export function transcriptBytes(message: Message, scales: readonly number[]): number[] {
  const bytes = scales.map(() => byteLength(headingOf(message)) + headingSigns);
  for (const { text, maxBytes, wrap } of linesOf(message)) {
    const length = byteLength(text), around = byteLength(wrap("")) + 1;
    scales.forEach((scale, at) => {
      bytes[at]! += around + Math.min(length, mostBytes(maxBytes, scale));
    });
  }
  return bytes;
}

interface Line {
  readonly text: string;
  readonly maxBytes: number;
  wrap(text: string): string;
}

function linesOf(message: Message): Line[] {
  const asItIs = (text: string) => text;
  return message.content.flatMap((part): Line[] => {
    switch (part.type) {
      case "text":
        return [{ text: part.text, maxBytes: maxBytesOf(message), wrap: asItIs }];
      case "image":
        return [{ text: imageInWords(part), maxBytes: maxTextBytes, wrap: asItIs }];
      case "tool_use": {
        const wrap = (text: string) => `(calls ${part.name} ${text})`;
        return [{ text: argumentsOf(part), maxBytes: maxArgumentBytes, wrap }];
      }
      case "thinking":
        return [];
      default:
        return assertNever(part);
    }
  });
}

/**
 * `message` with no more of it than its transcript shows, for one that is summarised before anything is
 * sent. Holds on to nothing of the original.
 */
export function shortened(message: Message): Message {
  if (message.role === "assistant") {
    const { role, provider, model, finish } = message;
    return { role, provider, model, finish, content: message.content.flatMap(shortPart) };
  }
  const content = message.content.map((part) =>
    textPart(part.type === "text" ? ownCut(part.text, maxBytesOf(message)) : imageInWords(part))
  );
  return { ...message, content };
}

function shortPart(part: AssistantMessage["content"][number]): (TextPart | ToolUsePart)[] {
  if (part.type === "thinking") return [];
  if (part.type === "text") return [textPart(ownCut(part.text, maxTextBytes))];
  const { type, id, name, input, invalidText } = part;
  const whole = argumentsOf(part), short = ownCut(whole, maxArgumentBytes);
  if (short !== whole) return [{ type, id, name, input: {}, invalidText: short }];
  return [{ type, id, name, input, ...invalidText === undefined ? {} : { invalidText } }];
}

function textPart(text: string): TextPart {
  return { type: "text", text };
}

function headingOf(message: Message): string {
  switch (message.role) {
    case "user":
      return "user";
    case "assistant":
      return "agent";
    case "tool_result":
      return `${message.toolName} ${message.isError ? "failed" : "result"}`;
    default:
      return assertNever(message);
  }
}

function maxBytesOf({ role }: Message): number {
  return role === "tool_result" ? maxResultBytes : maxTextBytes;
}

function argumentsOf(part: ToolUsePart): string {
  return part.invalidText ?? JSON.stringify(part.input);
}

function imageInWords({ mediaType }: ImagePart): string {
  return `(an image, ${mediaType})`;
}

function mostBytes(maxBytes: number, scale: number): number {
  return Math.max(minTextBytes, Math.floor(maxBytes * scale));
}

const omissionBytes = 64;

/** Cut so that what is left, with the words for what is not, fits: cutting it again changes nothing. */
function cut(text: string, maxBytes: number): string {
  return byteLength(text) <= maxBytes ? text : capMiddle(text, maxBytes - omissionBytes);
}

/** The same in memory of its own: a piece of a text would keep the whole text. */
function ownCut(text: string, maxBytes: number): string {
  const short = cut(text, maxBytes);
  return short === text ? text : JSON.parse(JSON.stringify(short));
}
