/** The port to the permission gate, and the question a person is asked. */
import type { Json } from "./json.ts";
import type { AnyTool } from "./tool.ts";

export type PermissionAnswer = "once" | "session" | "project" | "deny";

export interface PermissionQuestion {
  readonly tool: string;
  /** The whole command or the arguments, as real bytes: whoever shows it must escape it. */
  readonly subject: string;
  /** What a remembered answer is filed under. */
  readonly grantKey: string;
  /** What needs approval every time: `runs rm`. */
  readonly danger?: string;
  /** Who wants the question to be put, and why: `hook fmt: writes outside src`. */
  readonly askedBy?: string;
  /** True for a command that is too involved to remember. */
  readonly involved?: true;
  /** True for a tool that was remembered, and is described in another way now. */
  readonly changed?: true;
  /** Set for a call that would run outside the sandbox: why, in the model's words; "" for none. */
  readonly outside?: string;
  /** False with danger or involved: then only once and deny are offered. */
  readonly canRemember: boolean;
  /** False also where the project is not trusted, so that nothing can be kept for it. */
  readonly canRememberForProject: boolean;
}

/** Puts the question to a person; absent in front ends where nobody can be asked. */
export type AskPermission = (
  question: PermissionQuestion,
  signal: AbortSignal,
) => Promise<PermissionAnswer>;

export type PermissionDecision =
  /** `key` is what the call is limited to: see `ToolContext`. */
  | { readonly allowed: true; readonly key?: string }
  | { readonly allowed: false; readonly reason: string };

/** What hooks and extensions say of a call that none of them denies. */
export interface PermissionAdvice {
  /** Why a person is to be asked, whatever was granted. */
  readonly ask?: string;
  /** Answers a question that would be put; never one that needs approval every time. */
  readonly isAllowed?: boolean;
}

export interface PermissionGate {
  check(
    tool: AnyTool,
    input: Json,
    signal: AbortSignal,
    advice?: PermissionAdvice,
  ): Promise<PermissionDecision>;
}
