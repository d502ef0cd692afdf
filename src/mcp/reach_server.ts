/** Starts a server's program, or reaches its address. */
import { dirname, resolve } from "node:path";
import { type Host, ProcessStartError } from "../core/host.ts";
import type {
  McpAddress,
  McpProgram,
  McpServerSettings,
  TokenCommand,
} from "../core/mcp_server.ts";
import type { Sandbox } from "../core/sandbox.ts";
import { kindAt, realOf } from "../host/folders.ts";
import { httpFetch } from "../host/http_client.ts";
import { programFile, programLaunch } from "../host/program_launch.ts";
import { McpFailure } from "./failure.ts";
import { hider } from "./hide.ts";
import type { Endpoint } from "./http_exchange.ts";
import { httpTransport } from "./http_transport.ts";
import { StartFailure, startProblem } from "./start_failure.ts";
import { stdioTransport } from "./stdio_transport.ts";
import type { Transport } from "./transport.ts";

export interface Surroundings {
  readonly host: Host;
  readonly workspace: string;
  /** What programs run in; absent: they run as nimlet does. */
  readonly sandbox?: Sandbox | undefined;
}

/** Throws `StartFailure` for a program that does not start, and a reference that leads nowhere. */
export async function reachServer(
  settings: McpServerSettings,
  around: Surroundings,
): Promise<Transport> {
  const { name, reach } = settings;
  try {
    if (reach.kind === "stdio") await around.sandbox?.ready();
    return reach.kind === "stdio"
      ? start(reach, around, settings.scope)
      : httpTransport(endpointOf(reach, around));
  } catch (reason) {
    throw new StartFailure(startProblem(name, reason, ""));
  }
}

function start(
  program: McpProgram,
  { host, workspace, sandbox }: Surroundings,
  scope: McpServerSettings["scope"],
): Transport {
  const file = programFile(program.command[0], program.folder, host, workspace);
  if (file === undefined) {
    throw new ProcessStartError(
      "not_found",
      `${
        program.command[0]
      } cannot be started: no such program was found. It is looked up on the PATH that ` +
        "nimlet itself has",
    );
  }
  const args = program.command.slice(1);
  const line = {
    ...programLaunch(file, args, host.platform),
    cwd: program.cwd,
    env: program.env(),
  };
  // what a project names is no reason to show more of the machine
  const named = scope === "project" ? [] : [file, ...args.map((arg) => resolve(program.cwd, arg))];
  const folders = scope === "project" ? [] : [realOf(program.cwd)];
  const needed = named
    .filter((path) => kindAt(path) === "file" || kindAt(path) === "link")
    .map((path) => dirname(realOf(path)));
  const inside = sandbox?.wrap(line, [...needed, ...folders], program.keptVariables);
  try {
    return stdioTransport(
      inside ?? line,
      host.processes,
      hider(program.secrets()),
      inside?.finish,
    );
  } catch (error) {
    inside?.finish();
    throw error;
  }
}

function endpointOf(address: McpAddress, around: Surroundings): Endpoint {
  const { bearerToken, bearerCommand } = address;
  const common = {
    url: address.url,
    headers: address.headers,
    hide: (text: string, token = "") => hider([...address.secrets(), token])(text),
    fetch: httpFetch(around.host.env),
  };
  if (bearerCommand !== undefined) {
    const token = commandToken(bearerCommand, around);
    return { ...common, tokenSetting: "bearer_command", token };
  }
  if (bearerToken === undefined) return common;
  const token = () => Promise.resolve(bearerToken());
  return { ...common, tokenSetting: "bearer_token", token };
}

const tokenTimeoutMs = 30_000, maxTokenBytes = 64 * 1024;

/** The token that a command prints; it is asked for once, and again where the token was refused. */
function commandToken({ command, folder, env }: TokenCommand, { host, workspace }: Surroundings) {
  const [name = "", ...args] = command;
  let token: Promise<string> | undefined;
  const wrong = (problem: string) =>
    new McpFailure("refused", `cannot be asked: bearer_command ${name} ${problem}`, {
      status: 401,
    });
  const ask = async (signal: AbortSignal): Promise<string> => {
    const file = programFile(name, folder, host, workspace);
    if (file === undefined) throw wrong("was not found on PATH");
    const { end, exitCode, stdout, stderr } = await host.processes.run({
      ...programLaunch(file, args, host.platform),
      // nothing of the workspace has a say in where a token comes from
      cwd: folder,
      env: env(),
      timeoutMs: tokenTimeoutMs,
      maxOutputBytes: maxTokenBytes,
    }, signal);
    if (end !== "exited") throw wrong(`did not end by itself (${end})`);
    if (exitCode !== 0) {
      throw wrong(`exited with status ${exitCode}: ${stderr.text.trim().slice(-500)}`);
    }
    const found = stdout.text.trim();
    if (!/^[\x21-\x7e]+$/.test(found)) throw wrong("did not print one token");
    return found;
  };
  return (renew: boolean, signal: AbortSignal): Promise<string> => {
    if (renew) token = undefined;
    const asked = token ??= ask(signal).catch((error) => {
      token = undefined;
      throw error;
    });
    return asked;
  };
}
