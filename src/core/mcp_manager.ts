/** The MCP servers of a conversation, as a person looks at them and orders them about. */
import type { McpServerState } from "./mcp_server.ts";

export interface McpServerView extends McpServerState {
  /** The file that names it. */
  readonly file: string;
  /** Its command or address, without secrets. */
  readonly target: string;
  /** Its own name and version, and the revision that is spoken; "" where nothing is known yet. */
  readonly server: string;
  readonly offered: readonly McpToolView[];
  /** What was wrong with its list, one sentence each. */
  readonly warnings: readonly string[];
  /** The end of what it wrote to stderr, and lines of its stdout that are no messages. */
  readonly words: {
    readonly errors: string;
    readonly strayLines: readonly string[];
    /** The end of what it logged by notifications. */
    readonly log: string;
  };
}

export interface McpToolView {
  readonly name: string;
  readonly description: string;
  readonly hints: readonly string[];
}

export interface McpManager {
  /** By name; none where no server is named. */
  servers(): readonly McpServerView[];
  /**
   * Ends, starts anew, or asks again the server of that name, or all of them; gives a sentence for each that
   * could not be started or asked. Throws `RunFailure` for a name that no server has.
   */
  order(
    what: "restart" | "stop" | "refresh",
    name: string | undefined,
    signal: AbortSignal,
  ): Promise<readonly string[]>;
  /** How many prompts and resources a server has, where it runs; "" where it has none. */
  countOthers(name: string, signal: AbortSignal): Promise<string>;
  /** Starts each, or asks it again; a line for each says what it is and how long that took, or why not. */
  test(signal: AbortSignal): Promise<readonly string[]>;
}
