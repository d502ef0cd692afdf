/** What a tool can do, and the two modes that depend on it. */
export const capabilities = ["read", "write", "shell", "network", "user"] as const;
export type Capability = typeof capabilities[number];

export type Mode = "act" | "plan";

/** Offered in plan mode: at least one capability is declared, and each is `read` or `user`. */
export function isPlanSafe(declared: readonly Capability[]): boolean {
  return declared.length > 0 &&
    declared.every((capability) => capability === "read" || capability === "user");
}
