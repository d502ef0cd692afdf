/** The messages to the watchdog's thread. */
import type { WatchPlan } from "../../core/host.ts";
import type { EndSignal } from "../signals.ts";

export type ToWatchdog =
  | {
    readonly kind: "plan";
    readonly plan: WatchPlan;
    readonly signals: readonly EndSignal[];
    /** One cell, which the program counts up while it ends by itself. */
    readonly beats: SharedArrayBuffer;
  }
  /** A child that is to be ended with the program. */
  | { readonly kind: "child"; readonly pid: number; readonly marker: string }
  | { readonly kind: "child ended"; readonly pid: number };

/** Between two beats of a program that ends by itself. */
export const beatMs = 100;
