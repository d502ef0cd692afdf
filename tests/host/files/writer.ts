/** The second process of the write tests: swaps folders, races for names, is killed. */
import { nodeFiles } from "../../../src/host/files/node_files.ts";
import { readAll } from "../../../src/host/files/open_file.ts";
import { writeInside } from "../../../src/host/files/replace_file.ts";
import { ToolFailure } from "../../../src/core/failure.ts";

const [task, workspace = "", path = "", detail = ""] = Deno.args;
const node = await nodeFiles();
const say = (text: string) => Deno.stdout.writeSync(new TextEncoder().encode(`${text}\n`));

/** Leaves the folder as it is for a moment of any length up to that of a write. */
function stay(): void {
  const until = performance.now() + Math.random() * 0.5;
  while (performance.now() < until);
}

switch (task) {
  case "swap": {
    const outside = path;
    say("ready");
    for (;;) {
      try {
        Deno.renameSync(`${workspace}/d`, `${workspace}/spare`);
        Deno.symlinkSync(outside, `${workspace}/d`);
        stay();
        Deno.removeSync(`${workspace}/d`);
        Deno.renameSync(`${workspace}/spare`, `${workspace}/d`);
        stay();
      } catch {
        // A write made the folder anew in between; clear it away and go on.
        await Deno.remove(`${workspace}/d`, { recursive: true }).catch(() => {});
        await Deno.rename(`${workspace}/spare`, `${workspace}/d`).catch(() => {});
      }
    }
  }
  case "create":
    for (let round = 0; round < 50; round++) {
      try {
        writeInside(node, {
          bounds: { workspace },
          path: `${path}${round}`,
          existing: "create",
          content: () => new TextEncoder().encode(detail),
        });
        say(`${round} ${detail}`);
      } catch (error) {
        if (!(error instanceof ToolFailure) || error.code !== "already_exists") throw error;
      }
    }
    break;
  case "edit": {
    const decoder = new TextDecoder();
    for (let round = 0; round < 100; round++) {
      writeInside(node, {
        bounds: { workspace },
        path,
        existing: "update",
        content: (current) => {
          const text = decoder.decode(readAll(node, current!, 1024 * 1024));
          return new TextEncoder().encode(text.replace(`<${detail}.${round}>`, "<done>"));
        },
      });
    }
    break;
  }
  case "replace":
    for (let round = 0;; round++) {
      const bytes = new Uint8Array(Number(detail)).fill(65 + round % 26);
      writeInside(node, { bounds: { workspace }, path, existing: "replace", content: () => bytes });
      if (round === 0) say("written once");
    }
  case "fill":
    try {
      writeInside(node, {
        bounds: { workspace },
        path,
        existing: "replace",
        content: () => new Uint8Array(1024 * 1024),
      });
      say("written");
    } catch (error) {
      say(error instanceof ToolFailure ? `${error.code} ${error.message}` : String(error));
    }
    break;
}
