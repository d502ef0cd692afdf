/** Where a search starts: the path that was given, found inside the workspace or refused. */
import { ToolFailure } from "../../core/failure.ts";
import { outsideMessage, parseWorkspacePath } from "../../core/workspace_path.ts";
import { shownInSentence } from "./shown_path.ts";

export interface Place {
  readonly kind: "file" | "folder";
  /** Absolute real path, inside the workspace. */
  readonly real: string;
  /** Relative to the workspace as it was given; `""` for the workspace itself. */
  readonly shown: string;
}

/** Throws `ToolFailure` where the path leads outside, is missing, or is neither file nor folder. */
export function findPlace(workspace: string, path: string): Place {
  const parsed = parseWorkspacePath(path);
  const place = "outside" in parsed ? "outside" : lookUp(workspace, parsed.relative);
  if (typeof place !== "string") return place;
  const shown = shownInSentence(path);
  switch (place) {
    case "outside":
      throw new ToolFailure("outside_workspace", outsideMessage(shown));
    case "missing":
      throw new ToolFailure("not_found", `no such file or folder: ${shown}`);
    case "special":
      throw new ToolFailure("not_a_file", `neither a file nor a folder: ${shown}`);
    case "unreadable":
      throw new ToolFailure("io_error", `cannot be read: ${shown}`);
  }
}

/** What is at a relative path without `.` and `..`. */
export function lookUp(
  workspace: string,
  relative: string,
): Place | "outside" | "missing" | "special" | "unreadable" {
  const joined = relative === "" ? workspace : `${workspace === "/" ? "" : workspace}/${relative}`;
  try {
    const real = Deno.realPathSync(joined);
    if (!isInside(workspace, real)) return "outside";
    const info = Deno.lstatSync(real);
    if (info.isFile) return { kind: "file", real, shown: relative };
    if (info.isDirectory) return { kind: "folder", real, shown: relative };
    return "special";
  } catch (error) {
    if (error instanceof Deno.errors.NotFound || error instanceof Deno.errors.NotADirectory) {
      return "missing";
    }
    if (error instanceof TypeError || error instanceof Deno.errors.FilesystemLoop) return "missing";
    return "unreadable";
  }
}

/** Both absolute real paths. */
export function isInside(workspace: string, real: string): boolean {
  return workspace === "/" || real === workspace || real.startsWith(`${workspace}/`);
}
