/** What a project's settings say of the sandbox: taken where it is stricter, else left out with a warning. */
import type { Json, JsonObject } from "../core/json.ts";
import { type SandboxMode, sandboxModes } from "../core/sandbox.ts";
import { type HostList, isShorter, parseHostList } from "../core/sandbox_hosts.ts";
import { describe } from "./check.ts";
import { mergeAt, type SettingSources, valueAt } from "./merge.ts";

/** A checked value of a project's file. */
export interface ProjectWish {
  readonly path: readonly string[];
  readonly value: Json;
  readonly file: string;
}

/** Merges them over all other sources but an explicit `--sandbox off`; gives the warnings. */
export function tighten(
  wishes: readonly ProjectWish[],
  tree: JsonObject,
  sources: SettingSources,
): string[] {
  const warnings: string[] = [];
  for (const { path, value, file } of wishes) {
    const key = path.join("."), now = valueAt(tree, path);
    if (key === "sandbox.hide") {
      const all = [...(now as string[] | undefined) ?? [], ...value as string[]];
      mergeAt(tree, path, [...new Set(all)], { scope: "project", file }, sources);
    } else if (sources.get(key)?.scope === "flag" && now === "off" && key === "sandbox.mode") {
      continue;
    } else if (isStricter(key, value, now)) {
      if (value !== now) mergeAt(tree, path, value, { scope: "project", file }, sources);
    } else {
      warnings.push(
        `${file}: ${key}: left out, as a project may only make the sandbox stricter: ${
          describe(value)
        } allows more than ${describe(now ?? null)}`,
      );
    }
  }
  return warnings;
}

function isStricter(key: string, value: Json, now: Json | undefined): boolean {
  return key === "sandbox.mode"
    ? rank(value) >= rank(now)
    : isShorter(hostsOf(value), hostsOf(now));
}

function rank(mode: Json | undefined): number {
  return sandboxModes.indexOf(mode as SandboxMode);
}

/** The value was checked when it was read. */
function hostsOf(value: Json | undefined): HostList {
  return parseHostList(String(value)) as HostList;
}
