// The editor: CodeMirror, with what Python says about the program.

import {
  autocompletion, closeBrackets, closeBracketsKeymap, completionKeymap,
} from "@codemirror/autocomplete";
import { defaultKeymap, history, historyKeymap } from "@codemirror/commands";
import { bracketMatching, syntaxHighlighting } from "@codemirror/language";
import { lintGutter, lintKeymap, setDiagnostics } from "@codemirror/lint";
import { searchKeymap } from "@codemirror/search";
import { Compartment, EditorState, StateEffect, StateField } from "@codemirror/state";
import {
  Decoration, EditorView, drawSelection, highlightActiveLine, hoverTooltip, keymap,
  lineNumbers, WidgetType,
} from "@codemirror/view";
import { classHighlighter } from "@lezer/highlight";
import markdownIt from "markdown-it";
import { mlir } from "./mlir.js";

// Programs come from links of others: what looks like HTML in one stays text.
const markdown = markdownIt({ html: false, linkify: false });

class Words extends WidgetType {
  constructor(text, kind) {
    super();
    this.text = text;
    this.kind = kind;
  }

  eq(other) {
    return other.text === this.text && other.kind === this.kind;
  }

  ignoreEvent() {
    return false; // Who clicks at a hint is at its line.
  }

  toDOM() {
    const words = document.createElement(this.kind === "lens" ? "div" : "span");
    words.className = this.kind;
    words.textContent = this.text;
    return words;
  }
}

const setWords = StateEffect.define();

// Hints behind operands, and lines over functions; they move with the text.
const words = StateField.define({
  create: () => Decoration.none,
  update(shown, transaction) {
    shown = shown.map(transaction.changes);
    for (const effect of transaction.effects) {
      if (effect.is(setWords)) shown = effect.value;
    }
    return shown;
  },
  provide: (field) => EditorView.decorations.from(field),
});

function decorate(doc, { hints, lenses }) {
  const found = hints.map(({ at, label, verdict }) => {
    const kind = `hint hint-${(verdict ?? "buffer").toLowerCase()}`;
    return Decoration.widget({ side: 1, widget: new Words(label, kind) }).range(at);
  });
  for (const { from, title } of lenses) {
    const widget = new Words(title, "lens");
    found.push(
      Decoration.widget({ block: true, side: -1, widget }).range(doc.lineAt(from).from));
  }
  return Decoration.set(found, true);
}

const dark = new Compartment();
const scheme = matchMedia("(prefers-color-scheme: dark)");
const theme = () => EditorView.theme({}, { dark: scheme.matches });

// An editor in `parent`. `ask` answers about the program as it is, or with null if the
// answer would be about another text; `onChange` is called after each change.
export function makeEditor(parent, { ask, onChange, onRemedy }) {
  const hover = hoverTooltip(async (_, at) => {
    const found = await ask({ do: "hover", at });
    if (!found?.text) return null;
    return {
      above: true,
      create() {
        const dom = document.createElement("div");
        dom.className = "about";
        dom.innerHTML = markdown.render(found.text);
        return { dom };
      },
      end: found.to,
      pos: found.from,
    };
  });

  async function complete(context) {
    const before = context.matchBefore(/[%@^#!]?[\w$.-]*$/);
    if (!context.explicit && !/[%@^#!.]/.test(before?.text ?? "")) return null;
    const found = await ask({ do: "complete", at: context.pos });
    if (!found?.items.length) return null;
    return {
      from: found.items[0].from,
      options: found.items.map(({ label, kind, detail }) => ({ detail, label, type: kind })),
      validFor: /^[%@^#!]?[\w$.-]*$/,
    };
  }

  const view = new EditorView({
    parent,
    state: EditorState.create({
      extensions: [
        autocompletion({ override: [complete] }),
        bracketMatching(),
        closeBrackets(),
        dark.of(theme()),
        drawSelection(),
        highlightActiveLine(),
        history(),
        hover,
        lineNumbers(),
        lintGutter(),
        mlir,
        syntaxHighlighting(classHighlighter),
        words,
        EditorState.tabSize.of(2),
        EditorView.contentAttributes.of({
          "aria-label": "Program", autocapitalize: "off", autocorrect: "off",
          spellcheck: "false",
        }),
        EditorView.lineWrapping,
        EditorView.updateListener.of((update) => update.docChanged && onChange()),
        keymap.of([
          { key: "Mod-.", run: onRemedy },
          ...closeBracketsKeymap, ...completionKeymap, ...defaultKeymap,
          ...historyKeymap, ...lintKeymap, ...searchKeymap,
        ]),
      ],
    }),
  });
  scheme.addEventListener(
    "change", () => view.dispatch({ effects: dark.reconfigure(theme()) }));

  return {
    view,
    get text() {
      return view.state.doc.toString();
    },
    set text(text) {
      view.dispatch({
        changes: { from: 0, insert: text, to: view.state.doc.length },
        selection: { anchor: 0 },
      });
    },
    apply(edits) {
      view.dispatch({ changes: edits, scrollIntoView: true });
    },
    goTo(position) {
      view.dispatch({ scrollIntoView: true, selection: { anchor: position } });
      view.focus();
    },
    showFaults(faults) {
      const found = faults.map(({ from, notes, severity, text, to }) => {
        const lines = notes.map(
          (note) => `line ${view.state.doc.lineAt(note.from).number}: ${note.text}`);
        return { from, message: [text, ...lines].join("\n"), severity, to };
      });
      view.dispatch(setDiagnostics(view.state, found));
    },
    showDecisions(decisions) {
      view.dispatch({ effects: setWords.of(decorate(view.state.doc, decisions)) });
    },
    lineOf: (position) => view.state.doc.lineAt(position).number,
  };
}
