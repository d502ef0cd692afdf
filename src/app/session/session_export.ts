/** Writes a session to a file: a page, Markdown, or the records as they are. */
import { extname } from "node:path";
import { messageOf, RunFailure } from "../../core/failure.ts";
import { kindAt } from "../../host/folders.ts";
import { copyFile } from "../../host/session_files.ts";
import { writeStateFile } from "../../host/state_files.ts";
import { findSession, type SessionPlace } from "../../session/find_session.ts";

const forms = [".html", ".md", ".jsonl"];

/**
 * Writes the session that `ref` names, also one in use, to `path`, in the form that its ending names;
 * gives what could not be read, one sentence each. Never replaces a file. Throws `RunFailure`.
 */
export async function writeExport(
  ref: string,
  place: SessionPlace,
  path: string,
): Promise<readonly string[]> {
  const form = extname(path).toLowerCase();
  if (!forms.includes(form)) {
    throw new RunFailure(
      "usage",
      `expected a file that ends in .html, .md or .jsonl to export to, found ${path}`,
    );
  }
  if (kindAt(path) !== "missing") {
    throw new RunFailure("usage", `${path} is there already; name another file`);
  }
  if (form === ".jsonl") {
    const source = findSession(ref, place);
    await written(path, () => copyFile(source, path));
    return [];
  }
  const { readSession } = await import("../../session/read_session.ts");
  const { records, notices } = await readSession(ref, place);
  const text = form === ".html"
    ? (await import("../../session/export_html.ts")).exportHtml(records)
    : (await import("../../session/export_markdown.ts")).exportMarkdown(records);
  await written(path, () => writeStateFile(path, text));
  return notices;
}

async function written(path: string, write: () => void | Promise<void>): Promise<void> {
  try {
    await write();
  } catch (error) {
    throw new RunFailure("output", `${path} cannot be written: ${messageOf(error)}`, {
      cause: error,
    });
  }
}
