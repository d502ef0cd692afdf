/** The Anthropic messages wire. */
import type { Wire } from "../wire.ts";
import { reader } from "./reply.ts";
import { cacheMark, convert, joins, request } from "./request.ts";

export const wire: Wire = {
  request,
  conversationKey: "messages",
  joins,
  convert,
  cacheMark,
  reader,
};
