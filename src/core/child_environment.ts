/** What children (shell, git, external tools) get of the environment. */

/** Variables that hold keys of providers; children do not get them unless `tools.pass_credentials`. */
export const keyVariables = [
  "OPENROUTER_API_KEY",
  "OPENAI_API_KEY",
  "ANTHROPIC_API_KEY",
  "ANTHROPIC_AUTH_TOKEN",
  "GEMINI_API_KEY",
  "GOOGLE_API_KEY",
  "GOOGLE_GENERATIVE_AI_API_KEY",
  "AI_STUDIO_API_KEY",
  "MISTRAL_API_KEY",
  "HYPER_API_KEY",
  "OPENCODE_API_KEY",
] as const;

/** `env` without the variables named in `hidden`. */
export function childEnvironment(
  env: Record<string, string>,
  hidden: readonly string[],
): Record<string, string> {
  const names = new Set<string>(hidden);
  return Object.fromEntries(Object.entries(env).filter(([name]) => !names.has(name)));
}
