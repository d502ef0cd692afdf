/** The edit tool: exact replacements in one file, all of them or none. */
import { ToolFailure } from "../core/failure.ts";
import type { FileBounds } from "../core/file_bounds.ts";
import {
  argumentShape,
  type ArgumentsOf,
  list,
  objectOf,
  optional,
  text,
} from "../core/argument_shape.ts";
import { isJsonObject, type Json } from "../core/json.ts";
import type { Tool, ToolContext, ToolOutput } from "../core/tool.ts";
import { type NodeFiles, nodeFiles } from "../host/files/node_files.ts";
import { type OpenFile, openInside, readAll } from "../host/files/open_file.ts";
import { osFailure } from "../host/files/os_error.ts";
import { writeInside } from "../host/files/replace_file.ts";
import { changeKey } from "../host/files/trusted_part.ts";
import {
  maxHashedBytes,
  versionOf,
  versionOfLarge,
  versionOfWritten,
} from "../host/files/version.ts";
import { shownPath } from "../lib/shown_path.ts";
import { markOf } from "../lib/byte_order_mark.ts";
import { applyReplacements, type Replacement } from "./edit_apply.ts";
import { shownDiff } from "./edit_diff.ts";
import { linksNote, lostNote, openElsewhereNote, targetOf } from "./edit_notes.ts";
import { counted, noteChange, resultText } from "./file_result.ts";
import { describeEndings, isAllCrlf, lineEndingsOf } from "./text_form.ts";

const fields = {
  path: text("Workspace-relative path."),
  old_text: optional(text("Not empty.")),
  new_text: optional(text()),
  replacements: optional(
    list(
      "Several, applied in order, instead of old_text and new_text.",
      objectOf({ old_text: text(), new_text: text() }),
      { minItems: 1 },
    ),
  ),
  expected_version: optional(
    text("Version from an earlier result: fail if the file has changed since."),
  ),
};
type EditInput = ArgumentsOf<typeof fields>;
const shape = argumentShape(fields, formProblem);

/** Arguments that do not fit fail in the call, where the file's version can be reported. */
type Unfit = { readonly path: string; readonly problem: string };

export const editTool: Tool<EditInput | Unfit> = {
  name: "edit",
  description:
    "Replace exact text in one file: old_text and new_text, or replacements. Each old_text " +
    "must occur exactly once; nothing is written unless all of them fit.",
  capabilities: ["write"],
  input: { jsonSchema: shape.jsonSchema, parse },
  parallel: false,
  origin: { kind: "built-in" },
  grantKey: ({ path }, bounds) => changeKey("edit", bounds, path),
  async run(input, context) {
    const node = await nodeFiles();
    try {
      if ("problem" in input) {
        throw new ToolFailure("invalid_arguments", `invalid_arguments: ${input.problem}`);
      }
      return await edit(node, input, context);
    } catch (error) {
      const failure = osFailure(error, input.path, "edit");
      if (!(failure instanceof ToolFailure)) throw failure;
      throw editFailed(node, context, input.path, failure);
    }
  },
};

async function parse(raw: Json): Promise<{ input: EditInput | Unfit }> {
  const parsed = await shape.parse(raw);
  if ("input" in parsed) return parsed;
  const path = isJsonObject(raw) && typeof raw.path === "string" ? raw.path : "";
  return { input: { path, problem: parsed.problems.join("; ") } };
}

/** Exactly one of the two forms must be given, and the short one whole. */
function formProblem({ old_text, new_text, replacements }: EditInput): string | undefined {
  const short = [old_text, new_text].filter((text) => text !== undefined).length;
  if (replacements !== undefined) {
    return short === 0
      ? undefined
      : "expected either replacements or old_text and new_text, found both";
  }
  if (short === 0) return "expected old_text and new_text, or replacements, found neither";
  if (old_text === undefined) return "expected old_text beside new_text";
  return new_text === undefined ? "expected new_text beside old_text" : undefined;
}

