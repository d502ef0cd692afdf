/** Finds the skills of all roots: trust, and which of two with one name counts. */
import { type Skill, skillKey } from "../core/skill.ts";
import { resolveLinks } from "../host/folders.ts";
import type { Locations } from "./locations.ts";
import { rootsOf } from "./roots.ts";
import { readSkill } from "./skill_file.ts";
import { findSkillFiles } from "./skill_folders.ts";

export interface Skills {
  /** Sorted by name; no two of them have the same `skillKey`. */
  readonly skills: readonly Skill[];
  /** One sentence for each thing that was skipped, shadowed or read leniently. */
  readonly notices: readonly string[];
}

const maxSkills = 1000;

/** Reads the skills of the five roots; those of the project only where it is trusted. */
export async function discoverSkills(
  locations: Locations & { readonly trusted: boolean },
): Promise<Skills> {
  const notices: string[] = [];
  const chosen = new Map<string, Skill>();
  const shadowed = new Map<string, Skill[]>();
  let leftOut = 0;
  for (const root of rootsOf("skills", locations)) {
    const found = findSkillFiles(root.path, locations, notices);
    // Quick ones are read without waiting, so that most starts need no YAML parser.
    const read = found.map((file) => readSkill(file, root.scope, locations, notices));
    for (const skill of await Promise.all(read)) {
      if (skill === undefined) continue;
      const key = skillKey(skill.name);
      const earlier = chosen.get(key);
      if (earlier === undefined && chosen.size >= maxSkills) {
        leftOut++;
        continue;
      }
      if (earlier !== undefined && !isSameFile(earlier.path, skill.path)) {
        shadowed.set(key, [...shadowed.get(key) ?? [], earlier]);
      }
      chosen.set(key, skill);
    }
  }
  for (const [key, losers] of shadowed) {
    const winner = chosen.get(key)!;
    const others = losers.map((skill) => skill.folder).join(", ");
    notices.push(`skill ${winner.name}: ${winner.folder} is used in place of ${others}.`);
  }
  if (leftOut > 0) notices.push(`${leftOut} skills were left out; at most ${maxSkills} are used.`);
  const skills = [...chosen.values()].sort((a, b) => a.name < b.name ? -1 : 1);
  return { skills, notices };
}

/** Two ways to one file are no conflict. */
function isSameFile(a: string, b: string): boolean {
  const left = resolveLinks(a), right = resolveLinks(b);
  return left.kind === "real" && right.kind === "real" && left.path === right.path;
}
