// The VS Code client of `modeshift lsp`: starts the server, and shows documents it makes.

import * as vscode from "vscode";
import { LanguageClient, LanguageClientOptions, ServerOptions, State } from "vscode-languageclient/node";

let client: LanguageClient | undefined;

/** Reads the settings anew each time, so that a restart sees the current ones. */
function createClient(): LanguageClient {
  const settings = vscode.workspace.getConfiguration("modeshift");
  const command = settings.get<string>("path") ?? "modeshift";
  const server: ServerOptions = { command, args: ["lsp"] };
  const options: LanguageClientOptions = {
    documentSelector: [{ language: "modelica" }],
    initializationOptions: { libraries: settings.get<string[]>("libraries") ?? [] },
    synchronize: {
      configurationSection: "modeshift",
      fileEvents: vscode.workspace.createFileSystemWatcher("**/{*.mo,package.order}"),
    },
  };
  return new LanguageClient("modeshift", "modeshift", server, options);
}

async function startClient(): Promise<void> {
  client = createClient();
  try {
    await client.start();
  } catch (error) {
    void vscode.window.showErrorMessage(
      `modeshift: the language server did not start (setting modeshift.path): ${String(error)}`,
    );
  }
}

async function stopClient(): Promise<void> {
  const running = client;
  client = undefined;
  if (running && running.state !== State.Stopped) await running.stop();
}

/** Asks the server for a document about the file in the editor and shows what it answers. */
async function requestDocument(command: string): Promise<string | undefined> {
  const uri = vscode.window.activeTextEditor?.document.uri;
  if (!uri || !client) return undefined;
  return client.sendRequest<string>("workspace/executeCommand", {
    command,
    arguments: [{ uri: uri.toString() }],
  });
}

async function showText(command: string, language: string): Promise<void> {
  const content = await requestDocument(command);
  if (content === undefined) return;
  const document = await vscode.workspace.openTextDocument({ content, language });
  await vscode.window.showTextDocument(document, { viewColumn: vscode.ViewColumn.Beside, preserveFocus: true });
}

async function showReport(): Promise<void> {
  const html = await requestDocument("modeshift.openReport");
  if (html === undefined) return;
  const panel = vscode.window.createWebviewPanel("modeshiftReport", "modeshift report", vscode.ViewColumn.Beside, {
    enableScripts: true,
  });
  panel.webview.html = html;
}

/** Registers a command whose failure is told to the user instead of the console. */
function register(command: string, run: () => Promise<void>): vscode.Disposable {
  return vscode.commands.registerCommand(command, async () => {
    try {
      await run();
    } catch (error) {
      void vscode.window.showErrorMessage(`modeshift: ${String(error)}`);
    }
  });
}

export async function activate(context: vscode.ExtensionContext): Promise<void> {
  context.subscriptions.push(
    register("modeshift.showFlatModel", () => showText("modeshift.showFlatModel", "modelica")),
    register("modeshift.showModes", () => showText("modeshift.showModes", "plaintext")),
    register("modeshift.openReport", showReport),
    register("modeshift.restartServer", async () => {
      await stopClient();
      await startClient();
    }),
  );
  await startClient();
}

export async function deactivate(): Promise<void> {
  await stopClient();
}
