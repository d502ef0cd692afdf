/** What of the machine the file tools may touch, and what was found there. */
import type { Sandbox } from "./sandbox.ts";

/** The workspace, without nimlet's own folder. */
export interface FileBounds {
  /** Absolute real path of the workspace. */
  readonly workspace: string;
  /** nimlet's own folder, absolute: out of bounds, also where it lies in the workspace. */
  readonly nimletHome?: string | undefined;
  /** What it keeps from changes and from sight holds for the file tools, too. */
  readonly sandbox?: Pick<Sandbox, "protects" | "hides"> | undefined;
}

/** What was found at a path inside the bounds, by a look that no swapped link can lead outside. */
export interface FoundInside {
  readonly kind: "file" | "folder" | "other";
  /** What identifies it among all files that are there at the same time. */
  readonly id: string;
}
