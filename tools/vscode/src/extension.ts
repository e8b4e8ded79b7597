// The VS Code client of `modeshift lsp`: starts the server, and shows documents it makes.

import * as vscode from "vscode";
import { LanguageClient, LanguageClientOptions, ServerOptions, State } from "vscode-languageclient/node";

let client: LanguageClient | undefined;

/** Under this scheme the files of the built-in library appear, which are part of the executable. */
const LIBRARY_SCHEME = "modeshift-stdlib";

/** What the commands of the server are about: the class of a code lens, or a whole document. */
interface About {
  uri: string;
  class?: string;
}

/** The commands that the server offers, each with how the text it answers is shown. */
const SHOWN: Record<string, (text: string, about: About) => Promise<void>> = {
  "modeshift.showFlatModel": (text) => showText(text, "modelica"),
  "modeshift.showModes": (text) => showText(text, "plaintext"),
  "modeshift.openReport": showReport,
};

async function showText(content: string, language: string): Promise<void> {
  const document = await vscode.workspace.openTextDocument({ content, language });
  await vscode.window.showTextDocument(document, { viewColumn: vscode.ViewColumn.Beside, preserveFocus: true });
}

async function showReport(html: string, about: About): Promise<void> {
  const title = about.class ?? "modeshift report";
  const options = { enableScripts: true };
  const panel = vscode.window.createWebviewPanel("modeshiftReport", title, vscode.ViewColumn.Beside, options);
  panel.webview.html = html;
}

function activeDocument(): About | undefined {
  const uri = vscode.window.activeTextEditor?.document.uri;
  return uri && { uri: uri.toString() };
}

/** Runs a command of the server and shows what it answers. The client has registered the commands itself. */
async function execute(
  command: string,
  args: unknown[],
  next: (command: string, args: unknown[]) => unknown,
): Promise<unknown> {
  const show = SHOWN[command];
  const about = (args[0] as About | undefined) ?? activeDocument();
  if (!show || !about) return next(command, args);
  try {
    const text = await next(command, [about]);
    if (typeof text === "string") await show(text, about);
  } catch (error) {
    void vscode.window.showErrorMessage(`modeshift: ${error instanceof Error ? error.message : String(error)}`);
  }
  return undefined;
}

/** Reads the settings anew each time, so that a restart sees the current ones. */
function createClient(): LanguageClient {
  const settings = vscode.workspace.getConfiguration("modeshift");
  const command = settings.get<string>("path") ?? "modeshift";
  const server: ServerOptions = { command, args: ["lsp"] };
  const options: LanguageClientOptions = {
    documentSelector: [{ language: "modelica" }],
    initializationOptions: { libraries: settings.get<string[]>("libraries") ?? [] },
    synchronize: { configurationSection: "modeshift" },
    middleware: { executeCommand: execute },
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

/** Asks the server for the text of a file that is in the executable. */
const library: vscode.TextDocumentContentProvider = {
  async provideTextDocumentContent(uri: vscode.Uri): Promise<string | undefined> {
    const params = { uri: uri.toString() };
    const found = await client?.sendRequest<{ text: string } | null>("workspace/textDocumentContent", params);
    return found?.text;
  },
};

export async function activate(context: vscode.ExtensionContext): Promise<void> {
  context.subscriptions.push(
    vscode.workspace.registerTextDocumentContentProvider(LIBRARY_SCHEME, library),
    vscode.commands.registerCommand("modeshift.restartServer", async () => {
      await stopClient();
      await startClient();
    }),
  );
  await startClient();
}

export async function deactivate(): Promise<void> {
  await stopClient();
}
