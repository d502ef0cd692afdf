/** The settings that point the program at a fake provider. */

/** Writes the settings of `home`, and gives the flags that use them. */
export async function pointAt(
  home: string,
  url: string,
  settings: Record<string, unknown> = {},
): Promise<string[]> {
  await Deno.mkdir(`${home}/.nimlet`, { recursive: true });
  await Deno.writeTextFile(
    `${home}/.nimlet/config.json`,
    JSON.stringify({ providers: { "openai-compatible": { endpoint: url } }, ...settings }),
  );
  return ["--provider", "openai-compatible", "--model", "m1"];
}
