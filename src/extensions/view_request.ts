/** An extension's say in one request to the model. */
import { messageOf } from "../core/failure.ts";
import type { JsonObject } from "../core/json.ts";
import type { PendingRequest, RequestAnswer } from "../core/request_moments.ts";
import type { EventAsker, ParticipantOptions } from "./event_asker.ts";
import type { Extension } from "./extension_port.ts";
import { showMessages } from "./shown_messages.ts";

/** Asks what the extension makes of a request; what cannot be sent of it is a warning. */
export async function viewRequest(
  extension: Extension,
  asker: EventAsker,
  options: ParticipantOptions,
  request: PendingRequest,
  signal: AbortSignal,
): Promise<RequestAnswer | undefined> {
  const event = "context";
  const wanted = asker.wants(event, request.mode);
  if (wanted === undefined) return undefined;
  const shown = showMessages(request.messages);
  const asked = await asker.ask(
    event,
    {
      step: request.step,
      messages: [...shown.forms],
      tokens: request.tokens(),
      limit: request.limit,
    },
    signal,
    request,
  );
  if (asked === undefined) return undefined;
  if ("failure" in asked) return { event, failed: true };
  const { system = [], messages } = asked.answer;
  const texts = system.map((text) => text.toWellFormed()).filter((text) => text.trim() !== "");
  try {
    return {
      event,
      ...texts.length === 0 ? {} : { system: texts },
      ...messages === undefined ? {} : { messages: shown.read(messages as JsonObject[]) },
    };
  } catch (error) {
    options.warn(extension, `gave messages that cannot be sent: ${messageOf(error)}; ignored`);
    return { event, failed: true, ...texts.length === 0 ? {} : { system: texts } };
  }
}
