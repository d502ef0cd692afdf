import assert from "node:assert/strict";
import { type McpGround, withMcp } from "../support/mcp.ts";
import { rpcError, startMcpHttp } from "../support/mcp_http.ts";

type Settings = { [key: string]: unknown };

/** Writes the project's `.mcp.json`. */
async function shared({ workspace }: McpGround, mcpServers: Settings): Promise<void> {
  await Deno.writeTextFile(`${workspace}/.mcp.json`, JSON.stringify({ mcpServers }));
}

/** A fake server in the form of `.mcp.json`. */
function sharedForm(server: Settings, more: Settings = {}): Settings {
  const [command, ...args] = server.command as string[];
  return { command, args, env: server.env, ...more };
}

async function project({ workspace }: McpGround, servers: Settings): Promise<void> {
  await Deno.mkdir(`${workspace}/.nimlet`, { recursive: true });
  await Deno.writeTextFile(
    `${workspace}/.nimlet/config.json`,
    JSON.stringify({ mcp: { servers } }),
  );
}

Deno.test("nothing of a project's servers is started or read before the project is trusted", () =>
  withMcp(async (ground) => {
    const { servers, fake, run, notes } = ground;
    await servers({});
    await shared(ground, { db: sharedForm(fake("few")) });
    await project(ground, { own: fake("few") });
    const without = await run([]);
    assert.deepEqual([without.offered[0], notes()], [[], []]);
    assert.deepEqual(without.diagnostics, [
      "skipped .mcp.json, .nimlet/config.json: this folder is not trusted; use --approve to load them",
    ]);
    const approved = await run([["mcp__db__echo", { text: "x" }]], ["--approve"]);
    assert.deepEqual(
      approved.offered[0],
      ["db__echo", "db__read", "own__echo", "own__read"].map((name) => `mcp__${name}`),
    );
    assert.equal(approved.outputs[0], "x");
    const off = await run([], ["--approve", "--set", "mcp.project_file=false"]);
    assert.deepEqual(off.offered[0], ["mcp__own__echo", "mcp__own__read"]);
  }));

Deno.test("entries count whole: yours before the project's, its config before .mcp.json; it may switch yours off", () =>
  withMcp(async (ground) => {
    const { servers, fake, run, workspace } = ground;
    await servers({ a: fake("few", { env: { WHO: "mine" }, tools: ["echo"] }), off: fake("few") });
    await project(ground, {
      A: fake("few", { bearer_command: ["x"], plan_tools: ["*"] }),
      b: fake("few", { tools: ["read"], instructions: true }),
      off: { enabled: false },
    });
    await shared(ground, {
      b: sharedForm(fake("few")),
      c: sharedForm(fake("few")),
      d: { disabled: true },
    });
    const { offered, diagnostics } = await run([], ["--approve"]);
    assert.deepEqual(offered[0], ["mcp__a__echo", "mcp__b__read", "mcp__c__echo", "mcp__c__read"]);
    const file = `${workspace}/.nimlet/config.json`;
    for (
      const line of [
        `${file}: mcp.servers.A.bearer_command: left out, as only your own config.json may set it`,
        `${file}: mcp.servers.A.plan_tools: left out, as only your own config.json may set it`,
        `${file}: mcp.servers.b.instructions: left out, as only your own config.json may set it`,
        `${file}: mcp server A: left out, as ${ground.home}/.nimlet/config.json names one as well`,
        `${workspace}/.mcp.json: mcp server b: left out, as ${file} names one as well`,
      ]
    ) assert.ok(diagnostics.includes(line), `${line}\n${diagnostics.join("\n")}`);
    assert.equal(diagnostics.length, 5);
  }));

