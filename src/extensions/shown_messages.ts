/** The messages of one request as an extension may change them, and what cannot be sent of it. */
import { isJsonObject, type Json, type JsonObject } from "../core/json.ts";
import type {
  AssistantMessage,
  ImagePart,
  Message,
  TextPart,
  ToolUsePart,
} from "../core/message.ts";
import { messageForm } from "./message_form.ts";

export interface ShownMessages {
  readonly forms: readonly JsonObject[];
  /** Takes what an extension made of them. Throws an `Error` whose message says what cannot be sent. */
  read(given: readonly JsonObject[]): Message[];
}

/** `messages` for an extension; images stand there as references. */
export function showMessages(messages: readonly Message[]): ShownMessages {
  const images = new Map<string, ImagePart>();
  const refOf = (image: ImagePart) => {
    const ref = `image-${images.size + 1}`;
    images.set(ref, image);
    return ref;
  };
  const forms = messages.map((message) => messageForm(message, refOf));
  return {
    forms,
    read(given) {
      const known = new Map(forms.map((form, index) => [JSON.stringify(form), messages[index]!]));
      // one that was left as it is keeps what its provider needs back
      const read = given.map((form) => known.get(JSON.stringify(form)) ?? messageOf(form, images));
      checkOrder(read);
      return read;
    },
  };
}

function messageOf(form: JsonObject, images: ReadonlyMap<string, ImagePart>): Message {
  const { role, content } = form;
  const parts = typeof content === "string" ? [{ type: "text", text: content }] : content;
  if (!Array.isArray(parts)) throw new Error("content: expected an array");
  switch (role) {
    case "user":
      return { role, content: parts.map((part) => shownPart(part, images)) };
    case "tool_result": {
      const { tool_id: toolId, tool_name: toolName, is_error: isError } = form;
      if (typeof toolId !== "string" || typeof toolName !== "string") {
        throw new Error("a result: expected tool_id and tool_name");
      }
      const shown = parts.map((part) => shownPart(part, images));
      return { role, toolId, toolName, content: shown, isError: isError === true };
    }
    case "assistant": {
      const said = parts.flatMap(answerPart);
      const finish = said.some(({ type }) => type === "tool_use") ? "tool_calls" : "stop";
      return { role, content: said, provider: "", model: "", finish } satisfies AssistantMessage;
    }
    default:
      throw new Error(`role: expected user, assistant or tool_result, found ${shortly(role)}`);
  }
}

function shownPart(part: Json, images: ReadonlyMap<string, ImagePart>): TextPart | ImagePart {
  if (isJsonObject(part) && part.type === "text" && typeof part.text === "string") {
    return { type: "text", text: part.text.toWellFormed() };
  }
  if (isJsonObject(part) && part.type === "image") {
    const image = images.get(String(part.ref));
    if (image !== undefined) return image;
    throw new Error(`an image: the ref ${shortly(part.ref)} is unknown`);
  }
  throw new Error(`a part: expected text or image, found ${shortly(part)}`);
}

function answerPart(part: Json): (TextPart | ToolUsePart)[] {
  if (!isJsonObject(part)) throw new Error(`a part: expected an object, found ${shortly(part)}`);
  const { type, text, id, name, input = {} } = part;
  if (type === "text" && typeof text === "string") return [{ type, text: text.toWellFormed() }];
  if (type === "tool_use" && typeof id === "string" && typeof name === "string") {
    return [{ type, id, name, input }];
  }
  // thinking that was changed is nobody's
  if (type === "thinking") return [];
  throw new Error(`a part: expected text or tool_use, found ${shortly(part)}`);
}

/** Servers refuse a call without a result, and roles that are out of turn. */
function checkOrder(messages: readonly Message[]): void {
  const open = new Set<string>();
  let before: Message["role"] | undefined;
  for (const message of messages) {
    const { role } = message;
    if (role === "tool_result") {
      if (!open.delete(message.toolId)) {
        throw new Error(`the result ${message.toolId} belongs to no call before it`);
      }
    } else {
      checkResults(open);
      if (role === "assistant" && (before === undefined || before === "assistant")) {
        throw new Error("an answer stands where a message of the user is due");
      }
    }
    if (role === "assistant") {
      for (const part of message.content) if (part.type === "tool_use") open.add(part.id);
    }
    before = role;
  }
  checkResults(open);
  if (before === undefined || before === "assistant") {
    throw new Error("the last message is not the user's, and no result");
  }
}

function checkResults(open: ReadonlySet<string>): void {
  const [first] = open;
  if (first !== undefined) throw new Error(`the call ${first} has no result`);
}

function shortly(value: Json | undefined): string {
  return (JSON.stringify(value) ?? "nothing").slice(0, 60).toWellFormed();
}
