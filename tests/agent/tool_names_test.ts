/** The tests of names that no tool has, and which of them can mean only one. */
import assert from "node:assert/strict";
import { toolMeant } from "../../src/agent/tool_names.ts";

const names = ["read", "grep", "read_skill", "ask_user", "bash", "word-count"];
const meant = (written: string) => toolMeant(written, names);

Deno.test("a name in another form means the one tool that it can mean", () => {
  for (
    const written of [
      "bash",
      "Bash",
      "BASH",
      "functions.bash",
      "functions.Bash",
      "function.bash",
      "default_api.bash",
      "default_api:bash",
      "functions_bash",
      "tools/bash",
      "functions.bash:0",
      "bash:1",
      "bash<|channel|>commentary",
      "bash<|message|>",
      "functions.bash<|channel|>json",
      " bash\n",
      "`bash`",
      '"bash"',
      "bash()",
      "babash",
      "bashbash",
    ]
  ) {
    assert.equal(meant(written), "bash", written);
  }
  assert.equal(meant("ReadSkill"), "read_skill");
  assert.equal(meant("readSkill"), "read_skill");
  assert.equal(meant("ask-user"), "ask_user");
  assert.equal(meant("word_count"), "word-count");
  assert.equal(meant("readread_skill"), "read_skill");
});

Deno.test("a name of nothing, or of several tools, means none", () => {
  for (
    const written of ["", "shell", "run_bash", "bashful", "read file", "<|channel|>bash", ".", "ba"]
  ) {
    assert.equal(meant(written), undefined, written);
  }
  assert.equal(toolMeant("A-B", ["a_b", "ab"]), undefined);
  assert.equal(toolMeant("a_b", ["a_b", "ab"]), "a_b");
});
