/** Temporary trees for the tests of this room. */
import { dirname, join } from "node:path";
import type { Locations } from "../../src/instructions/locations.ts";

export interface Tree {
  /** Holds all the others. */
  readonly top: string;
  readonly home: string;
  readonly workspace: string;
  readonly outside: string;
  readonly locations: Locations & { home: string; nimletHome: string; trusted: boolean };
  write(path: string, content: string | Uint8Array): string;
  link(target: string, path: string): string;
  pipe(path: string): Promise<string>;
}

/** Makes a home, a workspace and a folder outside both; paths given to it are relative to `top`. */
export async function withTree<T>(use: (tree: Tree) => Promise<T> | T): Promise<T> {
  const top = Deno.realPathSync(Deno.makeTempDirSync({ prefix: "nimlet-test-" }));
  const [home, workspace, outside] = ["home", "w", "o"].map((name) => join(top, name)) as [
    string,
    string,
    string,
  ];
  for (const folder of [home, workspace, outside]) Deno.mkdirSync(folder);
  const ready = (path: string) => {
    const full = join(top, path);
    Deno.mkdirSync(dirname(full), { recursive: true });
    return full;
  };
  try {
    return await use({
      top,
      home,
      workspace,
      outside,
      locations: { workspace, home, nimletHome: join(home, ".nimlet"), trusted: false },
      write(path, content) {
        const full = ready(path);
        if (typeof content === "string") Deno.writeTextFileSync(full, content);
        else Deno.writeFileSync(full, content);
        return full;
      },
      link(target, path) {
        const full = ready(path);
        Deno.symlinkSync(target, full);
        return full;
      },
      async pipe(path) {
        const full = ready(path);
        const made = await new Deno.Command("mkfifo", { args: [full] }).output();
        if (!made.success) throw new Error(`mkfifo failed for ${full}`);
        return full;
      },
    });
  } finally {
    Deno.removeSync(top, { recursive: true });
  }
}

/** Text of a SKILL.md with simple front matter. */
export function skillText(name: string, description: string, body = "Do it.\n"): string {
  return `---\nname: ${name}\ndescription: ${description}\n---\n\n${body}`;
}
