// What the manifest promises must be there: the code knows exactly the commands it contributes.
import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import test from "node:test";

const read = (name) => readFileSync(new URL(`../${name}`, import.meta.url), "utf8");
const manifest = JSON.parse(read("package.json"));
const source = read("src/extension.ts");

test("every contributed command is registered or served, and no other", () => {
  const contributed = manifest.contributes.commands.map((c) => c.command).sort();
  const registered = [...source.matchAll(/registerCommand\("(modeshift\.[A-Za-z]+)"/g)].map((m) => m[1]);
  const served = [...source.matchAll(/^ {2}"(modeshift\.[A-Za-z]+)":/gm)].map((m) => m[1]);
  assert.deepEqual([...registered, ...served].sort(), contributed);
});

test("every setting that is read is declared", () => {
  const declared = Object.keys(manifest.contributes.configuration.properties);
  const readSettings = [...source.matchAll(/get<.+?>\("([A-Za-z.]+)"/g)].map((m) => `modeshift.${m[1]}`);
  assert.ok(readSettings.length > 0);
  for (const setting of readSettings) assert.ok(declared.includes(setting), setting);
});

test("language configuration and grammar are JSON with the scope the manifest names", () => {
  JSON.parse(read("language-configuration.json"));
  const grammar = JSON.parse(read("syntaxes/modelica.tmLanguage.json"));
  assert.equal(grammar.scopeName, manifest.contributes.grammars[0].scopeName);
});

test("icon and snippets are there", () => {
  assert.ok(existsSync(new URL(`../${manifest.icon}`, import.meta.url)));
  for (const { path } of manifest.contributes.snippets) {
    for (const [name, { prefix, body, description }] of Object.entries(JSON.parse(read(path)))) {
      assert.ok(prefix && description && body.length > 0, name);
    }
  }
});
