/** The making of small trees for search tests. */
import { dirname } from "node:path";

/** Writes files by relative path; folders are made as needed. */
export async function writeTree(
  root: string,
  files: Record<string, string | Uint8Array>,
): Promise<void> {
  for (const [path, content] of Object.entries(files)) {
    await Deno.mkdir(dirname(`${root}/${path}`), { recursive: true });
    await Deno.writeFile(
      `${root}/${path}`,
      typeof content === "string" ? new TextEncoder().encode(content) : content,
    );
  }
}

/** Makes `root` the root of a repository, as far as ignore rules go. */
export async function markRepository(root: string): Promise<void> {
  await Deno.mkdir(`${root}/.git/info`, { recursive: true });
}

/** Runs a command of the system to its end; throws where it fails. */
export async function runCommand(file: string, args: string[]): Promise<void> {
  const { success, stderr } = await new Deno.Command(file, { args, stdout: "null" }).output();
  if (!success) throw new Error(`${file} failed: ${new TextDecoder().decode(stderr)}`);
}
