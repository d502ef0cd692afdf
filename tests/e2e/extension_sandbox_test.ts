/** Extensions in the sandbox: inside by default, outside where the person says so. */
import assert from "node:assert/strict";
import { join } from "node:path";
import { call, say } from "../support/cassette.ts";
import { withExtensions } from "../support/extensions.ts";
import { exists, sandboxNeed } from "../support/sandbox.ts";
import { testWhere } from "../support/test_where.ts";

const script = `#!/bin/sh
read -r line
echo '{"type":"register","tools":[{"name":"t","description":"T.","input_schema":{"type":"object"}}]}'
while read -r line; do
  case $line in *'"type":"tool"'*) ;; *) continue ;; esac
  id=\${line#*\\"id\\":\\"}
  id=\${id%%\\"*}
  made=
  for path in "$HOME/made" "$NIMLET_EXTENSION_DIR/made" "$NIMLET_WORKSPACE/made"; do
    if (: > "$path") 2>/dev/null; then made="$made yes"; else made="$made no"; fi
  done
  echo '{"type":"response","id":"'$id'","content":[{"type":"text","text":"'$made'"}]}'
done
`;

testWhere(
  sandboxNeed,
  "an extension runs in the sandbox, unless the person's own settings take it out",
  () =>
    withExtensions(
      { command: ["./x.sh"] },
      [call("t", {}), say("ok")],
      async ({ run, folder, home, workspace }) => {
        await Deno.writeTextFile(join(folder(), "x.sh"), script, { mode: 0o755 });
        const output = async (...args: string[]) => {
          const { outputs, code, told } = await run(
            "-p",
            "go",
            "--mode",
            "json",
            "--yolo",
            ...args,
          );
          assert.equal(code, 0, told);
          return outputs[0]!.trim();
        };
        const sandboxed = ["--sandbox", "workspace"];
        const made = (): boolean[] =>
          [home, folder(), workspace].map((path) => exists(join(path, "made")));
        assert.match(await output(...sandboxed), / no yes$/);
        assert.deepEqual(made(), [false, false, true]);
        const config = (path: string, outside: string[]) =>
          Deno.writeTextFile(path, JSON.stringify({ sandbox: { outside } }));
        await Deno.mkdir(join(workspace, ".nimlet"), { recursive: true });
        await config(join(workspace, ".nimlet/config.json"), ["extension:x"]);
        assert.match(await output(...sandboxed, "--approve"), / no yes$/);
        assert.deepEqual(made(), [false, false, true]);
        await config(join(home, ".nimlet/config.json"), ["extension:x"]);
        assert.equal(await output(...sandboxed), "yes yes yes");
        assert.deepEqual(made(), [true, true, true]);
      },
    ),
);
