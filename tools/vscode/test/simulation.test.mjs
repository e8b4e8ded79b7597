// Runs the code behind "Simulate and Plot" on a bundled model, and the choice of the executable.
import assert from "node:assert/strict";
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import test from "node:test";
import { fileURLToPath } from "node:url";

const require = createRequire(import.meta.url);
const esbuild = require("esbuild");
const here = (path) => fileURLToPath(new URL(path, import.meta.url));
const built = (kind) => here(`../../../target/${kind}/modeshift`);
const found = [process.env.MODESHIFT, built("release"), built("debug")].find((path) => path && existsSync(path));
const skip = found ? false : "there is no modeshift executable; set MODESHIFT";

/** A TypeScript module, compiled for Node. */
function load(name, directory) {
  const outfile = join(directory, `${name}.cjs`);
  esbuild.buildSync({ entryPoints: [here(`../src/${name}.ts`)], outfile, bundle: true, platform: "node", format: "cjs" });
  return require(outfile);
}

test("a run offers what changes, and plots it", { skip }, async (t) => {
  const directory = mkdtempSync(join(tmpdir(), "modeshift-test-"));
  t.after(() => rmSync(directory, { recursive: true }));
  const { changingSignals, plot, report } = load("simulation", directory);
  const model = { file: here("../../../test-models/simulate/ClutchBasic.mo"), libraries: [] };
  const signals = await changingSignals(found, model);
  assert.ok(signals.includes("w1") && signals.includes("w2"));
  assert.ok(!signals.includes("j1") && !signals.includes("time"), "parameters and time are not offered");
  assert.match(await plot(found, model, ["w1", "w2"], directory), /<html[^]*w1/);
  assert.match(await report(found, model, directory), /<html[^]*"simulation":\{"run":\{/);
  await assert.rejects(report(found, { ...model, class: "Nowhere" }, mkdtempSync(join(directory, "none-"))), /Nowhere/);
  await assert.rejects(changingSignals(found, { ...model, class: "Nowhere" }), /Nowhere/);
});

test("the setting comes before the bundled executable, which comes before the PATH", (t) => {
  const directory = mkdtempSync(join(tmpdir(), "modeshift-test-"));
  t.after(() => rmSync(directory, { recursive: true }));
  const { executable } = load("executable", directory);
  assert.equal(executable("", directory, "linux"), "modeshift");
  mkdirSync(join(directory, "bin"));
  writeFileSync(join(directory, "bin", "modeshift"), "");
  assert.equal(executable("", directory, "linux"), join(directory, "bin", "modeshift"));
  assert.equal(executable("/opt/modeshift", directory, "linux"), "/opt/modeshift");
  assert.equal(executable(undefined, directory, "win32"), "modeshift.exe");
});