Deno.test("variables are filled in in .mcp.json alone, once; unset ones and providers' keys skip the server", () =>
  withMcp(async (ground) => {
    const { servers, fake, run } = ground;
    await servers({ mine: fake("few", { env: { X: "${HOME}" } }) });
    const env = {
      A: "${PLAIN} $HOME {env:PLAIN}",
      B: "${UNSET:-other text}",
      C: "x${NESTED}x",
      D: "$NOT ${} ${1-x}",
      E: "[${EMPTY}] [${EMPTY:-full}] [${UNSET:-}]",
    };
    await shared(ground, {
      good: sharedForm(fake("", { env })),
      key: { type: "http", url: "http://127.0.0.1:1/${ANTHROPIC_API_KEY}" },
      unset: sharedForm(fake("few"), { args: ["${UNSET}"] }),
      sse: { type: "sse", url: "http://127.0.0.1:1/" },
      odd: sharedForm(fake("few"), { alwaysAllow: ["x"] }),
      wrong: { command: ["a"] },
      late: { url: "ftp://x" },
    });
    const { outputs, diagnostics, requests } = await run([["mcp__good__env"]], ["--approve"], {
      PLAIN: "p",
      NESTED: "${PLAIN}",
      EMPTY: "",
      ANTHROPIC_API_KEY: "sk-secret",
    });
    const seen = JSON.parse(outputs[0]!);
    assert.equal(seen.E, "[] [full] []");
    assert.deepEqual([seen.A, seen.B, seen.C, seen.D], [
      "p $HOME {env:PLAIN}",
      "other text",
      "x${PLAIN}x",
      "$NOT ${} ${1-x}",
    ]);
    const reasons = [
      /mcp server key: the variable ANTHROPIC_API_KEY is not set, .*; skipped$/,
      /mcp server unset: the variable UNSET is not set/,
      /mcp server sse: type: sse is deprecated and not spoken here; .*; skipped$/,
      /mcp server odd: unknown keys are ignored: alwaysAllow$/,
      /mcp server wrong: command: expected a text; skipped$/,
      /mcp server late: url: expected an address that begins with http/,
      /mcp server mine: env: expected a text without \$\{\.\.\.\}, which only \.mcp\.json fills in; /,
    ];
    for (const reason of reasons) {
      assert.equal(
        diagnostics.filter((line) => reason.test(line)).length,
        1,
        `${reason}\n${diagnostics.join("\n")}`,
      );
    }
    assert.equal(diagnostics.length, reasons.length);
    assert.ok(!JSON.stringify([requests, diagnostics]).includes("sk-secret"));
  }));

Deno.test("a program sees little of the environment, and what its settings give", () =>
  withMcp(async (ground) => {
    const { servers, fake, run, workspace } = ground;
    const outer = {
      LANG: "C",
      LC_ALL: "C",
      XDG_X: "1",
      HTTPS_PROXY: "",
      MY_SECRET: "m",
      OTHER: "o",
      OPENAI_API_KEY: "sk-1",
      ANTHROPIC_API_KEY: "sk-2",
    };
    const see = async (more: Settings) => {
      await servers({ one: fake("", more) });
      return JSON.parse((await run([["mcp__one__env"]], [], outer)).outputs[0]!);
    };
    const plain = await see({ env: { GIVEN: "{env:MY_SECRET}" } });
    assert.deepEqual(
      [plain.LANG, plain.LC_ALL, plain.XDG_X, plain.GIVEN, plain.NIMLET_WORKSPACE, plain.cwd],
      ["C", "C", "1", "m", workspace, workspace],
    );
    assert.ok(plain.PATH && plain.HOME && plain.NIMLET_PROCESS);
    for (const name of ["MY_SECRET", "OTHER", "OPENAI_API_KEY", "ANTHROPIC_API_KEY"]) {
      assert.equal(plain[name], undefined, name);
    }
    const all = await see({ inherit_env: true });
    assert.deepEqual([all.MY_SECRET, all.OTHER, all.OPENAI_API_KEY], ["m", "o", undefined]);
    const some = await see({ inherit_env: ["OTHER", "OPENAI_API_KEY"], cwd: ground.root });
    assert.deepEqual([some.MY_SECRET, some.OTHER, some.OPENAI_API_KEY, some.cwd], [
      undefined,
      "o",
      "sk-1",
      ground.root,
    ]);
    await servers({});
    await project(ground, {
      one: fake("", { inherit_env: ["OPENAI_API_KEY"], env: { K: "{env:OPENAI_API_KEY}" } }),
    });
    const { diagnostics } = await run([], ["--approve"], outer);
    assert.match(
      diagnostics[0]!,
      /^mcp server one: .*env\.K: the variable OPENAI_API_KEY is not set\.$/,
    );
  }));

