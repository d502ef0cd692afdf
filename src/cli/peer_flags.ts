/** Flags that other agents have and nimlet has not, with the one to use here. */

/** What to use, by the flag. A flag of the option table is never looked for here. */
export const peerFlags: Readonly<Record<string, string>> = {
  "-r": "use --resume, or --session ID for a certain session",
  "--resume-session": "use --session ID",
  "--session-id": "use --session ID to continue a session, or --name NAME for a new one",
  "--fork-session": "use /fork in the console",
  "--ephemeral": "use --no-session",
  "--no-session-persistence": "use --no-session",
  "--export": "use --export-session ID FILE",
  "--add-dir": "start nimlet in a folder that holds both, or name it with --cwd DIR",
  "--include-directories": "start nimlet in a folder that holds both, or name it with --cwd DIR",
  "-C": "use --cwd DIR",
  "--cd": "use --cwd DIR",
  "--dir": "use --cwd DIR",
  "--full-auto": "use --yolo",
  "-y": "use --yolo",
  "--yes": "use --yolo",
  "--auto-approve": "use --yolo",
  "--allow-all-tools": "use --yolo",
  "--approval-mode": "use --ask deny, --yolo or --plan",
  "--ask-for-approval": "use --ask deny, --yolo or --plan",
  "--permission-mode": "use --ask deny, --yolo or --plan",
  "--allowed-tools":
    "use --tools LIST for what is offered, and --allow KEY for what needs no approval",
  "--allowedTools":
    "use --tools LIST for what is offered, and --allow KEY for what needs no approval",
  "--disallowed-tools": "use --tools LIST, which names those to offer",
  "--disallowedTools": "use --tools LIST, which names those to offer",
  "--exclude-tools": "use --tools LIST, which names those to offer",
  "--no-tools": "use --tools none",
  "--output-format": "use --mode json or --mode result",
  "--format": "use --mode json or --mode result",
  "--json": "use --mode json or --mode result",
  "--stream-json": "use --mode json",
  "--input-format": "use --mode rpc",
  "--json-schema": "use --output-schema FILE",
  "-o": "use --output FILE",
  "--output-last-message": "use --output FILE",
  "--prompt": "give the prompt as words, or on stdin",
  "-q": "use -p",
  "--quiet": "use -p",
  "--prompt-interactive": "use -i",
  "--system-prompt": "write SYSTEM.md in ~/.nimlet or in .nimlet",
  "--append-system-prompt": "write APPEND_SYSTEM.md in ~/.nimlet or in .nimlet",
  "--max-turns": "use --max-steps N",
  "--max-budget-usd": "use --max-cost DOLLARS",
  "--effort": "use --thinking LEVEL",
  "--reasoning-effort": "use --thinking LEVEL",
  "--config": "use --set KEY=VALUE, or the file that --doctor names",
  "--settings": "use --set KEY=VALUE, or the file that --doctor names",
  "--base-url": "use --endpoint URL",
  "--oss": "use --provider local",
  "-V": "use --version",
  "--image": "use --attach FILE",
  "--images": "use --attach FILE",
  "-f": "use --attach FILE",
  "--file": "use --attach FILE",
  "--files": "use --attach FILE",
  "--verbose": "use -v with -p; the console shows each step by itself",
  "--debug": "use -v with -p; the console shows each step by itself",
};

/** Undefined for a flag that nobody is known to have. */
export function peerAdvice(flag: string): string | undefined {
  if (/^--dangerously-/.test(flag)) return "use --yolo";
  return Object.hasOwn(peerFlags, flag) ? peerFlags[flag] : undefined;
}
