// Puts the program in the launcher's place, so that the command is the program and no time is lost.
"use strict";

const { spawnSync } = require("node:child_process");
const fs = require("node:fs");
const { join } = require("node:path");
const process = require("node:process");

const { binaryPath, cannotStart } = require("./program.cjs");

const command = join(__dirname, "bin", "nimlet");

function install() {
  const found = binaryPath();
  if (found.problem !== undefined) throw new Error(found.problem);
  const { status } = spawnSync(found.path, ["--version"], { stdio: "ignore", windowsHide: true });
  if (status !== 0) throw new Error(cannotStart());
  // the command is started by a script that asks for Node there
  if (process.platform === "win32") return;
  // and Yarn starts whatever a package calls a command with Node
  if (/^yarn\//.test(process.env.npm_config_user_agent ?? "")) return;
  const fresh = `${command}.new`;
  fs.rmSync(fresh, { force: true });
  try {
    fs.linkSync(found.path, fresh);
  } catch {
    fs.copyFileSync(found.path, fresh); // a file system without links
  }
  fs.chmodSync(fresh, 0o755);
  fs.renameSync(fresh, command);
  fs.rmSync(fresh, { force: true }); // of two links to one file, renaming leaves both
}

try {
  install();
} catch (error) {
  process.stderr.write(`nimlet: ${error.message}\n`);
  process.exitCode = 1;
}
