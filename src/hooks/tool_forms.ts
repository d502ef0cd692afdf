/** Calls and results in the form that hooks know, and changed arguments back from it. */
import { dirname, isAbsolute, join, relative, resolve } from "node:path";
import { isJsonObject, type Json, type JsonObject } from "../core/json.ts";
import type { AnyTool } from "../core/tool.ts";
import { parseWorkspacePath } from "../core/workspace_path.ts";
import { realOrMissing } from "../host/folders.ts";
import { isInside } from "../lib/path_inside.ts";

/** `tool_input`, and how changed arguments are read back. */
export interface ToolForm {
  readonly input: JsonObject;
  /** Absolute paths of the file that the call is about: as named, and where links lead. */
  readonly paths: readonly string[];
  /** Nimlet's arguments for changed ones, or what is wrong with them. */
  back(changed: JsonObject): JsonObject | { readonly unfit: string };
  response(output: string, isError: boolean, wasInterrupted: boolean): JsonObject;
}

export function toolForm(tool: AnyTool, given: JsonObject, workspace: string): ToolForm {
  const plain: ToolForm = {
    input: given,
    paths: [],
    back: (changed) => changed,
    response: (output) => ({ content: output }),
  };
  if (tool.origin.kind !== "built-in") return plain;
  const file = fileOf(given, workspace);
  const path = { file_path: file.real };
  const withPath = { ...plain, paths: [file.named, file.real] };
  const written = () => ({ filePath: file.real, success: true });
  switch (tool.name) {
    case "bash":
      return {
        ...plain,
        input: {
          ...pick(given, { command: "command" }),
          ...typeof given.timeout_seconds === "number"
            ? { timeout: given.timeout_seconds * 1000 }
            : {},
        },
        back: (changed) =>
          known(changed, ["command", "timeout", "description"]) ?? {
            ...pick(changed, { command: "command" }),
            ...typeof changed.timeout === "number"
              ? { timeout_seconds: changed.timeout / 1000 }
              : pick(changed, { timeout: "timeout_seconds" }),
          },
        response: (output, _isError, interrupted) => ({
          stdout: output,
          stderr: "",
          interrupted,
          isImage: false,
        }),
      };
    case "read":
      return {
        ...withPath,
        input: { ...path, ...rangeOf(given) },
        back: (changed) =>
          known(changed, ["file_path", "offset", "limit"]) ??
            { ...pathBack(changed, file, workspace), ...rangeBack(changed) },
        response: (output) => ({ file: { filePath: file.real, content: output } }),
      };
    case "edit":
      return {
        ...withPath,
        input: { ...path, ...editForm(given), replace_all: false },
        back: (changed) => editBack(changed, given, pathBack(changed, file, workspace)),
        response: written,
      };
    case "write":
      return {
        ...withPath,
        input: { ...path, ...pick(given, { content: "content" }) },
        back: (changed) =>
          known(changed, ["file_path", "content"]) ?? {
            ...pathBack(changed, file, workspace),
            ...pick(changed, { content: "content" }),
            ...pick(given, { overwrite: "overwrite" }),
          },
        response: written,
      };
    case "grep":
    case "glob":
      return searchForm(tool.name, given, plain, file, workspace);
    default:
      return plain;
  }
}

interface NamedFile {
  /** As the tool was given it. */
  readonly given: Json | undefined;
  /** Absolute, by the text alone. */
  readonly named: string;
  /** Where it is, through links: what a guard looks at must be what is written. */
  readonly real: string;
}

function fileOf({ path }: JsonObject, workspace: string): NamedFile {
  const text = typeof path === "string" ? path : "";
  const parsed = parseWorkspacePath(text);
  const named = "outside" in parsed ? resolve(workspace, text) : join(workspace, parsed.relative);
  return { given: path, named, real: realTarget(named) };
}

/** The path without links, also of a file that is still to be made. */
function realTarget(path: string): string {
  const real = realOrMissing(path);
  if (real !== undefined) return real;
  const parent = dirname(path);
  return parent === path ? path : join(realTarget(parent), path.slice(parent.length));
}

