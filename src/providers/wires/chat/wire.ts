/** The chat-completions wire: OpenRouter, Mistral, local servers and all that copy it. */
import { commonModelList as modelList } from "../model_list.ts";
import type { Wire } from "../wire.ts";
import { reader } from "./reply.ts";
import { between, cacheMark, convert, opening, request } from "./request.ts";

export const wire: Wire = {
  request,
  modelList,
  conversationKey: "messages",
  opening,
  convert,
  between,
  cacheMark,
  reader,
};