async function edit(
  node: NodeFiles,
  input: EditInput,
  context: ToolContext,
): Promise<ToolOutput> {
  const { path, expected_version } = input;
  const replacements: readonly Replacement[] = input.replacements ??
    [{ old_text: input.old_text!, new_text: input.new_text! }];
  let before = "", after = "", bytes = new Uint8Array(), endings: string | undefined;
  let old: Uint8Array = bytes;
  const outcome = writeInside(node, {
    bounds: context,
    permittedKey: context.permittedKey,
    path,
    existing: "update",
    content(current, held) {
      old = bytesOf(node, path, current!, held);
      if (expected_version !== undefined && expected_version !== versionOf(node, old)) {
        throw new ToolFailure(
          "edit_failed",
          `${shownPath(path)} has changed: its version is not ${shownPath(expected_version)}; ` +
            "read it again",
        );
      }
      const mark = old.subarray(0, markOf(old)?.length ?? 0);
      const body = old.subarray(mark.length);
      const found = lineEndingsOf(body);
      endings = describeEndings(found);
      before = new TextDecoder("utf-8", { ignoreBOM: true }).decode(body);
      after = applyReplacements(before, replacements, isAllCrlf(found));
      const encoded = new TextEncoder().encode(after);
      bytes = new Uint8Array(mark.length + encoded.length);
      bytes.set(mark);
      bytes.set(encoded, mark.length);
      return bytes;
    },
  });
  if (before !== after) noteChange(context, outcome.place, old, bytes);
  const diff = await shownDiff(shownPath(outcome.place.path), before, after);
  const text = resultText({
    path: shownPath(outcome.place.path),
    version: versionOfWritten(node, bytes, outcome.written),
    changed: describeChange(replacements.length, before === after, diff.summary),
    target: targetOf(outcome),
    "line endings": endings && `${endings}, kept`,
    ...linksNote(outcome),
    ...lostNote(outcome),
    ...openElsewhereNote(outcome),
  }, diff.text);
  return { text, filesChanged: before === after ? [] : [outcome.place.path] };
}

function describeChange(replacements: number, same: boolean, summary: string | undefined): string {
  const made = counted(replacements, "replacement");
  if (same) return `nothing: ${made} left the text as it was`;
  return summary === undefined ? made : `${made}, ${summary}`;
}

/** All bytes of a file that is UTF-8 text; anything else would be damaged by an edit. */
function bytesOf(
  node: NodeFiles,
  path: string,
  current: OpenFile,
  bytes: Uint8Array | undefined,
): Uint8Array {
  if (bytes === undefined) {
    throw new ToolFailure(
      "too_large",
      `${
        shownPath(path)
      } is too large to edit: it has ${current.stat.sizeBytes} bytes, the limit ` +
        `is ${maxHashedBytes}; use a command such as sed`,
    );
  }
  const encoding = markOf(bytes)?.encoding ?? "UTF-8";
  if (encoding !== "UTF-8" || !node.isUtf8(bytes)) {
    const found = encoding === "UTF-8" ? "not UTF-8" : encoding;
    throw new ToolFailure(
      "not_text",
      `${shownPath(path)} is ${found}, and edit changes UTF-8 text only; nothing was changed, ` +
        "convert it first (iconv) or replace it whole with write",
    );
  }
  return bytes;
}

/** Every failure starts alike and reports the version in force, so that the model can try again. */
function editFailed(
  node: NodeFiles,
  bounds: FileBounds,
  path: string,
  failure: ToolFailure,
): ToolFailure {
  const version = currentVersion(node, bounds, path);
  return new ToolFailure(
    failure.code,
    `EDIT_FAILED: ${failure.message}${version === undefined ? "" : `\nversion: ${version}`}`,
    { cause: failure },
  );
}

function currentVersion(node: NodeFiles, bounds: FileBounds, path: string): string | undefined {
  try {
    const file = openInside(node, bounds, path);
    try {
      const bytes = readAll(node, file, maxHashedBytes);
      return bytes ? versionOf(node, bytes) : versionOfLarge(node, file.stat);
    } finally {
      node.fs.closeSync(file.fd);
    }
  } catch {
    return undefined; // There is no such file, or it may not be read: no version to report.
  }
}