Deno.test("what cannot be a server is skipped, and says why", () =>
  withMcp(async ({ servers, fake, run, program }) => {
    await servers({
      "a__b": fake("few"),
      "-x": fake("few"),
      "x_": fake("few"),
      both: { command: ["x"], url: "http://127.0.0.1:1/" },
      neither: { required: false },
      user: { url: "http://me:pw@127.0.0.1:1/" },
      plain: { url: "http://x.example/mcp", bearer_token: "t" },
      loop: { url: "http://x.example/mcp", headers: { "Content-Type": "x" } },
      mixed: { command: ["x"], headers: {} },
      off: { enabled: false },
    });
    const { diagnostics, code } = await run([]);
    assert.equal(code, 0);
    const reasons = [
      /mcp server a__b: expected a name of 1 to 32 letters/,
      /mcp server -x: expected a name/,
      /mcp server x_: expected a name/,
      /mcp server both: expected either command or url/,
      /mcp server neither: expected either command or url/,
      /mcp server user: url: expected an address without user name, password and fragment/,
      /mcp server plain: url: expected https, as a secret is sent there/,
      /mcp server loop: headers\.Content-Type: is set by the protocol itself/,
      /mcp server mixed: headers: is for servers with a url/,
    ];
    assert.ok(!diagnostics.join().includes("pw@"));
    for (const reason of reasons) {
      assert.ok(diagnostics.some((line) => reason.test(line)), String(reason));
    }
    assert.equal(diagnostics.length, reasons.length);
    const many = Array.from({ length: 34 }, (_, n) => [`s${n}`, { url: "http://127.0.0.1:1/" }]);
    await servers(Object.fromEntries(many));
    const { mcp_servers, warnings } = JSON.parse(
      (await program(["--mode", "json", "--doctor"])).stdout,
    );
    assert.equal(mcp_servers.length, 32);
    assert.equal(
      warnings.filter((line: string) => line.includes("there are more than 32 servers")).length,
      2,
    );
    await servers({ one: { command: [""] } });
    assert.equal((await run([])).code, 2);
    await servers({ one: { command: ["x"], env: { "a=b": "1" } } });
    assert.equal((await run([])).code, 2);
    await servers({ one: { command: ["x"], comand: ["y"] } });
    assert.match(
      (await run([])).diagnostics[0]!,
      /unknown key mcp\.servers\.one\.comand; did you mean mcp\.servers\.one\.command\?/,
    );
  }));

Deno.test("secrets of servers are shown nowhere and kept nowhere", () =>
  withMcp(async ({ servers, fake, run, program, home }) => {
    const web = startMcpHttp(({ id }, { headers }) =>
      headers.authorization === "Bearer s3cret-token"
        ? undefined
        : rpcError(401, id, 1, `not ${headers.authorization}, ${headers["x-api-key"]}`)
    );
    try {
      const command = (fake("few") as { command: string[] }).command;
      await servers({
        one: {
          ...fake("few", { env: { KEY: "s3cret-env" } }),
          command: [...command, "--api-key", "s3cret-arg"],
        },
        web: {
          url: `${web.url}?key=s3cret-url`,
          headers: { "x-api-key": "s3cret-header" },
          bearer_token: "s3cret-token",
        },
        loud: {
          ...fake("", { env: { KEY: "{env:MY_KEY}" } }),
          command: [...command.slice(0, -1), "tell_all", "--token=s3cret-arg"],
        },
        wrong: {
          url: web.url,
          headers: { "x-api-key": "s3cret-header" },
          bearer_token: "s3cret-no",
        },
        short: { command: ["no-such-program", "--token", "s3cret-arg"] },
      });
      const shown: string[] = [];
      const calls = ["web", "one"].map((name) => [`mcp__${name}__echo`, { text: "x" }] as const);
      const { stderr, records, diagnostics } = await run(calls, [], { MY_KEY: "s3cret-reference" });
      assert.match(diagnostics.join(), /"KEY":"\(hidden\)".* --token=\(hidden\)/);
      assert.match(diagnostics.join(), /bearer_token gives: not Bearer \(hidden\), \(hidden\)/);
      shown.push(stderr, JSON.stringify(records));
      for (const args of [["--show-config"], ["--doctor"], ["--list-tools"]]) {
        for (const mode of [[], ["--mode", "json"]]) {
          const { stdout, stderr } = await program([...mode, ...args], {
            MY_KEY: "s3cret-reference",
          });
          shown.push(stdout, stderr);
        }
      }
      shown.push(await Deno.readTextFile(`${home}/.nimlet/cache/mcp_tools.json`));
      for (const text of shown) assert.ok(!text.includes("s3cret"), text.slice(0, 3000));
      const doctor = JSON.parse((await program(["--mode", "json", "--doctor"])).stdout);
      const [one, other, , , short] = doctor.mcp_servers;
      assert.deepEqual([one.name, one.transport, one.scope], ["one", "stdio", "user"]);
      assert.match(one.target, / run --quiet …$/);
      assert.match(one.tools_listed_at, /^\d{4}-/);
      assert.equal(short.target, "no-such-program --token …");
      assert.equal(other.target, web.url);
    } finally {
      await web.close();
    }
  }));

