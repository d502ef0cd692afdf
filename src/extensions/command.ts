/** What an extension's command is told, and what it can answer. */
import { cleanText } from "../core/clean_text.ts";
import type { JsonObject } from "../core/json.ts";
import { byteLength } from "../lib/well_formed.ts";
import type { Place } from "./conversation_side.ts";
import type { Extension } from "./extension_port.ts";
import { ExtensionFailure } from "./failure.ts";
import { messageForm } from "./message_form.ts";
import type { Response, ToExtension } from "./protocol.ts";

export interface ExtensionCommand {
  readonly name: string;
  readonly description: string;
}

interface OwnedCommand {
  readonly extension: Extension;
  readonly command: ExtensionCommand;
}

/** By name: of two with one name the later extension's. */
export function commandOwners(
  extensions: readonly Extension[],
  warn: (sentence: string) => void,
): Map<string, OwnedCommand> {
  const owners = new Map<string, OwnedCommand>();
  for (const extension of extensions) {
    for (const { name, description = "" } of extension.registration?.commands ?? []) {
      const before = owners.get(name)?.extension;
      if (before !== undefined && before !== extension) {
        warn(`/${name} of ${before.found.title} is replaced by that of ${extension.found.title}`);
      }
      owners.set(name, { extension, command: { name, description: cleanText(description) } });
    }
  }
  return owners;
}

/** Rejects with an `Error` whose message is one sentence, or the reason of the signal. */
export async function runCommand(
  { extension, command: { name } }: OwnedCommand,
  args: string,
  context: CommandContext,
  signal: AbortSignal,
): Promise<CommandAnswer> {
  try {
    const line = { type: "command", name, arguments: args, context } as const;
    return readCommandAnswer(await extension.request(line, { signal }));
  } catch (error) {
    signal.throwIfAborted();
    if (!(error instanceof ExtensionFailure)) throw error;
    throw new Error(`/${name}: ${extension.found.title} ${error.message}`);
  }
}

export interface CommandAnswer {
  /** Shown as the answer. */
  readonly message?: string;
  /** The next message of the user, as it is. */
  readonly prompt?: string;
  readonly session?: NonNullable<Response["session"]>;
  readonly reload?: boolean;
}

type CommandContext = Extract<ToExtension, { type: "command" }>["context"];
const maxMessageBytes = 1024 * 1024;

export function commandContext(
  workspace: string,
  { mode, sessionId, provider, model, messages }: Place,
): CommandContext {
  const newest: JsonObject[] = [];
  let bytes = 0;
  for (let at = messages.length - 1; at >= 0; at--) {
    const form = messageForm(messages[at]!, () => undefined);
    bytes += byteLength(JSON.stringify(form));
    if (bytes > maxMessageBytes) break;
    newest.unshift(form);
  }
  return { mode, workspace, session_id: sessionId, provider, model, messages: newest };
}

function readCommandAnswer({ message, prompt, session, reload }: Response): CommandAnswer {
  return {
    ...message === undefined ? {} : { message },
    ...prompt === undefined ? {} : { prompt },
    ...session === undefined ? {} : { session },
    ...reload === true ? { reload } : {},
  };
}
