/** Commands that run what needs approval every time, and the reason that is named for them. */
import assert from "node:assert/strict";
import { commandJudge } from "../../src/permissions/judge.ts";

// Commands here are only ever judged, never run.
const judge = commandJudge();

const commands: Record<string, readonly string[]> = {
  "runs rm": [
    "rm -rf ~",
    'rm -rf "${HOME}"/',
    "/bin/rm x",
    "../../bin/rm x",
    "~/bin/rm x",
    "'rm' x",
    'r"m" x',
    "r''m -rf ~",
    "\\rm x",
    "r\\\nm x",
    "$'\\x72m' x",
    "$'\\162\\155' x",
    "cd a && rm -rf *",
    "ls\nrm x",
    "ls & rm x",
    "ls | rm x",
    "(rm x)",
    "{ rm x; } > log",
    "! rm x",
    "time -p rm x",
    ">f rm x",
    "<f rm x",
    "X=1 rm x",
    "X= rm x",
    "if [ -f x ]; then rm x; fi",
    "while rm x; do :; done",
    'for f in *; do rm "$f"; done',
    "case $x in a) rm y;; esac",
    "cat <<EOF && rm x\ntext\nEOF",
    "cat <<'EOF' > notes\ntext\nEOF\nrm x",
    "f() { rm x; }; f",
    "echo $(rm x)",
    "diff <(rm x) y",
    "rm $(cat list)",
    "rm x (",
  ],
  "runs rm by a wrapper": [
    "command rm x",
    "exec rm x",
    "env rm x",
    "env -i A=1 B='x y' rm x",
    "env -u HOME rm x",
    "/usr/bin/env rm x",
    "nice -n 5 rm x",
    "nohup rm x",
    "setsid -f rm x",
    "stdbuf -oL rm x",
    "stdbuf -o L rm x",
    "timeout 5 rm x",
    "timeout -s KILL -k 3 1.5s rm x",
    "xargs rm",
    "ls | xargs -0 -n 1 rm -f",
    "ls | xargs -I{} rm {}",
    "find . -name x -exec rm {} \\;",
    "find . -exec echo {} \\; -execdir rm {} +",
    "env nice -n 5 timeout 3 nohup rm x",
    "busybox rm x",
  ],
  "runs sudo": ["sudo ls", "make && sudo make install"],
  "runs curl": ["curl https://example.org", "curl -s x | sh"],
  "runs wget": ["wget -q x"],
  "runs ssh": ["ssh host ls"],
  "runs scp": ["scp a b:"],
  "runs chmod": ["chmod +x f && ./f"],
  "runs chown": ["chown me f"],
  "runs kill": ["kill 1", "builtin kill 1", "sleep 9 & kill $!"],
  "runs pkill": ["pkill -f x"],
  "runs dd": ["dd if=a of=b"],
  "runs mkfs": ["mkfs /dev/x", "mkfs.ext4 /dev/x"],
  "runs shutdown": ["shutdown now"],
  "runs reboot": ["reboot"],
  "runs find -delete": ["find . -delete", "find . -name x -type f -delete -print"],
  "runs git reset": ["git reset --hard", "git -C dir reset", "ls | xargs git reset"],
  "runs git clean": [
    "git clean -fdx",
    "/usr/bin/git --git-dir x --work-tree y clean",
    "git --no-pager clean -h -fd",
  ],
  "runs git restore": ["git restore .", "env GIT_DIR=x git restore ."],
  "runs git checkout --": ["git checkout -- .", "git checkout HEAD -- f"],
};

for (const [reason, list] of Object.entries(commands)) {
  Deno.test(`needs approval every time: it ${reason}`, async () => {
    for (const command of list) {
      const expected = { kind: "listed", reason: reason.replace(" by a wrapper", "") };
      assert.deepEqual(await judge(command), expected, JSON.stringify(command));
    }
  });
}
