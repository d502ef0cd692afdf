/** What the program of a server sees of the environment: little, as it is somebody's package. */
import { keyVariables } from "../core/child_environment.ts";
import type { Environment } from "../core/host.ts";

const usual = [
  ...["PATH", "HOME", "USER", "LOGNAME", "SHELL", "TERM", "LANG", "TZ", "TMPDIR"],
  ...["HTTP_PROXY", "HTTPS_PROXY", "NO_PROXY", "ALL_PROXY"],
  ...["http_proxy", "https_proxy", "no_proxy", "all_proxy"],
  ...["SSL_CERT_FILE", "SSL_CERT_DIR", "NODE_EXTRA_CA_CERTS", "REQUESTS_CA_BUNDLE"],
  // the mark by which what a program leaves behind is found
  "NIMLET_PROCESS",
];

/** Without these hardly a program starts there. */
const usualOnWindows = [
  ...["APPDATA", "COMSPEC", "HOMEDRIVE", "HOMEPATH", "LOCALAPPDATA", "PATHEXT", "PROGRAMDATA"],
  ...["PROGRAMFILES", "PROGRAMFILES(X86)", "SYSTEMDRIVE", "SYSTEMROOT", "TEMP", "TMP", "USERNAME"],
  ...["USERPROFILE", "WINDIR"],
];

const families = /^(?:LC_|XDG_)/;

/** `inherited` are further names, or all; a project cannot ask for the keys of providers. */
export function programEnvironment(
  { env, hiddenVariables }: {
    readonly env: Environment;
    readonly hiddenVariables: readonly string[];
  },
  inherited: readonly string[] | true,
  scope: "user" | "project",
): Record<string, string> {
  const keys = new Set<string>([...keyVariables, ...hiddenVariables]);
  const wanted = (name: string) => {
    if (keys.has(name)) return inherited !== true && scope === "user" && inherited.includes(name);
    return inherited === true || inherited.includes(name) || usual.includes(name) ||
      families.test(name) || usualOnWindows.includes(name.toUpperCase()) && hasDrive(env);
  };
  return Object.fromEntries(Object.entries(env.all()).filter(([name]) => wanted(name)));
}

function hasDrive(env: Environment): boolean {
  return env.get("SYSTEMDRIVE") !== undefined || env.get("SystemDrive") !== undefined;
}
