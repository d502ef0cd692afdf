/** Secrets by reference: `{env:NAME}`, `{file:path}`, and the escape for such a text. */
import { RunFailure } from "../core/failure.ts";
import type { Environment } from "../core/host.ts";
import { readStateFile } from "../host/state_files.ts";
import { withoutEnd } from "../lib/trim.ts";
import { resolvePath } from "./home.ts";

const maxSecretFileBytes = 64 * 1024;

/**
 * The secret that `text` holds or refers to; what comes out is never looked at again. `{{` at the
 * start stands for a literal `{`. `from` and `key` say where the text stands, for errors; relative paths
 * lie in `folder`. Throws `RunFailure("config")`, never with the secret in its message.
 */
export function resolveSecret(
  text: string,
  { key, from, folder, env }: {
    readonly key: string;
    /** A file, or a flag. */
    readonly from: string;
    readonly folder: string;
    readonly env: Environment;
  },
): string {
  const wrong = (sentence: string) => new RunFailure("config", `${from}: ${key}: ${sentence}`);
  if (text.startsWith("{{")) return text.slice(1);
  const reference = /^\s*\{(\w+):([^{}]*)\}\s*$/.exec(text);
  if (reference === null) {
    if (/^\s*\$(\{\w+\}|[A-Z_][A-Z0-9_]*)\s*$/.test(text) || /\{(env|file):/.test(text)) {
      throw wrong("expected a key, {env:NAME} or {file:path} alone, found a text that mixes them");
    }
    return text;
  }
  const [, kind, name] = reference as unknown as [string, string, string];
  switch (kind) {
    case "env": {
      const value = env.get(name.trim() || "\0");
      if (value === undefined) throw wrong(`the variable ${name} is not set`);
      if (value.trim() === "") throw wrong(`the variable ${name} is empty`);
      return value;
    }
    case "file":
      return readSecret(resolvePath(name.trim(), folder, env), wrong);
    default:
      throw wrong(`expected {env:NAME} or {file:path}, found {${kind}:...}`);
  }
}

/** The variables that keys are taken from by reference: children must not inherit them either. */
export function referencedVariables(
  providers: Readonly<Record<string, { readonly api_key?: string }>>,
): string[] {
  return Object.values(providers).flatMap(({ api_key: key }) => {
    const name = key === undefined ? undefined : /^\s*\{env:([^{}]*)\}\s*$/.exec(key)?.[1]?.trim();
    return name === undefined || name === "" ? [] : [name];
  });
}

function readSecret(path: string, wrong: (sentence: string) => RunFailure): string {
  const file = readStateFile(path, maxSecretFileBytes);
  switch (file.kind) {
    case "missing":
      throw wrong(`the file ${path} does not exist`);
    case "unreadable":
      throw wrong(`the file ${path} ${file.reason}`);
    case "text": {
      const secret = withoutEnd(file.text.replace(/^\ufeff/, ""), "\r\n");
      if (secret.trim() === "") throw wrong(`the file ${path} is empty`);
      return secret;
    }
  }
}
