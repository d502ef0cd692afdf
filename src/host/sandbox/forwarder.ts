/** Leads the port inside to the proxy's socket, for as long as one command runs. */
import { forwarderPort } from "./child_environment.ts";
import { innerSocket } from "./bwrap_words.ts";

const listening = `0100007F:${
  forwarderPort.toString(16).toUpperCase().padStart(4, "0")
} 00000000:0000 0A`;

/**
 * The shell in front of the command starts `socat`, waits until it listens, and ends it. The command is no
 * child of the same shell as the forwarder, so that a bare `wait` in it does not wait for that.
 */
export function withForwarder(
  shell: string,
  socat: string,
  command: readonly string[],
): string[] {
  const script = [
    "trap : TERM INT HUP",
    `"$0" TCP-LISTEN:${forwarderPort},bind=127.0.0.1,fork,reuseaddr,backlog=128 ` +
    `UNIX-CONNECT:${innerSocket} </dev/null >/dev/null 2>&1 & f=$!`,
    "disown $f",
    `for ((n = 0; n < 1000; n++)); do [[ $(</proc/net/tcp) == *"${listening}"* ]] && break; ` +
    "sleep 0.001; done",
    '"$@"',
    "s=$?; kill $f 2>/dev/null; exit $s",
  ];
  return [shell, "-p", "-c", script.join("\n"), socat, ...command];
}
