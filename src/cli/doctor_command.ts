/** The run of --doctor. */
import { doctor, doctorWithoutSettings } from "../app/doctor.ts";
import { openEnvironment } from "../app/environment.ts";
import { chooseModel } from "../app/select_model.ts";
import { nimletHome } from "../config/home.ts";
import { doctorLines } from "../config/show.ts";
import { exitStatus, RunFailure } from "../core/failure.ts";
import type { Host } from "../core/host.ts";
import { toLine } from "../lib/jsonl.ts";
import { toLines } from "../lib/to_lines.ts";
import type { Options } from "./command_line.ts";

export async function runDoctor(
  options: Options,
  host: Host,
  signal: AbortSignal,
): Promise<number> {
  const report = await doctorReport(options, host, signal);
  // stdout is a program's in both modes
  const json = options.mode !== undefined;
  await host.terminal.writeOut(json ? toLine(report) : toLines(doctorLines(report)));
  const isFine = report.ok && (report.tests ?? []).every(({ ok }) => ok);
  return isFine ? exitStatus.done : exitStatus.failed;
}

/** Throws `RunFailure` for a wrong command line alone. */
async function doctorReport(options: Options, host: Host, signal: AbortSignal) {
  try {
    const environment = await openEnvironment(options, host, undefined, signal);
    const choice = chooseModel(options, environment);
    const report = await doctor(choice, environment, options);
    if (!report.ok || options.words.length === 0) return report;
    const { doctorProbes } = await import("../app/doctor_probes.ts");
    return { ...report, tests: await doctorProbes(choice, environment, options, signal) };
  } catch (error) {
    if (!(error instanceof RunFailure) || error.code === "usage") throw error;
    return doctorWithoutSettings(error.message, host, nimletHome(host.env));
  }
}
