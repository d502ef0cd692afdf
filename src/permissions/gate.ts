/** Decides whether a tool call may run: grants, judgement, and the question to a person. */
import { isJsonObject, type Json } from "../core/json.ts";
import type { FileBounds } from "../core/file_bounds.ts";
import type {
  AskPermission,
  PermissionAdvice,
  PermissionDecision,
  PermissionGate,
} from "../core/permission.ts";
import type { AnyTool } from "../core/tool.ts";
import { assertNever } from "../lib/assert_never.ts";
import { visibleText } from "../lib/visible_text.ts";
import { type Grants, GrantsError } from "./grants.ts";
import type { ProjectTrust } from "./project_trust.ts";
import type { JudgeCommand } from "./judge.ts";
import type { Judgement } from "./judgement.ts";
import { outsideReason } from "./outside.ts";

export interface GateOptions {
  /** `--yolo` and `/yolo`: asked anew for every call. */
  readonly approvesEverything: () => boolean;
  /** Absent where nobody can be asked; then `headless` decides. */
  readonly ask?: AskPermission | undefined;
  readonly headless: "allow" | "deny";
  readonly session: Grants;
  /** Absent where the project is not trusted. */
  readonly project?: Grants | undefined;
  /** Keys that the person's settings and command line allow. */
  readonly personal?: ReadonlySet<string> | undefined;
  /** Called only where a question or a denial could follow. */
  readonly judge: JudgeCommand;
  readonly bounds: FileBounds;
  /** Absent where commands run without one. */
  readonly sandbox?: {
    /** Names of the external tools that run outside it. */
    readonly outside: readonly string[];
  } | undefined;
  /** What the project's tools are compared with; absent where it is not trusted. */
  readonly trust?: Pick<ProjectTrust, "ready" | "serverChanges" | "toolChanges"> | undefined;
  /** Called before a command runs outside a sandbox that nobody could be asked about. */
  readonly beforeUnasked?: (command: string) => Promise<void>;
  /** For what a person should know: an answer that could not be kept. */
  readonly notice?: (sentence: string) => void;
}

/** The gate before every call. Only one question at a time is put. */
export function permissionGate(options: GateOptions): PermissionGate {
  let lastQuestion: Promise<unknown> = Promise.resolve();

  async function unasked(tool: AnyTool, input: Json): Promise<PermissionDecision> {
    const isBounded = options.ask !== undefined || options.sandbox !== undefined;
    const command = isBounded ? undefined : commandOf(tool, input);
    if (command !== undefined) await options.beforeUnasked?.(command);
    return allowed;
  }

  return {
    async check(tool, input, signal, advice = {}) {
      const mustAsk = advice.ask !== undefined;
      if (tool.grantKey === undefined && !mustAsk) return allowed;
      // From here on calls can change what is trusted.
      await options.trust?.ready();
      // Trust is another question than permission: no mode answers it.
      const change = await changeOf(tool, options);
      const outside = outsideReason(tool, input, options.sandbox?.outside);
      const isPlain = change === undefined && outside === undefined && !mustAsk;
      const isFree = () => isPlain && options.approvesEverything();
      if (isFree()) return await unasked(tool, input);
      if (isPlain && options.ask === undefined && options.headless === "allow") {
        return await unasked(tool, input);
      }
      const decide = () =>
        isFree()
          ? Promise.resolve(allowed)
          : decision(tool, input, signal, options, { change, advice, outside });
      if (options.ask === undefined) return await decide();
      const mine = lastQuestion.then(decide);
      lastQuestion = mine.catch(() => {});
      return await mine;
    },
  };
}

const allowed: PermissionDecision = { allowed: true };

/** How a project's tool differs from what was trusted. */
async function changeOf(
  { origin }: AnyTool,
  { trust }: GateOptions,
): Promise<string | undefined> {
  if (origin.kind === "built-in" || origin.scope !== "project") return undefined;
  const changes = await (origin.kind === "mcp" ? trust?.serverChanges() : trust?.toolChanges()) ??
    [];
  if (changes.length === 0) return undefined;
  const more = changes.length > maxNamed ? `, and ${changes.length - maxNamed} more` : "";
  const named = visibleText(changes.slice(0, maxNamed).join(", "));
  return `is not what was trusted: ${named}${more}; /reload asks about it again`;
}

const maxNamed = 3;

