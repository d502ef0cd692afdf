/** Recognises a conversation that is too long for the model, by each server's code and wording. */

/** Codes and types of errors that mean nothing else. */
const overflowCodes = new Set([
  "context_length_exceeded", // OpenAI, Azure, Groq, DeepSeek, Cerebras
  "max_tokens_exceeded",
  "string_above_max_length", // OpenAI
  "request_too_large", // Anthropic
  "exceed_context_size_error", // llama.cpp
  "model_max_prompt_tokens_exceeded", // GitHub
  "tokens_limit_reached", // GitHub
  "ContextWindowExceededError", // LiteLLM
  "context_window_exceeded",
]);

/** One row a wording: who says it, and how. */
export const overflowWordings: readonly (readonly [server: string, wording: RegExp])[] = [
  [
    "OpenAI, vLLM, DeepSeek, OpenRouter",
    /maximum context length (is|of) \d+|maximum context length\b.{0,60}\btokens?\b/i,
  ],
  ["OpenAI responses", /input exceeds the context window of this model/i],
  ["Anthropic", /prompt is too long: ?\d+ tokens? > ?\d+/i],
  ["Anthropic", /input length and `?max_tokens`? exceed context limit/i],
  ["Anthropic", /request size exceeds model context window/i],
  ["Google", /input token count.{0,30}exceeds the maximum number of tokens/i],
  ["Google Vertex", /input token count is \d+ but model only supports up to/i],
  ["Bedrock", /input is too long for requested model/i],
  ["llama.cpp", /(request|prompt).{0,40}exceeds the available context size/i],
  ["llama.cpp, llamafile", /the request exceeds the context size/i],
  ["vLLM", /prompt \(length \d+\) is longer than the maximum model length/i],
  ["vLLM", /model's context length is only \d+ tokens/i],
  ["SGLang", /longer than the model's context length/i],
  ["SGLang", /exceeds the model's maximum context length/i],
  ["TGI, Together", /`inputs` tokens \+ `max_new_tokens` must be <= ?\d+/i],
  ["TGI", /`inputs` must have less than \d+ tokens/i],
  ["Moonshot", /request exceeded model token limit/i],
  ["Ollama", /prompt too long; exceeded max context length/i],
  ["Ollama", /input length exceeds (the |maximum )?context length/i],
  ["LM Studio", /context length of only \d+ tokens, which is not enough/i],
  ["LM Studio", /tokens to keep from the initial prompt is greater than the context length/i],
  ["LM Studio", /reached context length of \d+ tokens/i],
  ["Groq, Cerebras", /please reduce the length of the messages or completion/i],
  ["Fireworks", /prompt is too long: \d+, model maximum context length: \d+/i],
  ["Mistral", /too large for model with \d+ maximum context length/i],
  ["xAI", /maximum prompt length is \d+ but the request contains/i],
  ["Cohere", /total number of tokens in the prompt cannot exceed/i],
  ["GitHub", /prompt token count of \d+ exceeds the limit of \d+/i],
  ["DashScope", /range of input length should be \[\d+, ?\d+\]/i],
  ["MiniMax", /context window exceeds limit/i],
  ["Zhipu", /prompt exceeds max length/i],
];

/** `status` 0: none was told. A 413 is one, too, unless it is about an image. */
export function isOverflow(status: number, text: string, codes: readonly string[]): boolean {
  // "image exceeds 5 MB maximum": a shorter conversation would not help
  if (/\bimages?\b.{0,60}\b(exceed|too large|larger)/i.test(text)) return false;
  if (status === 413 || codes.some((code) => overflowCodes.has(code))) return true;
  return [0, 400, 422, 500].includes(status) &&
    overflowWordings.some(([, wording]) => wording.test(text));
}
