// What a person does in VS Code, with the client of its extensions and that of LLVM's
// extension in `docs/editors.md`: `vscode-languageclient`. The editor is `vscode.js`.
//
//   node script.js path/to/xbuf-lsp program.mlir
//
// Prints a line for each answer of the server.

const { readFileSync } = require("node:fs");
const Module = require("node:module");
const path = require("node:path");

const resolve = Module._resolveFilename;
Module._resolveFilename = (name, ...others) =>
  name === "vscode" ? path.join(__dirname, "vscode.js") : resolve(name, ...others);

const vscode = require("vscode");
const { LanguageClient } = require("vscode-languageclient/node");

const [server, file] = process.argv.slice(2);
const uri = vscode.Uri.file(file);
const { events, kept } = vscode;
const { providers } = kept;
const { token } = new vscode.CancellationTokenSource();

const program = {
  languageId: "mlir",
  text: readFileSync(file, "utf8"),
  uri,
  version: 1,
  getText() {
    return this.text;
  },
};

function placeOf(offset) {
  const before = program.text.slice(0, offset).split("\n");
  return new vscode.Position(before.length - 1, before.at(-1).length);
}

function offsetOf({ line, character }) {
  const before = program.text.split("\n").slice(0, line);
  return before.reduce((sum, each) => sum + each.length + 1, character);
}

async function change(edits) {
  const changes = edits.map(({ range, newText }) => ({
    range,
    rangeLength: offsetOf(range.end) - offsetOf(range.start),
    rangeOffset: offsetOf(range.start),
    text: newText,
  }));
  changes.sort((one, other) => other.rangeOffset - one.rangeOffset);
  for (const { rangeLength, rangeOffset, text } of changes) {
    const behind = program.text.slice(rangeOffset + rangeLength);
    program.text = program.text.slice(0, rangeOffset) + text + behind;
  }
  program.version++;
  await events.onDidChangeTextDocument.fire({ contentChanges: changes, document: program });
}

function writeInstead(old, newText) {
  const start = program.text.indexOf(old);
  const range = new vscode.Range(placeOf(start), placeOf(start + old.length));
  return change([{ newText, range }]);
}

async function waitFor(answer) {
  for (let tries = 0; tries < 600; tries++) {
    const found = await answer();
    if (found) return found;
    await new Promise((done) => setTimeout(done, 100));
  }
  throw new Error(`no answer: ${answer}`);
}

const say = (kind, text) => console.log(`${kind}: ${text}`);
const errors = () => kept.diagnostics.get(String(uri)) ?? [];
const all = () => new vscode.Range(placeOf(0), placeOf(program.text.length));

// As LLVM's extension does it: for each folder, and for files that are in none.
async function start() {
  const client = new LanguageClient(
    "mlir-lsp-server",
    "MLIR Language Server",
    { args: [], command: server },
    {
      documentSelector: [{ language: "mlir" }],
      outputChannel: vscode.window.createOutputChannel(),
      synchronize: { fileEvents: vscode.workspace.createFileSystemWatcher("**/*.mlir") },
    },
  );
  await client.start();
  return client;
}

async function work() {
  const client = await start();
  vscode.workspace.textDocuments.push(program);
  await events.onDidOpenTextDocument.fire(program);

  await writeInstead("tensor.insert", "tensor.insret");
  say("error", await waitFor(() => errors()[0]?.message));
  await writeInstead("tensor.insret", "tensor.insert");
  say("no error", await waitFor(() => errors().length === 0));

  const place = placeOf(program.text.indexOf("into %a") + 6);
  const hints = await waitFor(async () => {
    const found = await providers.InlayHintsProvider.provideInlayHints(program, all(), token);
    return found?.length && found;
  });
  const lenses = await waitFor(async () => {
    const found = await providers.CodeLensProvider.provideCodeLenses(program, token);
    return found?.length && found;
  });
  const { contents } = await providers.HoverProvider.provideHover(program, place, token);
  say("hover", [contents].flat()[0].value.match(/\*\*.*?\*\*/)[0]);

  const line = new vscode.Range(new vscode.Position(1, 0), place);
  const [action] = await providers.CodeActionsProvider.provideCodeActions(
    program, line, { diagnostics: [], triggerKind: "Invoke" }, token);
  await change(action.edit.edits);
  const edit = await providers.RenameProvider.provideRenameEdits(
    program, new vscode.Position(2, 3), "%new", token);
  await change(edit.edits);
  process.stdout.write(program.text);

  say("hints", hints.map(({ label }) => label).join("; "));
  say("lenses", lenses.map(({ command }) => command.title).join("; "));
  const symbols = await providers.DocumentSymbolProvider.provideDocumentSymbols(program, token);
  say("symbols", symbols.length);
  const { command } = lenses.find(({ command: { title } }) => title === "explain");
  const [, name] = command.arguments;
  await kept.commands.get(command.command)(String(uri), name);
  say("shown", path.basename(await waitFor(() => kept.shown[0])));
  // A machine with much to do takes longer than the two seconds of an editor.
  await (await start()).stop(60000);
  await client.stop(60000);
  say("told", kept.shown.length - 1);
}

work().then(
  () => process.exit(0),
  (error) => {
    console.log(error.stack);
    process.exit(1);
  },
);
