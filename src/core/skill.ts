/** What a skill is: a folder of instructions that the model loads by name. */

export interface Skill {
  /** One word; what `read_skill` and `/skill:` are given. */
  readonly name: string;
  /** One line that says what it is for and when to use it. */
  readonly description: string;
  readonly scope: "global" | "project";
  /** For people and the model: relative to the workspace, or from `~`. */
  readonly folder: string;
  /** Absolute path of the SKILL.md. */
  readonly path: string;
  /** Reads the text after the front matter, as it is on disk now. */
  readBody(): Promise<SkillBody>;
}

export type SkillBody =
  | {
    readonly kind: "body";
    readonly text: string;
    /** Bytes of the whole body where `text` holds only its start. */
    readonly cutFromBytes?: number;
  }
  /** One sentence: what was expected, what was found, where. */
  | { readonly kind: "unreadable"; readonly problem: string };

/** The skill that a person means by `name`; case and punctuation do not matter where only one can be meant. */
export function findSkill(skills: readonly Skill[], name: string): Skill | undefined {
  const wanted = name.trim();
  return skills.find((skill) => skill.name === wanted) ??
    skills.find((skill) => skillKey(skill.name) === skillKey(wanted));
}

/** Names with the same key are the same name: letters and digits in lower case, joined by hyphens. */
export function skillKey(name: string): string {
  return (name.normalize("NFKC").toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []).join("-");
}
