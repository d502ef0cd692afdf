/** Fetches the model table, which no run ever waits for. */
import { modelTablePath, nimletHome } from "../config/home.ts";
import { messageOf, RunFailure } from "../core/failure.ts";
import type { Host } from "../core/host.ts";
import { httpFetch } from "../host/http_client.ts";
import { writeStateFile } from "../host/state_files.ts";
import { refreshModels } from "../providers/models/models_dev.ts";

/**
 * Fetches models.dev's table, or the one at NIMLET_MODELS_URL, into `models-dev.json` of nimlet's home.
 * Gives a sentence for people. Throws `RunFailure` where it cannot be fetched or kept.
 */
export async function fetchModelTable(host: Host, signal: AbortSignal): Promise<string> {
  const home = nimletHome(host.env);
  if (home === undefined) {
    throw new RunFailure(
      "config",
      "--refresh-models: there is no home folder to keep the table in; set HOME or NIMLET_HOME",
    );
  }
  const path = modelTablePath(home);
  const url = host.env.get("NIMLET_MODELS_URL") || undefined;
  try {
    const write = (text: string) => writeStateFile(path, text, 0o644);
    const count = await refreshModels(httpFetch(host.env), write, signal, url);
    return `${count} models written to ${path}`;
  } catch (error) {
    if (signal.aborted) throw signal.reason;
    throw new RunFailure("network", `--refresh-models: ${messageOf(error)}`, { cause: error });
  }
}
