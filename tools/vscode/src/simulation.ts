// Runs of `modeshift` on a model, and the pages they write. Knows nothing of VS Code, so that Node can test it.

import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import { join } from "node:path";

/** What to simulate: a class, or the last one of the file. */
export interface Model {
  file: string;
  class?: string;
  libraries: string[];
}

/** The part of docs/schemas/simulation.schema.json that is read here. */
interface Summary {
  model: string;
  minimum: Record<string, number>;
  maximum: Record<string, number>;
}

/** Trajectories of large models print summaries of many megabytes. */
const MAX_OUTPUT = 512 * 1024 * 1024;

function run(executable: string, command: string, model: Model, more: string[]): Promise<string> {
  const libraries = model.libraries.flatMap((path) => ["--library", path]);
  const wanted = model.class ? ["--class", model.class] : [];
  const args = [command, "--color", "never", ...libraries, ...wanted, ...more, model.file];
  return new Promise((resolve, reject) => {
    execFile(executable, args, { maxBuffer: MAX_OUTPUT }, (error, stdout, stderr) => {
      if (error) reject(new Error(stderr.trim() || error.message));
      else resolve(stdout);
    });
  });
}

/** The variables worth a plot: those that change during the run. */
export async function changingSignals(executable: string, model: Model): Promise<string[]> {
  const summary = JSON.parse(await run(executable, "simulate", model, ["--format", "json"])) as Summary;
  const changes = (name: string): boolean => summary.minimum[name] !== summary.maximum[name];
  return Object.keys(summary.maximum).filter((name) => name !== "time" && changes(name));
}

/** The page with the plot of these signals; it is written below `directory`. */
export async function plot(executable: string, model: Model, signals: string[], directory: string): Promise<string> {
  const page = join(directory, "plot.html");
  await run(executable, "simulate", model, ["--plot", signals.join(","), "--output", page]);
  return readFile(page, "utf8");
}

/** The report of a model with a run of it; it is written below `directory`. A rejected model has a report, too. */
export async function report(executable: string, model: Model, directory: string): Promise<string> {
  const page = join(directory, "report.html");
  const failed = await run(executable, "report", model, ["--simulate", "--output", page]).then(
    () => undefined,
    (error: unknown) => error,
  );
  return readFile(page, "utf8").catch(() => Promise.reject(failed instanceof Error ? failed : new Error("there is no report")));
}
