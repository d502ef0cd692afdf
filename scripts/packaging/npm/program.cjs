// Where the program for this system is, and why it may not be there or not start.
"use strict";

const process = require("node:process");

const packages = { "%PACKAGES%": "" };
const minGlibc = "%MIN_GLIBC%";

/** `path` of the program, or the `problem` as one sentence. */
function binaryPath() {
  const system = `${process.platform}-${process.arch}`;
  const name = packages[system];
  if (name === undefined) {
    return {
      problem: `there is no package for ${system}; there are ${
        Object.values(packages).join(", ")
      }. Compile nimlet from source instead`,
    };
  }
  const file = process.platform === "win32" ? "nimlet.exe" : "nimlet";
  try {
    return { path: require.resolve(`${name}/bin/${file}`) };
  } catch {
    // npm leaves out a package whose C library is another one
    if (process.platform === "linux" && foundGlibc() === undefined) {
      return { problem: cannotStart() };
    }
    return {
      problem: `the package ${name}, which holds the program, is not installed: ` +
        "install nimlet again without --omit=optional, or give both packages to npm",
    };
  }
}

/** Why a program that is there does not start. */
function cannotStart() {
  if (process.platform !== "linux") return "the program does not start on this system";
  return `the program does not start on this system: it needs glibc ${minGlibc} or later, ` +
    `found ${foundLibrary()}, and /proc`;
}

function foundGlibc() {
  return process.report.getReport().header.glibcVersionRuntime;
}

function foundLibrary() {
  const version = foundGlibc();
  return version === undefined ? "another C library (musl, as on Alpine)" : `glibc ${version}`;
}

module.exports = { binaryPath, cannotStart };
