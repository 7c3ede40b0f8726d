// What stands for the module `vscode`: as much of the editor as a client of a language
// server needs. Providers are kept, so that a script may ask them as the editor does.

const { pathToFileURL } = require("node:url");

// A class that keeps what it is made of. Enums are such classes as well: `Kind.Error` is
// the word itself.
function anything(name) {
  class Thing {
    constructor(...given) {
      this.given = given;
    }
  }
  return new Proxy(Thing, {
    get: (target, key) => (key in target || typeof key === "symbol" ? target[key] : key),
  });
}

class Position {
  constructor(line, character) {
    Object.assign(this, { character, line });
  }
}

class Range {
  constructor(start, end, endLine, endCharacter) {
    this.start = endLine === undefined ? start : new Position(start, end);
    this.end = endLine === undefined ? end : new Position(endLine, endCharacter);
  }
}

class Uri {
  constructor(text) {
    this.text = text;
    this.scheme = text.split(":", 1)[0];
    this.fsPath = decodeURIComponent(new URL(text).pathname);
  }

  static file(path) {
    return new Uri(pathToFileURL(path).href);
  }

  static parse(text) {
    return new Uri(text);
  }

  toString() {
    return this.text;
  }
}

class EventEmitter {
  listeners = new Set();

  event = (listener, self) => {
    const bound = listener.bind(self);
    this.listeners.add(bound);
    return { dispose: () => this.listeners.delete(bound) };
  };

  fire(event) {
    return Promise.all([...this.listeners].map((each) => each(event)));
  }

  dispose() {
    this.listeners.clear();
  }
}

class CancellationTokenSource {
  token = { isCancellationRequested: false, onCancellationRequested: new EventEmitter().event };

  cancel() {}

  dispose() {}
}

class Disposable {
  constructor(dispose) {
    this.dispose = dispose;
  }

  static from(...all) {
    return new Disposable(() => all.forEach((each) => each.dispose()));
  }
}

class Hover {
  constructor(contents, range) {
    Object.assign(this, { contents, range });
  }
}

class MarkdownString {
  constructor(value) {
    this.value = value;
  }
}

class Diagnostic {
  constructor(range, message, severity) {
    Object.assign(this, { message, range, severity });
  }
}

class InlayHint {
  constructor(position, label, kind) {
    Object.assign(this, { kind, label, position });
  }
}

class CodeLens {
  constructor(range, command) {
    Object.assign(this, { command, range });
  }
}

class CodeAction {
  constructor(title, kind) {
    Object.assign(this, { kind, title });
  }
}

class CompletionItem {
  constructor(label) {
    this.label = label;
  }
}

class SymbolInformation {}

class WorkspaceEdit {
  edits = [];

  set(uri, edits) {
    this.edits.push(...edits);
  }
}

class TextEdit {
  constructor(range, newText) {
    Object.assign(this, { newText, range });
  }
}

const kept = { commands: new Map(), diagnostics: new Map(), providers: {}, shown: [] };
const events = {};

// Events that a script fires, as `onDidOpenTextDocument`, and others that nobody does.
const withEvents = (known) =>
  new Proxy(known, {
    get(target, key) {
      if (key in target || !/^on/.test(String(key))) return target[key];
      events[key] ??= new EventEmitter();
      return events[key].event;
    },
  });

const languages = new Proxy(
  {
    createDiagnosticCollection: () => ({
      clear: () => kept.diagnostics.clear(),
      delete: (uri) => kept.diagnostics.delete(String(uri)),
      dispose() {},
      set: (uri, found) => kept.diagnostics.set(String(uri), found ?? []),
    }),
    match: (selector, { languageId }) =>
      [selector].flat().some((each) => each.language === languageId) ? 10 : 0,
  },
  {
    get(target, key) {
      if (key in target) return target[key];
      return (_, provider) => {
        kept.providers[key.replace(/^register/, "")] = provider;
        return new Disposable(() => {});
      };
    },
  },
);

const say = (...words) => kept.shown.push(words[0]);
const channel = { append() {}, appendLine() {}, dispose() {}, replace() {}, show() {} };

const known = {
  CancellationError: class extends Error {},
  CancellationTokenSource,
  CodeAction,
  CodeLens,
  CompletionItem,
  Diagnostic,
  Disposable,
  EventEmitter,
  Hover,
  InlayHint,
  MarkdownString,
  Position,
  Range,
  SymbolInformation,
  TextEdit,
  Uri,
  WorkspaceEdit,
  commands: {
    registerCommand(name, run) {
      if (kept.commands.has(name)) throw new Error(`command '${name}' already exists`);
      kept.commands.set(name, run);
      return new Disposable(() => kept.commands.delete(name));
    },
  },
  env: { appName: "Visual Studio Code", language: "en", openExternal: async () => true },
  events,
  kept,
  languages,
  version: "1.104.0",
  window: withEvents({
    createOutputChannel: () => channel,
    showErrorMessage: say,
    showInformationMessage: say,
    async showTextDocument(uri) {
      kept.shown.push(uri.fsPath);
    },
    showWarningMessage: say,
    tabGroups: withEvents({ all: [] }),
    withProgress: (_, work) => work({ report() {} }, new CancellationTokenSource().token),
  }),
  workspace: withEvents({
    createFileSystemWatcher: () => withEvents({ dispose() {} }),
    getConfiguration: () => ({ get: (_, otherwise) => otherwise }),
    textDocuments: [],
  }),
};

module.exports = new Proxy(known, {
  get(target, key) {
    if (!(key in target) && typeof key !== "symbol") target[key] = anything();
    return target[key];
  },
});
