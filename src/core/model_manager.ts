/** What a front end may do with models: choose another provider, look at the choice, try it. */

/** A model that a server says it offers. */
export interface OfferedModel {
  readonly id: string;
  /** Tokens, where the server says so. */
  readonly contextWindow?: number;
}

/** Every method may throw `RunFailure`. */
export interface ModelManager {
  /** Names of all providers. */
  providers(): readonly string[];
  /**
   * Changes the model, and with a provider the provider, where the server does not say that it does
   * not know it.
   */
  setModel(model: string, provider: string | undefined, signal: AbortSignal): Promise<void>;
  /** Changes the provider, to the model that it was last used with or its default. */
  setProvider(name: string): Promise<void>;
  /**
   * Asks the current provider, or the one named, for its models, sorted by id. Servers also take names
   * that they do not list. Throws `ModelError` where it gives no list.
   */
  offered(signal: AbortSignal, provider?: string): Promise<readonly OfferedModel[]>;
  /** Keeps the model as the provider's last one for later runs. */
  remember(): Promise<void>;
  /** Provider, model, endpoint, files, where the key is from. */
  doctor(): Promise<readonly string[]>;
  /** Asks the model for one word; gives a line that says how it went. */
  probe(signal: AbortSignal): Promise<string>;
}
