/** The Anthropic messages wire. */
import type { Wire } from "../wire.ts";
import { modelList } from "./model_list.ts";
import { reader } from "./reply.ts";
import { cacheMark, convert, joins, request } from "./request.ts";

export const wire: Wire = {
  request,
  modelList,
  conversationKey: "messages",
  joins,
  convert,
  cacheMark,
  reader,
};
