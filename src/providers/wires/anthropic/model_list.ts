/** Anthropic's list of models, which comes in pages. */
import { isJsonObject } from "../../../core/json.ts";
import { commonModelList, type ModelList } from "../model_list.ts";
import { headers } from "./request.ts";

export const modelList: ModelList = {
  request: (apiKey, next) => ({
    path: `/models?limit=1000${next === undefined ? "" : `&after_id=${encodeURIComponent(next)}`}`,
    headers: headers(apiKey),
  }),
  read(answer) {
    const page = commonModelList.read(answer);
    const hasMore = isJsonObject(answer) && answer.has_more === true;
    const next = hasMore && typeof answer.last_id === "string" ? answer.last_id : undefined;
    return page && { ...page, next };
  },
};
