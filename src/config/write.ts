/** Changes one setting in a file that a person wrote; everything else stays as it is. */
import { messageOf, RunFailure } from "../core/failure.ts";
import type { Json } from "../core/json.ts";
import { realOf } from "../host/folders.ts";
import { writeStateFile } from "../host/state_files.ts";
import { readJsonFile } from "./json_file.ts";

/**
 * Sets the value at `keyPath` in the config.json at `path` (undefined removes it). Comments, order,
 * mode and links stay; references to secrets stay references. A missing file is made, private.
 * Throws `RunFailure("config")`, and leaves the file alone, where it cannot be read or written.
 */
export async function setUserSetting(
  path: string,
  keyPath: readonly string[],
  value: Json | undefined,
): Promise<void> {
  const file = await readJsonFile(path);
  const before = file?.text ?? "";
  const { setJsoncValue } = await import("../lib/jsonc.ts");
  try {
    const after = setJsoncValue(before, keyPath, value);
    if (after === before) return;
    // Writing to a link would replace the link, so the file that it leads to is written.
    await writeStateFile(realOf(path), after, file?.mode ?? 0o600);
  } catch (error) {
    throw new RunFailure(
      "config",
      `${path}: ${keyPath.join(".")} cannot be saved (${messageOf(error)})`,
      { cause: error },
    );
  }
}
