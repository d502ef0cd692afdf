/** The words that flags of the command line alone choose from. */

export const schemaNames = ["events", "config", "tool", "rpc", "session"] as const;
export type SchemaName = typeof schemaNames[number];

export const shellNames = ["bash", "zsh", "fish"] as const;
export type ShellName = typeof shellNames[number];