Deno.test("what is filled in for a variable of .mcp.json is shown nowhere and kept nowhere", () =>
  withMcp(async (ground) => {
    const { servers, run, program, home } = ground;
    const web = startMcpHttp(({ id }, { headers, path }) =>
      headers["x-plain"] === "s3cret-header" && path === "/s3cret-path/mcp?token=s3cret-query"
        ? undefined
        : rpcError(400, id, 1, `not ${headers["x-plain"]}`)
    );
    try {
      await servers({});
      const { origin } = new URL(web.url);
      await shared(ground, {
        web: {
          url: "${ORIGIN}/${IN_PATH}/mcp?token=${IN_QUERY}",
          headers: { "x-plain": "${IN_HEADER}" },
        },
        odd: { url: `${origin}/mcp`, headers: { "x-plain": "${IN_ODD}" } },
        far: { url: "http://x.example/mcp", headers: { "x-plain": "${IN_HEADER}" } },
      });
      const env = {
        ORIGIN: origin,
        IN_PATH: "s3cret-path",
        IN_QUERY: "s3cret-query",
        IN_HEADER: "s3cret-header",
        IN_ODD: "s3cret-odd",
      };
      const { outputs, diagnostics, stderr, records } = await run(
        [["mcp__web__echo", { text: "x" }]],
        ["--approve"],
        env,
      );
      assert.deepEqual(outputs, ["Echo: x"]);
      assert.deepEqual(diagnostics.map((line) => line.replace(/^.*: mcp/, "mcp")).sort(), [
        "mcp server far: url: expected https, as a secret is sent there; skipped",
        "mcp server odd: it answered 400: not (hidden).",
      ]);
      const shown = [stderr, JSON.stringify(records)];
      for (const args of [["--show-config"], ["--doctor"], ["--list-tools"]]) {
        const { stdout, stderr } = await program(["--mode", "json", "--approve", ...args], env);
        shown.push(stdout, stderr);
      }
      shown.push(await Deno.readTextFile(`${home}/.nimlet/cache/mcp_tools.json`));
      for (const text of shown) assert.ok(!text.includes("s3cret"), text.slice(0, 3000));
      assert.ok(shown.some((text) => text.includes("${ORIGIN}/${IN_PATH}/mcp")));
    } finally {
      await web.close();
    }
  }));

Deno.test("--set changes your server for a run", () =>
  withMcp(async ({ servers, fake, run }) => {
    await servers({ one: fake("few"), two: fake("few") });
    const { offered } = await run([], [
      ...["--set", "mcp.servers.one.enabled=false"],
      ...["--set", 'mcp.servers.two.tools=["read"]'],
    ]);
    assert.deepEqual(offered[0], ["mcp__two__read"]);
  }));
