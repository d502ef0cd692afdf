/** The environment of commands inside: without secrets, and without ways to services outside. */
import { foldedHost, type HostList } from "../../core/sandbox_hosts.ts";

/** Names of sockets and sessions outside, and what makes a program load other code before it begins. */
const dropped =
  /^(SSH_AUTH_SOCK|SSH_AGENT_PID|DBUS_.*|DISPLAY|WAYLAND_DISPLAY|XAUTHORITY|XDG_RUNTIME_DIR|GPG_.*|DOCKER_HOST|KUBECONFIG|TMUX|TMUX_PANE|STY|WSL_INTEROP|LD_.*|GCONV_PATH|GLIBC_TUNABLES|BASH_ENV|ENV|SHELLOPTS|BASHOPTS|BASH_FUNC_.*)$/;
const secret = /TOKEN|SECRET|PASSW|CREDENTIAL|PRIVATE_KEY|ACCESS_KEY|API_KEY|APIKEY/i;

/** True for a variable that commands inside do not get unless it is named. */
export function isWithheld(name: string): boolean {
  return dropped.test(name) || secret.test(name);
}

/** What the front is started with, and what only the command gets. */
export interface InnerEnvironment {
  readonly env: Record<string, string>;
  /** Handed on by name, though the programs outside must not see them. */
  readonly later: readonly (readonly [string, string])[];
}

export function innerEnvironment(
  given: Record<string, string>,
  { mode, net, home, kept }: {
    readonly mode: string;
    readonly net: HostList;
    readonly home: string;
    readonly kept: readonly string[];
  },
): InnerEnvironment {
  const all = Object.entries(given);
  const later = all.filter(([name]) => dropped.test(name) && kept.includes(name));
  const env = Object.fromEntries(
    all.filter(([name]) => !isWithheld(name) || (kept.includes(name) && !dropped.test(name))),
  );
  return {
    env: { ...env, HOME: home, TMPDIR: "/tmp", NIMLET_SANDBOX: mode, ...proxyVariables(net) },
    later,
  };
}

/** Where the forwarder listens inside. */
export const forwarderPort = 3128;

function proxyVariables(net: HostList): Record<string, string> {
  if (typeof net === "string") return {};
  const address = `http://127.0.0.1:${forwarderPort}`;
  // what the command itself listens to is not the proxy's, unless the host's own is asked for
  const direct = ["localhost", "127.0.0.1", "::1"]
    .filter((name) => !net.some((rule) => foldedHost(rule.replace(/:\d+$/, "")) === name)).join(
      ",",
    );
  const values = { HTTP_PROXY: address, HTTPS_PROXY: address, NO_PROXY: direct };
  const lower = Object.entries(values).map(([name, value]) => [name.toLowerCase(), value]);
  return { ...values, ...Object.fromEntries(lower), NODE_USE_ENV_PROXY: "1" };
}
