/** `@path` in a prompt: which words are mentions, and in what order they are attached. */
import { join, relative, resolve } from "node:path";
import { outsideMessage } from "../core/workspace_path.ts";
import type { ImagePart, TextPart } from "../core/message.ts";
import { kindAt, resolveLinks } from "../host/folders.ts";
import { isInside } from "../lib/path_inside.ts";
import { shownPath } from "../lib/shown_path.ts";
import { attachmentOf, type ExamineImage } from "./attachment.ts";
import { type Locations } from "./locations.ts";

export interface Mentions {
  /** What follows the prompt's own text in the message, in the order of the mentions. */
  readonly parts: readonly (TextPart | ImagePart)[];
  readonly notices: readonly string[];
  /** What is attached, as paths of the workspace without links. */
  readonly paths: readonly string[];
}

export const maxMentions = 20;
const maxMentionTextBytes = 300_000;
export const maxMentionImages = 5;

/**
 * Attaches the files, folders and images that `text` names as `@path`, `@path:10-20` or
 * `@"path with blanks"`. A word that names nothing on disk is left alone.
 */
export async function attachMentions(
  text: string,
  locations: Locations,
  examineImage: ExamineImage,
): Promise<Mentions> {
  const parts: (TextPart | ImagePart)[] = [];
  const notices: string[] = [], paths = new Set<string>();
  const seen = new Set<string>();
  let textBytes = maxMentionTextBytes;
  let images = maxMentionImages;
  for (const written of mentionedWords(text)) {
    const mention = findMention(written, locations);
    if (mention === undefined) continue;
    if ("problem" in mention) {
      notices.push(mention.problem);
      continue;
    }
    const key = `${mention.realPath}:${mention.lines ?? ""}`;
    if (seen.has(key)) continue;
    if (seen.size >= maxMentions) {
      notices.push(`Only ${maxMentions} mentioned paths are attached; the others were left out.`);
      break;
    }
    seen.add(key);
    const attached = await attachmentOf(mention, locations, examineImage, textBytes);
    notices.push(...attached.notices);
    paths.add(relative(locations.workspace, mention.realPath) || ".");
    for (const part of attached.parts) {
      if (part.type === "image" && images-- <= 0) {
        notices.push(
          `@${shownPath(mention.path)} was not attached: ${maxMentionImages} images at most.`,
        );
      } else parts.push(part);
    }
    textBytes -= attached.textBytes;
  }
  return { parts, notices, paths: [...paths] };
}

/** A pasted text may hold thousands of words that start with `@`; each costs a look at the disk. */
const maxWords = 1000;
const maxWordLength = 4096;
const maxPunctuation = 8;

/** What follows each `@` at the start of a word; so no addresses like `ada@example.org`. */
function mentionedWords(text: string): string[] {
  const words = text.matchAll(/(?<![^\s([{"'`,;<])@(?:"([^"\n]+)"|([^\s"'`<>|]+))/gu);
  const written = new Set<string>();
  for (const match of words) {
    const word = match[1] ?? match[2]!;
    if (word.length <= maxWordLength) written.add(word);
    if (written.size >= maxWords) break;
  }
  return [...written];
}

export interface Mention {
  /** As written, without the range. */
  readonly path: string;
  readonly realPath: string;
  /** `10-20` or `10`. */
  readonly lines?: string;
}

/** The longest reading of `written` that names something: punctuation after it may not belong. */
function findMention(
  written: string,
  locations: Locations,
): Mention | { problem: string } | undefined {
  const shortest = Math.max(1, written.length - maxPunctuation);
  for (let word = written; word.length >= shortest; word = word.slice(0, -1)) {
    // What is left of `..` or `./?` is no mention.
    if (word === "." && written !== ".") return undefined;
    const range = /^(.+):(\d+(?:-\d+)?)$/.exec(word);
    for (const path of range === null ? [word] : [word, range[1]!]) {
      const full = fullPath(path, locations);
      if (full === undefined || kindAt(full) === "missing") continue;
      const real = resolveLinks(full);
      if (real.kind === "missing") {
        return { problem: `@${shownPath(path)} is a link that leads nowhere.` };
      }
      if (real.kind === "unreadable") return { problem: `@${shownPath(path)} ${real.reason}.` };
      if (!isInside(locations.workspace, real.path)) {
        return {
          problem: `@${shownPath(path)} was not attached: ${outsideMessage(shownPath(path))}`,
        };
      }
      const lines = path === word ? {} : { lines: range![2]! };
      return { path, realPath: real.path, ...lines };
    }
    if (!/[\p{P}\p{S}]$/u.test(word)) return undefined;
  }
  return undefined;
}

function fullPath(path: string, locations: Locations): string | undefined {
  if (path.includes("\0")) return undefined;
  if (/^~[/\\]/.test(path)) {
    return locations.home === undefined ? undefined : join(locations.home, path.slice(2));
  }
  // A lone dot or slash is no mention, nor is what is left of punctuation.
  return /[\p{L}\p{N}_]/u.test(path) || path === "./" || path === "."
    ? resolve(locations.workspace, path)
    : undefined;
}
