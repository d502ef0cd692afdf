/** A gate for tests that are about something else. */
import type { PermissionGate } from "../../src/core/permission.ts";

/** Approves everything. */
export const allowAll: PermissionGate = { check: () => Promise.resolve({ allowed: true }) };
