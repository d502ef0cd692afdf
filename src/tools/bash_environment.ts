/** The environment of a shell command: nothing in it starts other code or waits for a person. */
import { shellStartupVariables } from "../host/shell.ts";

/** Editors that a person has set up; a command that names its own still gets it. */
const editorVariables = ["EDITOR", "VISUAL", "GIT_EDITOR", "GIT_SEQUENCE_EDITOR"];

/** Programs that ask a person for a password; a command that names its own still gets it. */
const askpassVariables = ["GIT_ASKPASS", "SSH_ASKPASS"];

/** `env` for a command that runs in `folder`, with editors and prompts that end at once. */
export function commandEnvironment(
  env: Record<string, string>,
  folder: string,
): Record<string, string> {
  const dropped = new Set([...shellStartupVariables, ...editorVariables, ...askpassVariables]);
  const kept = Object.entries(env).filter(([name]) => !dropped.has(name));
  return {
    ...Object.fromEntries(kept),
    PWD: folder,
    EDITOR: "false",
    VISUAL: "false",
    GIT_TERMINAL_PROMPT: "0",
    GCM_INTERACTIVE: "never",
    SSH_ASKPASS_REQUIRE: "never",
    ...gitSettings(env, {
      // takes the message as git proposes it, where it proposes one
      "core.editor": "true",
      "sequence.editor": "false",
      "core.askPass": "",
      "credential.interactive": "false",
    }),
  };
}

/** Settings above git's files and below `-c`, after those that the environment already has. */
function gitSettings(env: Record<string, string>, settings: Record<string, string>) {
  const given = Number(env.GIT_CONFIG_COUNT) || 0;
  const variables: Record<string, string> = {};
  Object.entries(settings).forEach(([key, value], index) => {
    variables[`GIT_CONFIG_KEY_${given + index}`] = key;
    variables[`GIT_CONFIG_VALUE_${given + index}`] = value;
  });
  return { ...variables, GIT_CONFIG_COUNT: String(given + Object.keys(settings).length) };
}
