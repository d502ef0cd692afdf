/** Owns the decision whether the folder's own parts count. */
import type { Host } from "../core/host.ts";
import type { Person } from "../core/person.ts";
import type { Wanted } from "./wanted.ts";

export interface Trust {
  readonly trusted: boolean;
  readonly notices: readonly string[];
}

export interface TrustCircumstances {
  readonly wanted: Pick<Wanted, "approve">;
  readonly host: Host;
  readonly workspace: string;
  readonly nimletHome: string | undefined;
  readonly person: Person | undefined;
  readonly signal: AbortSignal;
}

export function decideTrust({ wanted }: TrustCircumstances): Promise<Trust> {
  return Promise.resolve({ trusted: wanted.approve === true, notices: [] });
}
