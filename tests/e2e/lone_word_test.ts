/** Words that people type by habit, at a real terminal: refused at the shell, and the end of the console. */
import { say } from "../support/cassette.ts";
import { consoleTest } from "./console_support.ts";

consoleTest("a lone word that is a command elsewhere is refused at a terminal", {
  steps: [say("answered")],
  script:
    `"$@" sessions; echo "[first $?]"; "$@" -p -- sessions; echo "[second $?]"; "$@" -p two words`,
}, async (terminal) => {
  await terminal.waitFor(/nimlet: sessions is no command here: use --list-sessions; .*\n/);
  await terminal.waitFor(/\[first 2\]\nanswered\n\[second 0\]\nanswered\n\[exit status 0\]/);
});

for (const word of ["exit", "quit", ":q"]) {
  consoleTest(`${word} leaves the console`, { steps: [say("not asked")] }, async (terminal) => {
    await terminal.ready();
    await terminal.type(word);
    await terminal.press("Enter");
    await terminal.waitFor("[exit status 0]");
  });
}
