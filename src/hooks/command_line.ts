/** The program and arguments that start a hook. */
import type { Host, ProcessSpec } from "../core/host.ts";
import type { Hook } from "./hook.ts";

/**
 * Without arguments of its own a command is for the shell, which gets it as it is written. With them
 * nothing is read by a shell, and only the two names of the workspace are put in.
 */
export async function commandLine(
  { command, args, shell }: Pick<Hook, "command" | "args" | "shell">,
  variables: Readonly<Record<string, string>>,
  host: Host,
): Promise<Pick<ProcessSpec, "file" | "args">> {
  if (args !== undefined) {
    const filled = (text: string) =>
      text.replace(/\$\{(CLAUDE_PROJECT_DIR|NIMLET_WORKSPACE)\}/g, (_, name) => variables[name]!);
    const { home } = host.env;
    const program = filled(command);
    return {
      file: home !== undefined && program.startsWith("~/")
        ? `${home}/${program.slice(2)}`
        : program,
      args: args.map(filled),
    };
  }
  if (host.platform !== "windows" && shell !== "powershell") {
    return { file: shell === "sh" ? "/bin/sh" : "bash", args: ["-c", command] };
  }
  return await elsewhere(command, shell === "powershell", host);
}

async function elsewhere(command: string, usesPowerShell: boolean, host: Host) {
  const { detectShell } = await import("../host/shell.ts");
  const bash = usesPowerShell ? undefined : await detectShell(host);
  if (bash?.kind === "bash") return { file: bash.path, args: ["-c", command] };
  const file = host.platform === "windows" ? "powershell.exe" : "pwsh";
  return { file, args: ["-NoProfile", "-ExecutionPolicy", "Bypass", "-Command", command] };
}
