/** What a front end may do with remembered permissions and the trust in a folder. */

export interface PermissionLists {
  readonly session: readonly string[];
  /** Undefined where the project is not trusted. */
  readonly project: readonly string[] | undefined;
}

export interface TrustState {
  readonly trusted: boolean;
  /** What the folder holds of its own, relative to it. */
  readonly parts: readonly string[];
}

/** Every method may throw `RunFailure`. */
export interface PermissionManager {
  list(): PermissionLists;
  /** Forgets every remembered permission; gives how many. */
  clear(): Promise<number>;
  trust(): Promise<TrustState>;
  /** Remembers the answer for this folder, and reads everything again. */
  setTrust(trusted: boolean): Promise<void>;
}
