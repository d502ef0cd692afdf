/** The line editor as the loop sees it. */
import type { Typed } from "./keyboard.ts";

export type LineEnd =
  | { readonly kind: "line"; readonly text: string }
  /** Ctrl-C; `empty` where there was nothing to clear. */
  | { readonly kind: "interrupt"; readonly empty: boolean }
  /** Something is to be done first: the line goes into the next `read`. */
  | { readonly kind: "woken"; readonly line: string }
  /** Ctrl-D on an empty line, or a terminal that is gone. */
  | { readonly kind: "end" };

export interface LineEditor {
  /** Shows `prompt` and takes what is typed until it ends; what was typed ahead comes first. */
  read(prompt: string): Promise<LineEnd>;
  /** True while a line is asked for. */
  reading(): boolean;
  /** What the keyboard gives; kept for the next `read` while none is under way. */
  feed(typed: Typed): void;
  /** The line that is being typed ahead, as far as keys go; "" right after Enter. */
  ahead(): string;
  /** Lets whole lines be shown, also while a line is asked for. */
  beside(show: () => Promise<void>): Promise<void>;
  /** True where nothing waits for the next line. */
  isIdle(): boolean;
  /** What was typed ahead goes into the next line, but does not send it. */
  unsend(): void;
  /** Ends a `read` under way as `woken`. */
  wake(): void;
  /** Ends a `read` under way. */
  end(): void;
  close(): void;
}
