/** Looks at a file again once hooks have seen that it was changed: a formatter may have changed it since. */
import type { WatchChange } from "../core/moments.ts";
import { ToolFailure } from "../core/failure.ts";
import type { FileBounds } from "../core/file_bounds.ts";
import { type NodeFiles, nodeFiles } from "../host/files/node_files.ts";
import { openInside, readAll } from "../host/files/open_file.ts";
import { maxHashedBytes, versionOf, versionOfLarge } from "../host/files/version.ts";
import { unifiedDiff } from "../lib/diff.ts";
import { shownPath } from "../lib/shown_path.ts";
import { byteLength, headOf } from "../lib/well_formed.ts";

interface Look {
  readonly version: string;
  /** Undefined where it is too large to be shown. */
  readonly bytes: Uint8Array | undefined;
  readonly fingerprint: string;
  readonly path: string;
  readonly realPath: string;
}

const maxDiffLines = 40, maxDiffBytes = 4096;

/** To be called before the hooks; the function that it gives looks again after them. */
export const watchChange: WatchChange = async ({ tool, input, bounds, fileChanged }) => {
  const isOurs = tool.origin.kind === "built-in" && (tool.name === "edit" || tool.name === "write");
  const { path } = input as { readonly path?: unknown };
  if (!isOurs || typeof path !== "string") return undefined;
  const node = await nodeFiles();
  const before = lookAt(node, bounds, path);
  if (before === undefined) return undefined;
  return async (result, names) => {
    const now = lookAt(node, bounds, path);
    if (now?.fingerprint === before.fingerprint || now?.version === before.version) return result;
    const who = names.join(", ") || "something else";
    if (now === undefined) {
      const gone = `[${who} removed the file ${shownPath(before.path)}]`;
      return { ...result, isError: true, text: `${result.text}\n\n${gone}` };
    }
    if (now.bytes !== undefined) {
      const after = now.bytes, held = before.bytes ?? "too large";
      fileChanged?.({
        path: now.path,
        realPath: now.realPath,
        before: held,
        after,
        foldersMade: [],
      });
    }
    const head = result.text.replace(`version: ${before.version}`, () => `version: ${now.version}`);
    const parts = [
      head,
      `[${who} changed the file: version ${now.version}]`,
      await diffOf(before, now),
    ];
    return {
      ...result,
      text: parts.filter((part) => part !== "").join("\n\n"),
      filesChanged: [...new Set([...result.filesChanged ?? [], now.path])],
    };
  };
};

/** Undefined where there is no file that may be read. */
function lookAt(node: NodeFiles, bounds: FileBounds, path: string): Look | undefined {
  try {
    const file = openInside(node, bounds, path);
    try {
      const bytes = readAll(node, file, maxHashedBytes);
      return {
        version: bytes === undefined ? versionOfLarge(node, file.stat) : versionOf(node, bytes),
        bytes,
        fingerprint: file.stat.fingerprint,
        path: file.place.path,
        realPath: file.place.realPath,
      };
    } finally {
      node.fs.closeSync(file.fd);
    }
  } catch (error) {
    if (error instanceof ToolFailure) return undefined;
    throw error;
  }
}

async function diffOf(before: Look, now: Look): Promise<string> {
  const [old, next] = [textOf(before), textOf(now)];
  if (old === undefined || next === undefined) return "";
  const diff = await unifiedDiff(old, next);
  if (diff === undefined || diff.hunks === "") return "";
  const lines = diff.hunks.split("\n");
  const shown = lines.slice(0, maxDiffLines).join("\n");
  const cut = byteLength(shown) > maxDiffBytes ? headOf(shown, maxDiffBytes) : shown;
  return cut.length === diff.hunks.length ? cut : `${cut}\n[diff shortened]`;
}

function textOf({ bytes }: Look): string | undefined {
  if (bytes === undefined || bytes.includes(0)) return undefined;
  return new TextDecoder().decode(bytes).replaceAll("\r\n", "\n");
}
