/**
 * The commands that random calls may run. They are a fixed list and are never changed: each stays
 * in the workspace, and what it leaves running ends by itself within seconds.
 */

/** Commands that end by themselves at once. */
export const quickCommands: readonly string[] = [
  "true",
  "echo out; echo err >&2; exit 3",
  "exit 255",
  "kill -9 $$",
  "kill -15 $$",
  "cat",
  "read -r line; echo got:$line",
  "pwd; ls | head -n 3",
  "no-such-program-at-all",
  "echo $((",
  "'",
  "if",
  "printf '\\xff\\xfe\\x00\\x80'",
  "printf '\\033]0;title\\007\\033[2J\\r'",
  "printf '\\360\\237\\230'; sleep 0.05; printf '\\200'",
  "seq 1 60000",
  "head -c 3000000 /dev/zero",
  "yes | head -n 200000 >&2",
  "head -c 150000 /dev/zero | tr '\\0' x; echo end >&2",
  "echo made > made-by-command.txt",
  "touch a.txt; echo touched",
  "exec 1>&- 2>&-; exit 4",
  "sleep 0.4 & echo left one behind",
  "(sleep 0.3; echo late) & echo early",
  "env | cut -d= -f1 | sort | head -n 5",
  "git status --short | head -n 5",
  "git log --oneline | cat",
  "cat <<'END'\nhere $HOME\nEND",
  ": " + "long ".repeat(30_000) + "; echo long",
  "   ",
  "# only a comment",
  "ulimit -n; umask",
  "echo \u{1f600} é \u202e",
  "cd /; pwd",
];

/** Commands that would run on; they are only called with a limit of a second. */
export const slowCommands: readonly string[] = [
  "sleep 5",
  "echo before; sleep 5; echo after",
  "while :; do echo x; sleep 0.01; done",
  "sleep 5 & wait",
];

/** Forms of a time limit that all mean one second. */
export const oneSecond = [1, "1", "1.0", 0, -5, "-3", 0.25, " 1 "];

/** Forms of a time limit for commands that end by themselves. */
export const anyTime = [undefined, 1, 5, "5", "2.5", 1e12, 1e308, null, "9".repeat(15), 2 ** 31];
