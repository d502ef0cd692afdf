/** Hooks of the events about a call: PreToolUse, PostToolUse, PostToolUseFailure. */
import { isJsonObject, isSameJson, type Json, type JsonObject } from "../core/json.ts";
import type { CallAnswer, FinishedCall, PendingCall, ResultAnswer } from "../core/moments.ts";
import { askHook, type HookContext } from "./ask_hook.ts";
import { type Decision, type HookAnswer, isDecision } from "./answer.ts";
import { cleaned, forModel, reasonOf } from "./clean_text.ts";
import type { Hook } from "./hook.ts";
import { blockReason, contextOf, ownForm, specific, stopReason, textOf } from "./said.ts";
import { callFields, commonFields, finishedFields, hasFailed, pendingFields } from "./stdin.ts";
import type { ToolForm } from "./tool_forms.ts";

type Answered = Extract<HookAnswer, { kind: "answered" }>;

export function callStdin(call: PendingCall, form: ToolForm, context: HookContext): JsonObject {
  return {
    ...commonFields(call, "PreToolUse", context, callFields(call)),
    ...pendingFields(call, form),
  };
}

export function resultStdin(call: FinishedCall, form: ToolForm, context: HookContext): JsonObject {
  const own = { ...callFields(call), ...call.images > 0 ? { images: call.images } : {} };
  return { ...commonFields(call, resultEvent(call), context, own), ...finishedFields(call, form) };
}

export function resultEvent(call: FinishedCall): "PostToolUse" | "PostToolUseFailure" {
  return hasFailed(call) ? "PostToolUseFailure" : "PostToolUse";
}

export async function askBefore(
  hook: Hook,
  call: PendingCall,
  form: ToolForm,
  context: HookContext,
  signal: AbortSignal,
): Promise<CallAnswer> {
  const { event } = hook;
  const answer = await askHook(hook, callStdin(call, form, context), context, signal);
  if (answer.kind === "failed") {
    return { event, failed: true, ...hook.isRequired ? { deny: guardFailed(hook, answer) } : {} };
  }
  const noted = notesOf(hook, answer, call, false);
  const reason = blockReason(answer);
  if (reason !== undefined) return { event, ...noted, deny: `hook ${hook.name}: ${reason}` };
  const decision = decisionOf(answer);
  const why = reasonOf(
    textOf(specific(answer).permissionDecisionReason) ||
      textOf(answer.said.permissionDecisionReason) || textOf(answer.said.reason),
  );
  if (decision === "deny") {
    return { event, ...noted, deny: `hook ${hook.name}: ${why}` };
  }
  const changed = changedArguments(answer, call, form);
  if (changed?.unfit !== undefined) {
    const sentence = `it changed the arguments to what ${call.tool.name} does not take`;
    return { event, ...noted, deny: `hook ${hook.name}: ${sentence}: ${changed.unfit}` };
  }
  return {
    event,
    ...noted,
    ...decision === "ask" ? { ask: `hook ${hook.name}: ${why}` } : {},
    ...decision === "allow" ? { allow: allows(hook, context) } : {},
    ...changed === undefined ? {} : { arguments: changed.arguments },
  };
}

export async function askAfter(
  hook: Hook,
  call: FinishedCall,
  form: ToolForm,
  context: HookContext,
  signal: AbortSignal,
): Promise<ResultAnswer> {
  const { event } = hook;
  const answer = await askHook(hook, resultStdin(call, form, context), context, signal);
  if (answer.kind === "failed") {
    const withhold = `hook_failed: ${guardFailed(hook, answer)}; the result is withheld`;
    return { event, failed: true, ...hook.isRequired ? { withhold } : {} };
  }
  const own = ownForm(answer);
  const output = typeof own.output === "string"
    ? own.output
    : outputOf(specific(answer).updatedToolOutput);
  return {
    event,
    ...notesOf(hook, answer, call, true),
    ...output === undefined ? {} : { output: cleaned(output) },
    ...typeof own.is_error === "boolean" ? { isError: own.is_error } : {},
  };
}

function guardFailed({ name }: Hook, { problem }: Extract<HookAnswer, { kind: "failed" }>): string {
  return `the guard ${name} failed: ${problem}`;
}

/** The strictest of what it says. */
function decisionOf(answer: Answered): "deny" | "ask" | "allow" | undefined {
  const { said } = answer, { permissionDecision } = specific(answer);
  const given = [permissionDecision, said.permissionDecision, said.decision].filter(isDecision);
  const has = (...wanted: Decision[]) => given.some((one) => wanted.includes(one));
  if (has("deny", "block")) return "deny";
  if (has("ask", "defer")) return "ask";
  return has("allow", "approve") ? "allow" : undefined;
}

function allows(hook: Hook, context: HookContext): boolean {
  if (hook.scope === "personal") return true;
  if (!toldAllow.has(hook)) {
    toldAllow.add(hook);
    context.tell(
      "warning",
      `hook ${hook.name}: its "allow" is ignored, as only your own hooks can allow a call`,
    );
  }
  return false;
}

const toldAllow = new WeakSet<Hook>();

/** Context, the reason of a block behind a result, and the end of the run. */
function notesOf(
  hook: Hook,
  answer: Answered,
  call: PendingCall,
  isAfter: boolean,
): Partial<ResultAnswer> {
  const stop = stopReason(hook, answer);
  const block = isAfter ? blockReason(answer) : undefined;
  const context = [
    newIn(call, hook, contextOf(hook, answer)),
    block === undefined ? "" : forModel(`hook ${hook.name}`, block),
  ].filter((text) => text !== "").join("\n");
  return {
    ...context === "" ? {} : { context },
    ...stop === undefined ? {} : { stop },
  };
}

/** What each hook has told the model in the turn that it is in. */
const told = new WeakMap<
  Hook,
  { readonly turn: string | undefined; readonly texts: Set<string> }
>();

/** `text`; "" where the model has got it of this hook in this turn. */
function newIn({ turnId: turn }: PendingCall, hook: Hook, text: string): string {
  if (text === "") return text;
  let known = told.get(hook);
  if (known === undefined || known.turn !== turn) {
    told.set(hook, known = { turn, texts: new Set() });
  }
  if (known.texts.has(text)) return "";
  known.texts.add(text);
  return text;
}

type Changed =
  | { readonly arguments: JsonObject; readonly unfit?: undefined }
  | { readonly unfit: string };

function changedArguments(
  answer: Answered,
  call: PendingCall,
  form: ToolForm,
): Changed | undefined {
  const own = ownForm(answer).arguments ?? undefined;
  if (own !== undefined) {
    return isJsonObject(own)
      ? { arguments: own }
      : { unfit: "nimlet.arguments: expected an object" };
  }
  const updated = specific(answer).updatedInput ?? undefined;
  if (updated === undefined) return undefined;
  if (!isJsonObject(updated)) return { unfit: "updatedInput: expected an object" };
  // the same again is no change, whatever the form leaves out
  if (isSameJson(updated, form.input)) return { arguments: call.arguments };
  const back = form.back(updated);
  // a tool whose arguments are taken as they are may have one of this name
  if (back !== updated && typeof back.unfit === "string") return { unfit: back.unfit };
  return { arguments: back as JsonObject };
}

function outputOf(updated: Json | undefined): string | undefined {
  if (typeof updated === "string") return updated;
  if (!isJsonObject(updated)) return undefined;
  const texts = [updated.stdout, updated.stderr, updated.content]
    .filter((text): text is string => typeof text === "string" && text !== "");
  return texts.length === 0 && !("stdout" in updated) ? undefined : texts.join("\n");
}
