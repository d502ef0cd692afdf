/** Finds external tools: which roots, which names, which of two wins, what is skipped. */
import { isTakenOut, type Tool, type ToolOrigin } from "../core/tool.ts";
import { resolve } from "node:path";
import { kindAt, realOf } from "../host/folders.ts";
import { boundedCheck } from "../schemas/bounded_check.ts";
import { draftOf } from "../schemas/check_schema.ts";
import { type Executable, executableOf } from "../host/confinement.ts";
import { externalTool } from "./external_tool.ts";
import { type Manifest, readManifest } from "./manifest.ts";
import { type FoundManifest, type ManifestRoot, manifestsIn } from "../host/manifest_folders.ts";

export interface DiscoverOptions {
  /** In order: a later root replaces the tools of the same name of an earlier one. */
  readonly roots: readonly ManifestRoot[];
  /** Absolute. */
  readonly workspace: string;
  readonly builtInNames: readonly string[];
  /** The shell that tools are started with; asked for at a tool's first call. */
  readonly shell: () => string | Promise<string>;
  /** Names of tools that run outside the sandbox, should there be one. */
  readonly outsideSandbox?: readonly string[];
}

export interface Discovered {
  readonly tools: readonly Tool[];
  /** One sentence a manifest, for people. */
  readonly warnings: readonly string[];
  readonly skipped: readonly { readonly manifest: string; readonly reason: string }[];
}

/**
 * Finds the tools of all roots. Within a root folders are read in code unit order, and of two tools
 * whose names differ at most in case the later one wins. Nothing is started.
 */
export async function discoverTools(options: DiscoverOptions): Promise<Discovered> {
  const workspace = realOf(options.workspace);
  const found = differentRoots(options.roots).map((root) =>
    [root, manifestsIn(root, "tool.json", workspace)] as const
  );
  if (found.every(([, manifests]) => manifests.length === 0)) {
    return { tools: [], warnings: [], skipped: [] };
  }
  const search: Search = {
    workspace,
    shell: once(options.shell),
    outside: options.outsideSandbox ?? [],
    builtIn: new Set(options.builtInNames.map((name) => name.toLowerCase())),
    tools: new Map(),
    warnings: [],
    skipped: [],
  };
  for (const [root, manifests] of found) {
    for (const manifest of manifests) await addManifest(search, root, manifest);
  }
  const { tools, warnings, skipped } = search;
  return { tools: [...tools.values()], warnings, skipped };
}

interface Search {
  readonly workspace: string;
  readonly shell: () => Promise<string>;
  readonly outside: readonly string[];
  readonly builtIn: ReadonlySet<string>;
  /** By lower-case name. */
  readonly tools: Map<string, Tool & { origin: ExternalOrigin }>;
  readonly warnings: string[];
  readonly skipped: { manifest: string; reason: string }[];
}

type ExternalOrigin = ToolOrigin & { readonly kind: "external" };

/** A folder that is reached by two roots (the workspace is the home folder) counts once. */
function differentRoots(roots: readonly ManifestRoot[]): ManifestRoot[] {
  const seen = new Set<string>();
  return roots.filter(({ path }) => {
    const real = realOf(path);
    return !seen.has(real) && seen.add(real);
  });
}

async function addManifest(
  search: Search,
  root: ManifestRoot,
  found: FoundManifest,
): Promise<void> {
  const skip = (reason: string) => {
    search.skipped.push({ manifest: found.path, reason });
    search.warnings.push(`${found.path}: ${reason}; skipped`);
  };
  if ("reason" in found) return skip(found.reason);
  const reading = await readManifest(found.text);
  if ("problems" in reading) return skip(reading.problems.join("; "));
  const { manifest } = reading;
  if (search.builtIn.has(manifest.name.toLowerCase())) {
    return skip(`name: ${JSON.stringify(manifest.name)} is the name of a built-in tool`);
  }
  if (/^mcp__/i.test(manifest.name)) {
    return skip(
      `name: ${JSON.stringify(manifest.name)}: names with mcp__ are for the tools of MCP servers`,
    );
  }
  const confinedTo = root.scope === "project" ? search.workspace : undefined;
  const executable = executableOf(manifest.command[0], found.folder, confinedTo);
  if ("problem" in executable) return skip(executable.problem);
  const checked = boundedCheck(manifest.inputSchema, draftOf(manifest.inputSchema)!);
  // Only references can still be wrong; the rest of the work waits for the first call.
  if (/"\$(?:ref|id|anchor|dynamicRef|recursiveRef)"/.test(found.text)) {
    const fault = await checked.fault();
    if (fault !== undefined) return skip(`input_schema: ${fault}`);
  }
  const shadows = replace(search, manifest.name, found.path);
  const origin = { kind: "external", scope: root.scope, manifest: found.path, shadows } as const;
  const isOutside = isTakenOut(origin, manifest.name, search.outside);
  const location = { origin, ...executable, shell: search.shell, isOutside };
  const tool = { ...externalTool(manifest, location, checked), origin };
  search.tools.set(manifest.name.toLowerCase(), tool);
  for (const notice of [...reading.notices, ...missingFiles(manifest, executable, search, found)]) {
    search.warnings.push(`${found.path}: ${notice}`);
  }
}

/** What the command needs and is not there: the tool stays, but its calls would fail. */
function missingFiles(
  { command }: Manifest,
  { executable }: Executable,
  { workspace }: Search,
  { folder }: FoundManifest & { readonly folder: string },
): string[] {
  const notices: string[] = [];
  const kind = kindAt(executable);
  if (kind === "missing") {
    const onPath = command[0].includes("/") ? "" : `; it is looked up in ${folder}, not on PATH`;
    notices.push(`command[0]: ${JSON.stringify(command[0])} is not there${onPath}`);
  }
  command.slice(1).forEach((argument, index) => {
    if (!scriptName.test(argument) || kindAt(resolve(workspace, argument)) !== "missing") return;
    const beside = kindAt(resolve(folder, argument)) === "missing"
      ? ""
      : "; it lies in the tool's folder: write its absolute path, or use $NIMLET_TOOL_DIR in a script";
    notices.push(
      `command[${index + 1}]: ${JSON.stringify(argument)} is not there: tools run in the ` +
        `workspace${beside}`,
    );
  });
  return notices;
}

/** An argument that can only be the file of a script. */
const scriptName = /^[^\s-][^\s]*\.(?:py|js|mjs|cjs|ts|mts|sh|bash|rb|pl|php|lua|R)$/;

/** Takes away the tool of the same name; the manifests that are shadowed from now on. */
function replace(search: Search, name: string, path: string): string[] {
  const key = name.toLowerCase();
  const previous = search.tools.get(key);
  if (previous === undefined) return [];
  search.tools.delete(key);
  const { manifest, shadows } = previous.origin;
  search.warnings.push(`${path}: replaces the tool ${previous.name} of ${manifest}`);
  return [...shadows, manifest];
}

function once(shell: DiscoverOptions["shell"]): () => Promise<string> {
  let found: Promise<string> | undefined;
  return () => found ??= Promise.resolve(shell());
}
