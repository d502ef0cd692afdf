/**
 * Prints the profile that a sandbox on macOS would have, to be tried there by hand.
 *
 *     deno run -A scripts/sandbox_profile.ts WORKSPACE > nimlet.sb
 *     sandbox-exec -f nimlet.sb /bin/bash
 */
import { join } from "node:path";
import { macosProfile } from "../src/host/sandbox/macos_profile.ts";

if (import.meta.main) {
  const workspace = Deno.realPathSync(Deno.args[0] ?? ".");
  const nimletHome = Deno.env.get("NIMLET_HOME") ?? join(Deno.env.get("HOME") ?? "", ".nimlet");
  const names = [".git", ".nimlet", ".agent", ".agents", ".vscode", ".idea", ".claude", ".codex"];
  console.log(macosProfile({
    mode: "workspace",
    workspace,
    privateHome: join(nimletHome, "sandbox", "tried", "home"),
    privateTemp: Deno.makeTempDirSync(),
    nimletHome,
    readable: [],
    writable: [],
    hidden: [],
    closed: names.map((name) => join(workspace, name)),
    net: "off",
    loopback: false,
  }));
}
