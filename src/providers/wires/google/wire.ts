/** Google's generative language wire. */
import type { Wire } from "../wire.ts";
import { modelList } from "./model_list.ts";
import { reader } from "./reply.ts";
import { convert, opening, request } from "./request.ts";

export const wire: Wire = {
  request,
  modelList,
  conversationKey: "contents",
  opening,
  convert,
  reader,
};