async function decision(
  tool: AnyTool,
  input: Json,
  signal: AbortSignal,
  options: GateOptions,
  { change, advice, outside }: {
    readonly change: string | undefined;
    readonly advice: PermissionAdvice;
    readonly outside: string | undefined;
  },
): Promise<PermissionDecision> {
  const ownKey = tool.grantKey?.(input, options.bounds);
  const { ask: askedBy } = advice;
  if (ownKey === undefined && askedBy === undefined) return { allowed: true, key: "" };
  const filed = ownKey ?? `tool:${tool.name}`;
  // what may run inside may not run outside for that
  const key = outside === undefined || filed === "" ? filed : `outside:${filed}`;
  // Nothing to file an answer under is no reason to let a call through.
  if (key === "") return denied(`${tool.name} cannot be asked about`);
  const allowed = { allowed: true, key: ownKey ?? "" } as const;
  const command = commandOf(tool, input);
  const judgement: Judgement = change !== undefined
    ? { kind: "listed", reason: change }
    : command === undefined
    ? { kind: "plain" }
    : await options.judge(command);
  const isInside = command !== undefined && options.sandbox !== undefined && outside === undefined;
  if (isInside && askedBy === undefined && judgement.kind !== "listed") return allowed;
  const canRemember = judgement.kind === "plain" && ownKey !== undefined;
  const isKept = outside === undefined
    ? coveringKeys(tool, key).some((one) => isGranted(one, options))
    : options.session.has(key);
  if (canRemember && askedBy === undefined && isKept) return allowed;
  if (outside !== undefined && options.ask === undefined) {
    // both are the person's own words: that it runs outside, and that it may
    const isMeant = tool.origin.kind === "external" && change === undefined &&
      askedBy === undefined && options.personal?.has(filed);
    if (isMeant) return allowed;
    return denied(
      `${tool.name} would run outside the sandbox, and nobody can be asked in this mode`,
    );
  }
  if (advice.isAllowed === true && outside === undefined && judgement.kind !== "listed") {
    return allowed;
  }
  if (askedBy !== undefined && options.ask === undefined) {
    return denied(`${askedBy}; it needs approval, and nobody can be asked in this mode`);
  }
  if (change !== undefined && options.ask === undefined) {
    return denied(`${tool.name} ${change}, and nobody can be asked in this mode`);
  }
  if (options.ask === undefined) {
    return denied(`${whyNotCovered(judgement, key)}, and nobody can be asked in this mode`);
  }
  signal.throwIfAborted();
  const answer = await options.ask({
    tool: tool.name,
    subject: command ?? JSON.stringify(input),
    grantKey: key,
    ...judgement.kind === "listed" && { danger: judgement.reason },
    ...judgement.kind === "involved" && { involved: true },
    ...askedBy !== undefined && { askedBy },
    ...hasChanged(key, options) && { changed: true },
    ...outside !== undefined && { outside },
    canRemember,
    canRememberForProject: canRemember && outside === undefined && options.project !== undefined,
  }, signal);
  signal.throwIfAborted();
  switch (answer) {
    case "deny":
      return denied("the person said no");
    case "once":
      return allowed;
    case "session":
    case "project":
      if (canRemember) await remember(key, answer, options);
      return allowed;
    default:
      return assertNever(answer);
  }
}

/**
 * Of a tool that comes from a server or an extension also the keys that are written by hand: for any
 * definition, and for all tools of a server.
 */
function coveringKeys({ name, origin }: AnyTool, key: string): string[] {
  switch (origin.kind) {
    case "mcp":
      return [key, `tool:${name}`, `tool:mcp__${origin.server}__*`];
    case "extension":
      return [key, `tool:${name}`];
    case "built-in":
    case "external":
      return [key];
  }
}

function isGranted(key: string, { session, project, personal }: GateOptions): boolean {
  return session.has(key) || project?.has(key) === true || personal?.has(key) === true;
}

/** True where the same tool was granted as it was described before. */
function hasChanged(key: string, { session, project }: GateOptions): boolean {
  const [, name] = /^(tool:[^@]*@)[0-9a-f]{12}$/.exec(key) ?? [];
  return name !== undefined &&
    [...session.list(), ...project?.list() ?? []].some((one) => one.startsWith(name));
}

function whyNotCovered(judgement: Judgement, key: string): string {
  switch (judgement.kind) {
    case "listed":
      return `it ${judgement.reason}, which needs approval every time`;
    case "involved":
      return "it is too involved to remember, so it needs approval every time";
    case "plain":
      return `no remembered permission covers ${key}`;
    default:
      return assertNever(judgement);
  }
}

async function remember(
  key: string,
  answer: "session" | "project",
  { session, project, notice }: GateOptions,
): Promise<void> {
  if (answer === "session" || project === undefined) return await session.add(key);
  try {
    await project.add(key);
  } catch (error) {
    if (!(error instanceof GrantsError)) throw error;
    await session.add(key);
    notice?.(`The permission is remembered for this session only: ${error.message}`);
  }
}

function denied(reason: string): PermissionDecision {
  return { allowed: false, reason };
}

/** The shell command of a call; only the built-in shell tool has one. */
function commandOf(tool: AnyTool, input: Json): string | undefined {
  if (tool.origin.kind !== "built-in" || tool.name !== "bash" || !isJsonObject(input)) {
    return undefined;
  }
  return typeof input.command === "string" ? input.command : undefined;
}
