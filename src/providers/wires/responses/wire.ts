/** The Responses wire: OpenAI, and the servers that copy it. */
import { commonModelList as modelList } from "../model_list.ts";
import type { Wire } from "../wire.ts";
import { reader } from "./reply.ts";
import { convert, opening, request } from "./request.ts";

export const wire: Wire = {
  request,
  modelList,
  conversationKey: "input",
  opening,
  convert,
  reader,
};
