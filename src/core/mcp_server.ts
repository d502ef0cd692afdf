/** A server of the Model Context Protocol as the settings name it. */

export interface McpServerSettings {
  readonly name: string;
  readonly scope: "global" | "project";
  /** The file that names it. */
  readonly file: string;
  /** Changes with whatever of the settings changes; may hold secrets. */
  readonly identity: string;
  readonly reach: McpProgram | McpAddress;
  /** A run without its tools fails. */
  readonly required: boolean;
  readonly startupTimeoutSeconds: number;
  readonly callTimeoutSeconds: number;
  /** Patterns of the server's own names; absent: all. */
  readonly tools?: readonly string[];
  readonly excludeTools: readonly string[];
  /** Patterns of tools that the person says only read. */
  readonly planTools: readonly string[];
  /** Take the server's instructions into the system prompt. */
  readonly instructions: boolean;
}

/** A program that is started. */
export interface McpProgram {
  readonly kind: "stdio";
  readonly command: readonly [string, ...string[]];
  /** The command as it is written, no variable filled in. */
  readonly written: readonly string[];
  /** Absolute. */
  readonly cwd: string;
  /** What a program with a slash in its name is relative to. */
  readonly folder: string;
  /** Its environment without the mark of its process. Throws `RunFailure` for a reference that leads nowhere. */
  env(): Record<string, string>;
  /** Names of the variables that the settings give. */
  readonly variables: readonly string[];
  /** What of it may be shown to nobody: values of variables and arguments. */
  secrets(): readonly string[];
  /** Names of variables that it gets in a sandbox, too, although they look secret. */
  readonly keptVariables: readonly string[];
}

/** An address that is asked. */
export interface McpAddress {
  readonly kind: "http";
  readonly url: string;
  /** The address as it is written, no variable filled in, without its query: it may be shown. */
  readonly shown: string;
  /** Throws `RunFailure` for a reference that leads nowhere, as `bearerToken` does. */
  headers(): Record<string, string>;
  readonly headerNames: readonly string[];
  /** Values of headers and parts of the address that may be shown to nobody. */
  secrets(): readonly string[];
  readonly bearerToken?: () => string;
  readonly bearerCommand?: TokenCommand;
}

/** A program that prints a token. */
export interface TokenCommand {
  readonly command: readonly string[];
  /** Where it runs, and what a program with a slash in its name is relative to. */
  readonly folder: string;
  /** Its environment: no keys of providers. */
  env(): Record<string, string>;
}

/** A server that cannot be used, with the reason as a sentence that names it. */
export interface McpServerFault {
  readonly name: string;
  readonly file: string;
  readonly problem: string;
}

export interface McpServerList {
  readonly servers: readonly McpServerSettings[];
  readonly faults: readonly McpServerFault[];
}

/** How a server is, for people and programs. */
export interface McpServerState {
  readonly name: string;
  /** remembered: its list is known, and it is not started */
  readonly state: "remembered" | "waiting" | "starting" | "running" | "failed" | "ended";
  readonly tools: number;
  readonly error?: string;
}

const secretName = "[\\w-]*(?:auth|key|password|passwd|secret|token)[\\w-]*";
/** An option whose value is the next argument. */
const secretOption = new RegExp(`^--?(?:${secretName}|H|headers?)$`, "i");
/** `--token=…`, `API_KEY=…`. */
const secretValue = new RegExp(`^(-{0,2}${secretName}=).+$`, "is");
const secretVariable = new RegExp(`^${secretName}$`, "i");
const shownArguments = 2;

/** True for the name of a variable or header whose value may well be secret. */
export function isSecretName(name: string): boolean {
  return secretVariable.test(name) || /cookie|credential/i.test(name);
}

/** The parts of a command that its names call secret. */
export function secretsOf(command: readonly string[]): string[] {
  return command.flatMap((word, index) =>
    index > 0 && secretOption.test(command[index - 1]!)
      ? [word]
      : secretValue.test(word)
      ? [word.slice(word.indexOf("=") + 1)]
      : []
  );
}

/** A command without what may be secret: arguments after the second, and values that are named so. */
export function shownCommand(command: readonly string[]): string[] {
  const shown = command.slice(0, shownArguments + 1).map((word, index) =>
    index > 0 && secretOption.test(command[index - 1]!)
      ? "…"
      : word.replace(secretValue, "$1…").replace(/(:\/\/)[^/@\s]+@/g, "$1…@")
  );
  return command.length > shown.length ? [...shown, "…"] : shown;
}
