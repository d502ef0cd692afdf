/** Looks at what a run would use: provider, model, endpoint, files, where the key is from, how it starts. */
import { userConfigPath } from "../config/home.ts";
import { publicAddress } from "../config/show.ts";
import type { DoctorReport } from "../core/doctor_report.ts";
import { RunFailure } from "../core/failure.ts";
import type { Host } from "../core/host.ts";
import { kindAt } from "../host/folders.ts";
import { shellWord } from "../lib/shell_word.ts";
import type { RunEnvironment } from "./environment.ts";
import { extensionReport } from "./extension_report.ts";
import { hookReport } from "./hook_report.ts";
import { mcpReport } from "./mcp_report.ts";
import type { RunOptions } from "./run_options.ts";
import { sandboxReport } from "./sandbox.ts";
import { makeModel, type ModelChoice } from "./select_model.ts";

type Asked = Pick<RunOptions, "provider" | "model" | "endpoint" | "sandboxNet">;

/** Without any key, credential or query. No server is asked, and no program but that of the sandbox. */
export async function doctor(
  choice: ModelChoice,
  environment: RunEnvironment,
  asked: Asked = {},
): Promise<DoctorReport> {
  const { entry, model, endpoint, key } = choice;
  const { config, nimletHome, host, notices } = environment;
  const { sandbox, problem: refused } = await sandboxReport(environment, asked);
  const problem = refused ?? await problemOf(choice, environment);
  const mcp = await mcpReport(environment);
  const hooks = await hookReport(environment);
  const own = await extensionReport(environment);
  return {
    ok: problem === undefined,
    provider: entry.name,
    model: model ?? null,
    endpoint: endpoint === undefined ? null : publicAddress(endpoint),
    config: config.files.flatMap(({ path, scope, state }) =>
      state === "missing" || kindAt(path) === "missing" ? [] : [{ path, scope, state }]
    ),
    sandbox,
    mcp_servers: mcp.servers,
    hooks: hooks.hooks,
    extensions: own.extensions,
    settings_saved_to: nimletHome === undefined ? null : userConfigPath(nimletHome),
    key_source: key?.source ?? null,
    key_variables: entry.keyVariables,
    compiled_code: host.compiledCode,
    warnings: [...notices, ...mcp.warnings, ...hooks.warnings, ...own.warnings],
    problem: problem ?? null,
    next: problem === undefined ? firstPrompt(choice, asked) : afterMending,
  };
}

/** For settings that cannot be used. */
export function doctorWithoutSettings(
  problem: string,
  host: Host,
  nimletHome: string | undefined,
): DoctorReport {
  return {
    ok: false,
    provider: null,
    model: null,
    endpoint: null,
    config: [],
    sandbox: null,
    mcp_servers: [],
    hooks: [],
    extensions: [],
    settings_saved_to: nimletHome === undefined ? null : userConfigPath(nimletHome),
    key_source: null,
    key_variables: [],
    compiled_code: host.compiledCode,
    warnings: [],
    problem,
    next: afterMending,
  };
}

const afterMending = "mend that, and run nimlet --doctor again";

async function problemOf(
  choice: ModelChoice,
  environment: RunEnvironment,
): Promise<string | undefined> {
  try {
    await makeModel(choice, environment);
    return undefined;
  } catch (error) {
    if (error instanceof RunFailure) return error.message;
    throw error;
  }
}

function firstPrompt({ entry, endpoint }: ModelChoice, asked: Asked): string {
  const flags = (["provider", "endpoint", "model"] as const).flatMap((name) =>
    asked[name] === undefined ? [] : [`--${name}`, shellWord(asked[name])]
  );
  const command = ["nimlet", ...flags, "-p", '"Say hello."'].join(" ");
  return entry.isLocal && endpoint !== undefined
    ? `start the server at ${
      publicAddress(endpoint)
    } where it does not run yet, and try: ${command}`
    : `try: ${command}`;
}
