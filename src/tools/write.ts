/** The write tool: a whole file, created or replaced at once. */
import { ToolFailure } from "../core/failure.ts";
import { argumentShape, type ArgumentsOf, flag, optional, text } from "../core/argument_shape.ts";
import type { Tool, ToolContext, ToolOutput } from "../core/tool.ts";
import { type NodeFiles, nodeFiles } from "../host/files/node_files.ts";
import { osFailure } from "../host/files/os_error.ts";
import { writeInside } from "../host/files/replace_file.ts";
import { changeKey } from "../host/files/trusted_part.ts";
import { versionOf, versionOfWritten } from "../host/files/version.ts";
import { shownPath } from "../lib/shown_path.ts";
import { markOf } from "../lib/byte_order_mark.ts";
import { shownDiff } from "./edit_diff.ts";
import { linksNote, lostNote, openElsewhereNote, targetOf } from "./edit_notes.ts";
import { counted, noteChange, resultText } from "./file_result.ts";
import { describeEndings, lineEndingsOf } from "./text_form.ts";

const fields = {
  path: text("Workspace-relative; missing folders are made."),
  content: text(),
  overwrite: optional(
    flag("Default false: fail if the file exists."),
  ),
};
export type WriteInput = ArgumentsOf<typeof fields>;

export const writeTool: Tool<WriteInput> = {
  name: "write",
  description: "Create a file with its whole content, or with overwrite replace one.",
  capabilities: ["write"],
  input: argumentShape(fields),
  parallel: false,
  origin: { kind: "built-in" },
  grantKey: ({ path }, bounds) => changeKey("write", bounds, path),
  async run(input, context) {
    const node = await nodeFiles();
    try {
      return await write(node, input, context);
    } catch (error) {
      throw osFailure(error, input.path, "write");
    }
  },
};

async function write(
  node: NodeFiles,
  input: WriteInput,
  context: ToolContext,
): Promise<ToolOutput> {
  if (!input.content.isWellFormed()) {
    throw new ToolFailure(
      "invalid_arguments",
      "invalid_arguments: content is not valid Unicode: it holds half a character",
    );
  }
  const bytes = new TextEncoder().encode(input.content);
  let old: Uint8Array | undefined;
  const outcome = writeInside(node, {
    bounds: context,
    permittedKey: context.permittedKey,
    path: input.path,
    existing: input.overwrite === true ? "replace" : "create",
    content(_current, held) {
      old = held;
      return bytes;
    },
  });
  const path = shownPath(outcome.place.path);
  const replaced = outcome.replaced !== undefined;
  const before = old && textIn(node, old);
  const same = old !== undefined && versionOf(node, old) === versionOf(node, bytes);
  if (!same) {
    noteChange(context, outcome.place, old ?? (replaced ? "too large" : "none"), bytes);
  }
  const comparable = !replaced || before !== undefined;
  const diff = comparable
    ? await shownDiff(path, before, input.content)
    : { text: undefined, summary: undefined };
  const size = counted(bytes.length, "byte");
  const text = resultText({
    path,
    version: versionOfWritten(node, bytes, outcome.written),
    [replaced ? "replaced" : "created"]: [size, same ? "same content as before" : diff.summary]
      .filter((part) => part !== undefined).join(", "),
    target: targetOf(outcome),
    ...(old === undefined ? {} : formChanges(node, old, bytes)),
    ...linksNote(outcome),
    ...lostNote(outcome),
    ...openElsewhereNote(outcome),
  }, diff.text);
  return { text, filesChanged: same ? [] : [outcome.place.path] };
}

/** Encoding, mark and line endings that the new content does not share with the old. */
function formChanges(
  node: NodeFiles,
  old: Uint8Array,
  now: Uint8Array,
): Record<string, string | undefined> {
  const from = markOf(old), to = markOf(now);
  const oldEncoding = from?.encoding ?? (node.isUtf8(old) ? "UTF-8" : "not UTF-8");
  if (oldEncoding !== "UTF-8") return { encoding: `changed from ${oldEncoding} to UTF-8` };
  const before = describeEndings(lineEndingsOf(old)) ?? "LF";
  const after = describeEndings(lineEndingsOf(now)) ?? "LF";
  const bothHaveLines = old.includes(10) && now.includes(10);
  return {
    bom: from !== undefined && to === undefined
      ? "removed, the content has none"
      : from === undefined && to !== undefined
      ? "added, the content starts with one"
      : undefined,
    "line endings": bothHaveLines && before !== after
      ? `changed from ${before} to ${after}`
      : undefined,
  };
}

/** The old text for a diff; undefined for what is no plain UTF-8 text. */
function textIn(node: NodeFiles, bytes: Uint8Array): string | undefined {
  if (bytes.includes(0) || !node.isUtf8(bytes)) return undefined;
  return new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes);
}