function pathBack(changed: JsonObject, file: NamedFile, workspace: string): JsonObject {
  const path = changed.file_path ?? changed.path;
  if (path === undefined) return {};
  if (path === file.real || path === file.named) {
    return file.given === undefined ? {} : { path: file.given };
  }
  if (typeof path !== "string" || !isAbsolute(path)) return { path };
  return { path: isInside(workspace, path) ? relative(workspace, path) || "." : path };
}

/** What `value` has of the named keys, under their new names. */
function pick(value: JsonObject, names: Readonly<Record<string, string>>): JsonObject {
  return Object.fromEntries(
    Object.entries(names).flatMap(([name, other]) =>
      value[name] === undefined ? [] : [[other, value[name]]]
    ),
  );
}

function known(
  changed: JsonObject,
  keys: readonly string[],
): { readonly unfit: string } | undefined {
  const unknown = Object.keys(changed).find((key) => !keys.includes(key));
  if (unknown === undefined) return undefined;
  return { unfit: `unknown key ${JSON.stringify(unknown)}; the keys are ${keys.join(", ")}` };
}

function rangeOf({ start_line: first, end_line: last }: JsonObject): JsonObject {
  return {
    ...first === undefined ? {} : { offset: first },
    ...typeof last === "number"
      ? { limit: Math.max(0, last - (typeof first === "number" ? first : 1) + 1) }
      : {},
  };
}

function rangeBack({ offset, limit }: JsonObject): JsonObject {
  const first = typeof offset === "number" ? offset : 1;
  return {
    ...offset === undefined ? {} : { start_line: offset },
    ...limit === undefined
      ? {}
      : { end_line: typeof limit === "number" ? first + limit - 1 : limit },
  };
}

function editForm({ old_text, new_text, replacements }: JsonObject): JsonObject {
  if (!Array.isArray(replacements)) {
    return pick({ old_text: old_text!, new_text: new_text! }, {
      old_text: "old_string",
      new_text: "new_string",
    });
  }
  const edits = replacements.filter(isJsonObject).map((one) => ({
    old_string: one.old_text ?? "",
    new_string: one.new_text ?? "",
  }));
  // joined, so that a look through the new text sees all of it
  return {
    old_string: edits.map((one) => one.old_string).join("\n"),
    new_string: edits.map((one) => one.new_string).join("\n"),
    edits,
  };
}

function editBack(
  changed: JsonObject,
  given: JsonObject,
  path: JsonObject,
): JsonObject | { readonly unfit: string } {
  const keys = ["file_path", "old_string", "new_string", "replace_all", "edits"];
  const unfit = known(changed, keys);
  if (unfit !== undefined) return unfit;
  if (changed.replace_all === true) {
    return { unfit: "replace_all: expected false, as every old_string must occur once" };
  }
  const kept = { ...path, ...pick(given, { expected_version: "expected_version" }) };
  const texts = { old_string: "old_text", new_string: "new_text" };
  const { edits } = changed;
  if (edits === undefined) return { ...kept, ...pick(changed, texts) };
  if (!Array.isArray(edits) || !edits.every(isJsonObject)) {
    return { unfit: "edits: expected an array of objects" };
  }
  return { ...kept, replacements: edits.map((one) => pick(one, texts)) };
}

function searchForm(
  name: string,
  given: JsonObject,
  plain: ToolForm,
  file: NamedFile,
  workspace: string,
): ToolForm {
  const isGrep = name === "grep";
  return {
    ...plain,
    input: {
      ...pick(given, { pattern: "pattern" }),
      ...given.path === undefined ? {} : { path: file.real },
      ...isGrep
        ? {
          ...pick(given, { glob: "glob" }),
          ...given.case_insensitive === undefined ? {} : { "-i": given.case_insensitive },
          output_mode: "content",
        }
        : {},
    },
    back(changed) {
      const { "-i": ignoreCase, output_mode: mode, ...others } = changed;
      const unfit = known(others, isGrep ? ["pattern", "path", "glob"] : ["pattern", "path"]);
      if (unfit !== undefined) return unfit;
      if (mode !== undefined && mode !== "content") {
        return { unfit: 'output_mode: expected "content"' };
      }
      return {
        ...pick(changed, { pattern: "pattern", glob: "glob" }),
        ...pathBack(changed, file, workspace),
        ...ignoreCase === undefined ? {} : { case_insensitive: ignoreCase },
        ...pick(given, { max_matches: "max_matches" }),
      };
    },
  };
}
