#!/usr/bin/env node
// Starts the program of the package for this system. It stands here until the installation puts the
// program in its place, and stays on Windows and where packages may run nothing (--ignore-scripts).
"use strict";

const { spawn } = require("node:child_process");
const fs = require("node:fs");
const process = require("node:process");

const { binaryPath, cannotStart } = require("../program.cjs");

const args = process.argv.slice(2);

/** Ends with one sentence, as the program itself does. */
function fail(sentence) {
  process.stderr.write(`nimlet: ${sentence}\n`);
  process.exit(1);
}

/** The loaders of the C library that the program needs. */
const loaders = { x64: "/lib64/ld-linux-x86-64.so.2", arm64: "/lib/ld-linux-aarch64.so.1" };

/** Whether this process can become the program: where that fails, Node ends without a sentence. */
function canBecome(file) {
  if (process.platform === "win32" || typeof process.execve !== "function") return false;
  try {
    fs.accessSync(file, fs.constants.X_OK);
    return process.platform !== "linux" || fs.existsSync(loaders[process.arch] ?? "/");
  } catch {
    return false;
  }
}

/** The open files that arguments name, as `>(...)` of a shell does: Node would keep them to itself. */
function namedFiles() {
  const numbers = args.flatMap((arg) =>
    [...arg.matchAll(/\/dev\/fd\/(\d{1,3})\b/g)].map(([, number]) => Number(number))
  );
  return numbers.filter((number) => {
    try {
      return number > 2 && fs.fstatSync(number) !== undefined;
    } catch {
      return false;
    }
  });
}

function start(file) {
  const files = namedFiles();
  if (files.length === 0 && canBecome(file)) {
    process.emitWarning = () => {}; // that it is experimental is not for stderr
    process.execve(file, ["nimlet", ...args], process.env);
  }
  // A terminal sends Ctrl-C and Ctrl-\ to the program, too: sent on, they would arrive twice.
  const hasTerminal = [0, 1, 2].some((stream) => require("node:tty").isatty(stream));
  const sentByTerminals = ["SIGINT", "SIGQUIT"];
  const signals = ["SIGTERM", "SIGHUP", "SIGUSR2", "SIGWINCH", "SIGCONT", ...sentByTerminals];
  // listened for before the program starts, so that none ends this process alone
  for (const signal of process.platform === "win32" ? ["SIGINT", "SIGTERM"] : signals) {
    const sendOn = !(hasTerminal && sentByTerminals.includes(signal));
    process.on(signal, () => sendOn && child.kill(signal));
  }
  const stdio = Array.from(
    { length: Math.max(2, ...files) + 1 },
    (_, number) => number < 3 ? "inherit" : files.includes(number) ? number : "ignore",
  );
  const child = spawn(file, args, { stdio, windowsHide: true });
  child.on("error", () => fail(cannotStart()));
  child.on("exit", (code, signal) => {
    if (signal === null) process.exit(code);
    process.removeAllListeners(signal);
    process.kill(process.pid, signal);
  });
}

const found = binaryPath();
if (found.problem === undefined) start(found.path);
else fail(found.problem);
