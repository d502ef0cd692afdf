/** Reads one SKILL.md: its name, its description, its body. */
import { basename, dirname } from "node:path";
import { type Skill, type SkillBody, skillKey } from "../core/skill.ts";
import { oneLine } from "../lib/one_line.ts";
import { withoutEnd } from "../lib/trim.ts";
import { byteLength, headOf } from "../lib/well_formed.ts";
import {
  type FrontMatter,
  readFrontMatter,
  readPlainFrontMatter,
  splitFrontMatter,
} from "./front_matter.ts";
import { type Locations, shownFrom } from "./locations.ts";
import { readTextFile } from "./text_file.ts";

/** The most of a skill's body that the model is given. */
const maxSkillBodyBytes = 100_000;
const maxSkillFileBytes = 1024 * 1024;
const maxDescriptionLength = 1024;
const usualHeadBytes = 2 * 1024;
const maxHeadBytes = 64 * 1024;

/** The skill in the file at `path`, or undefined with a notice that says why there is none. */
export function readSkill(
  path: string,
  scope: Skill["scope"],
  locations: Locations,
  notices: string[],
): Skill | undefined | Promise<Skill | undefined> {
  const shown = () => shownFrom(locations, path);
  const skip = (line: number, why: string) =>
    void notices.push(`${shown()}:${line}: ${why}; the skill was skipped.`);
  let file = readTextFile(path, usualHeadBytes);
  if (file.kind === "missing") return skip(1, "the file is gone");
  if (file.kind === "unreadable") return skip(1, `the file ${file.reason}`);
  let split = splitFrontMatter(file.text);
  if (split.kind === "unclosed" && file.cutFromBytes !== undefined) {
    const more = readTextFile(path, maxHeadBytes);
    if (more.kind === "text") {
      file = more;
      split = splitFrontMatter(file.text);
    }
  }
  if (split.kind === "none") {
    return skip(1, `expected front matter between --- lines, ${found(file.text)}`);
  }
  if (split.kind === "unclosed") return skip(split.line, "the front matter has no closing ---");
  if (file.replaced) {
    notices.push(
      `${shown()}:1: the file is not valid UTF-8; the bytes that are not were replaced.`,
    );
  }
  const make = (matter: FrontMatter): Skill | undefined => {
    const description = oneLine(matter.fields.get("description") ?? "");
    for (const note of matter.notes) {
      if (description !== "") notices.push(`${shown()}:${note.line}: ${note.message}.`);
    }
    if (description === "") {
      const note = matter.notes[0];
      const line = note?.line ?? matter.lines.get("description") ?? split.firstLine - 1;
      const what = matter.lines.has("description") ? "the description is empty" : "no description";
      return skip(line, note === undefined ? what : `${what} (${oneLine(note.message)})`);
    }
    const nameLine = matter.lines.get("name") ?? split.firstLine - 1;
    const name = nameOf(matter.fields.get("name"), basename(dirname(path)), (why) => {
      notices.push(`${shown()}:${nameLine}: ${why}.`);
    });
    if (name === "") return skip(nameLine, "the name holds no letter or digit");
    const descriptionLine = matter.lines.get("description") ?? 1;
    return {
      name,
      description: cutDescription(description, (why) => {
        notices.push(`${shown()}:${descriptionLine}: ${why}.`);
      }),
      scope,
      get folder() {
        return shownFrom(locations, dirname(path));
      },
      path,
      readBody: () => Promise.resolve(readBody(path, shown())),
    };
  };
  const plain = readPlainFrontMatter(split.block, split.firstLine);
  return plain === undefined
    ? readFrontMatter(split.block, split.firstLine).then(make)
    : make(plain);
}

function found(text: string): string {
  const first = oneLine(text.trimStart().split("\n", 1)[0]!, 41);
  return first === "" ? "found an empty file" : `found ${JSON.stringify(first)}`;
}

/** A name that can be typed as one word; `note` is called where it is not the usual form. */
function nameOf(written: string | undefined, folder: string, note: (why: string) => void): string {
  const plain = written ?? folder;
  if (/^[a-z0-9]+(-[a-z0-9]+)*$/.test(plain) && plain.length <= 64) return plain;
  const given = plain.normalize("NFKC").trim();
  const isWord = /^[\p{L}\p{N}][\p{L}\p{N}_.:-]*$/u.test(given) && given.length <= 64;
  const name = isWord ? given : withoutEnd(skillKey(given).slice(0, 64), "-");
  if (name !== "") {
    const known = name === given ? "" : `; it is known as ${name}`;
    note(
      `the name ${
        JSON.stringify(given.slice(0, 80))
      } is not 1 to 64 lower-case letters, digits and hyphens${known}`,
    );
  }
  return name;
}

function cutDescription(text: string, note: (why: string) => void): string {
  if (text.length <= maxDescriptionLength) return text;
  note(`the description has ${text.length} characters; the list shows ${maxDescriptionLength}`);
  return oneLine(text, maxDescriptionLength);
}

function readBody(path: string, shown: string): SkillBody {
  const file = readTextFile(path, maxSkillFileBytes);
  if (file.kind === "missing") return { kind: "unreadable", problem: `${shown} is gone.` };
  if (file.kind === "unreadable") {
    return { kind: "unreadable", problem: `${shown} ${file.reason}.` };
  }
  const split = splitFrontMatter(file.text);
  const body = split.kind === "unclosed" ? file.text : split.body;
  const text = body.replace(/^\n+/, "");
  const bytes = byteLength(text) + Math.max(0, (file.cutFromBytes ?? 0) - maxSkillFileBytes);
  if (bytes <= maxSkillBodyBytes) return { kind: "body", text };
  return { kind: "body", text: headOf(text, maxSkillBodyBytes), cutFromBytes: bytes };
}
