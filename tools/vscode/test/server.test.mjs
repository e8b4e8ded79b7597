// Talks to the server as the extension does, through the same JSON-RPC library. Needs the executable: its path is in
// MODESHIFT, or it is in target/ of this repository.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import test from "node:test";
import { fileURLToPath } from "node:url";

const rpc = createRequire(import.meta.url)("vscode-jsonrpc/node");
const built = (kind) => fileURLToPath(new URL(`../../../target/${kind}/modeshift`, import.meta.url));
const executable = [process.env.MODESHIFT, built("release"), built("debug")].find((path) => path && existsSync(path));
const manifest = JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8"));
const skip = executable ? false : "there is no modeshift executable; set MODESHIFT";

const uri = "untitled:Clutch.mo";
const text = `model Clutch
  Real w1(start = 1), w2, t1, t2;
  input Boolean engaged;
equation
  der(w1) = t1;
  der(w2) = t2;
  if engaged then
    w1 = w2;
    t1 + t2 = 0;
  else
    t1 = 0;
    t2 = 0;
  end if;
end Clutch;
`;

test("the server offers what the extension contributes", { skip }, async () => {
  const server = spawn(executable, ["lsp"], { stdio: ["pipe", "pipe", "inherit"] });
  const connection = rpc.createMessageConnection(
    new rpc.StreamMessageReader(server.stdout),
    new rpc.StreamMessageWriter(server.stdin),
  );
  const published = new Promise((resolve) => {
    connection.onNotification("textDocument/publishDiagnostics", (params) => {
      if (params.diagnostics.length > 0) resolve(params);
    });
  });
  connection.listen();
  const { capabilities } = await connection.sendRequest("initialize", { processId: null, rootUri: null, capabilities: {} });
  await connection.sendNotification("initialized", {});

  const offered = capabilities.executeCommandProvider.commands;
  const own = ["modeshift.reportWithSimulation", "modeshift.restartServer", "modeshift.simulate"];
  assert.deepEqual([...offered, ...own].sort(), manifest.contributes.commands.map((c) => c.command).sort());

  const textDocument = { uri, languageId: "modelica", version: 1, text };
  await connection.sendNotification("textDocument/didOpen", { textDocument });
  assert.equal((await published).diagnostics[0].code, "MS4004");
  const [lens] = await connection.sendRequest("textDocument/codeLens", { textDocument: { uri } });
  assert.match(lens.command.title, /^2 modes, index 0–1/);
  for (const command of offered) {
    const shown = await connection.sendRequest("workspace/executeCommand", { command, arguments: lens.command.arguments });
    assert.ok(shown.includes("Clutch"), command);
  }
  await connection.sendRequest("shutdown");
  await connection.sendNotification("exit");
  connection.dispose();
});
