// The VS Code client of `modeshift lsp`: starts the server, and shows documents it makes.

import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as vscode from "vscode";
import { LanguageClient, LanguageClientOptions, ServerOptions, State } from "vscode-languageclient/node";
import { executable } from "./executable";
import { changingSignals, Model, plot, report } from "./simulation";

let client: LanguageClient | undefined;

/** The signals that were plotted last, by file and class. */
const lastPlotted = new Map<string, string[]>();

/** Under this scheme the files of the built-in library appear, which are part of the executable. */
const LIBRARY_SCHEME = "modeshift-stdlib";

/** Under this scheme the pages about diagnostics appear, to which the codes of messages lead. */
const PAGE_SCHEME = "modeshift-docs";

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

function showPage(html: string, title: string): void {
  const options = { enableScripts: true };
  const panel = vscode.window.createWebviewPanel("modeshiftPage", title, vscode.ViewColumn.Beside, options);
  panel.webview.html = html;
}

async function showReport(html: string, about: About): Promise<void> {
  showPage(html, about.class ?? "modeshift report");
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

/** Read each time, so that a restart or a run sees the current settings. */
function settings(context: vscode.ExtensionContext): {
  command: string;
  libraries: string[];
  documentation: string;
  memoryLimit: number;
} {
  const read = vscode.workspace.getConfiguration("modeshift");
  return {
    command: executable(read.get<string>("path"), context.extensionPath, process.platform),
    libraries: read.get<string[]>("libraries") ?? [],
    documentation: read.get<string>("documentation") ?? "",
    memoryLimit: read.get<number>("memoryLimit") ?? 0,
  };
}

/** Saves the active editor and does something with its model, in a directory that is gone afterwards. */
async function withModel(
  context: vscode.ExtensionContext,
  about: About | undefined,
  work: (command: string, model: Model, directory: string) => Promise<void>,
): Promise<void> {
  const editor = vscode.window.activeTextEditor;
  if (!editor || editor.document.uri.scheme !== "file") {
    void vscode.window.showErrorMessage("modeshift: save the model to a file to simulate it");
    return;
  }
  await editor.document.save();
  const { command, libraries } = settings(context);
  const model: Model = { file: editor.document.uri.fsPath, class: about?.class, libraries };
  const directory = await mkdtemp(join(tmpdir(), "modeshift-"));
  try {
    await work(command, model, directory);
  } catch (error) {
    void vscode.window.showErrorMessage(`modeshift: ${error instanceof Error ? error.message : String(error)}`);
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}

/** Simulates the model and plots the signals that the user picks. */
async function simulate(command: string, model: Model, directory: string): Promise<void> {
  const names = await busy("Simulating", () => changingSignals(command, model));
  const signals = await pickSignals(names, `${model.file}:${model.class ?? ""}`);
  if (signals.length === 0) return;
  showPage(await busy("Plotting", () => plot(command, model, signals, directory)), signals.join(", "));
}

/** Everything about the model, with a run of it. */
async function reportWithSimulation(command: string, model: Model, directory: string): Promise<void> {
  const page = await busy("Analysing and simulating", () => report(command, model, directory));
  showPage(page, model.class ?? "modeshift report");
}

function busy<T>(title: string, work: () => Promise<T>): Thenable<T> {
  return vscode.window.withProgress({ location: vscode.ProgressLocation.Notification, title: `modeshift: ${title}` }, work);
}

async function pickSignals(names: string[], key: string): Promise<string[]> {
  const before = new Set(lastPlotted.get(key));
  const items = names.map((label) => ({ label, picked: before.has(label) }));
  const picked = await vscode.window.showQuickPick(items, { canPickMany: true, title: "Signals to plot" });
  const signals = (picked ?? []).map((item) => item.label);
  if (signals.length > 0) lastPlotted.set(key, signals);
  return signals;
}

function createClient(context: vscode.ExtensionContext): LanguageClient {
  const { command, libraries, documentation, memoryLimit } = settings(context);
  const limit = memoryLimit > 0 ? ["--memory-limit", String(memoryLimit)] : [];
  const server: ServerOptions = { command, args: ["lsp", ...limit] };
  const options: LanguageClientOptions = {
    documentSelector: [{ language: "modelica" }],
    initializationOptions: { libraries, documentation },
    synchronize: { configurationSection: "modeshift" },
    middleware: { executeCommand: execute },
  };
  return new LanguageClient("modeshift", "modeshift", server, options);
}

async function startClient(context: vscode.ExtensionContext): Promise<void> {
  client = createClient(context);
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
const contents: vscode.TextDocumentContentProvider = {
  async provideTextDocumentContent(uri: vscode.Uri): Promise<string | undefined> {
    const params = { uri: uri.toString() };
    const found = await client?.sendRequest<{ text: string } | null>("workspace/textDocumentContent", params);
    return found?.text;
  },
};

export async function activate(context: vscode.ExtensionContext): Promise<void> {
  context.subscriptions.push(
    vscode.workspace.registerTextDocumentContentProvider(LIBRARY_SCHEME, contents),
    vscode.workspace.registerTextDocumentContentProvider(PAGE_SCHEME, contents),
    vscode.commands.registerCommand("modeshift.simulate", (about?: About) => withModel(context, about, simulate)),
    vscode.commands.registerCommand("modeshift.reportWithSimulation", (about?: About) =>
      withModel(context, about, reportWithSimulation),
    ),
    vscode.commands.registerCommand("modeshift.restartServer", async () => {
      await stopClient();
      await startClient(context);
    }),
  );
  await startClient(context);
}

export async function deactivate(): Promise<void> {
  await stopClient();
}
