// The page: an editor, tabs with what becomes of the program, and Python behind both.

import { classHighlighter, highlightCode } from "@lezer/highlight";
import { makeEditor } from "./editor.js";
import { readLink, writeLink } from "./links.js";
import { mlir } from "./mlir.js";
import { Python, Stopped } from "./python.js";

const WAIT = 120; // milliseconds after the last key

const find = (id) => document.getElementById(id);
const status = find("status");
const stop = find("stop");
const panel = find("panel");
const tabs = [...document.querySelectorAll("[role=tab]")];

const python = new Python();
let examples = [];

// What is asked for, and what was found: the text that Python knows, and what took too
// long and is not asked again until something changes.
let read = null;
let given = null;
const tooLong = new Set();

const editor = makeEditor(find("editor"), {
  ask: (question) => (isRead() ? python.ask(question).catch(() => null) : null),
  onChange: changed,
  onRemedy() {
    const line = editor.lineOf(editor.view.state.selection.main.head);
    const button = find("remedies").querySelector(`[data-line="${line}"]`);
    button?.focus();
    return button !== null;
  },
});

const passes = () => find("passes").value.trim();
const tab = () => tabs.find((each) => each.ariaSelected === "true").dataset.tab;
const isRead = () => read !== null && read.ended === python.ended && read.text === editor.text;

// --- From a change to what is shown ----------------------------------------------------

let timer = null;
let running = false;
let waiting = false;

function changed() {
  tooLong.clear();
  clearTimeout(timer);
  timer = setTimeout(update, WAIT);
}

async function update() {
  waiting = true;
  if (running) return;
  running = true;
  while (waiting) {
    waiting = false;
    await updateOnce();
  }
  running = false;
  document.body.dataset.state = "done";
}

const isOld = () => waiting || editor.text !== given.text || passes() !== given.passes;

async function updateOnce() {
  given = { passes: passes(), text: editor.text };
  document.body.dataset.state = "working";
  const working = setTimeout(() => (stop.hidden = false), 400);
  try {
    await python.ready;
    say("Working ...");
    let shown = await step("read", read_);
    shown &&= await step("tab", () => showTab(tab()), tab());
    shown &&= await step("explain", explain);
    if (shown) say("Ready");
    setLink();
    python.keepSpare([{ do: "read", text: given.text.length < 20_000 ? given.text : "" }]);
  } catch (error) {
    say(`This page does not work here: ${error.message}`);
  } finally {
    clearTimeout(working);
    stop.hidden = true;
  }
}

// Does one thing about the program; false if the rest would be about another program.
async function step(name, work, key = name) {
  if (isOld()) return false;
  if (tooLong.has(key)) return true;
  const { ended } = python;
  try {
    await work();
  } catch (error) {
    if (!(error instanceof Stopped)) {
      if (python.ended !== ended) return false;
      python.stop();
    }
    tooLong.add(key);
    const what = name === "tab" ? "This tab" : "The program";
    const text = error instanceof Stopped
      ? `${what} was stopped: ${error.message}. Change the program to try again.`
      : `${what} stopped Python: ${error.message}`;
    say(text);
    if (name === "tab") showText(text, "error");
    return false;
  }
  return true;
}

async function read_() {
  if (isRead() && read.passes === given.passes) return;
  const { ended } = python;
  const { passes, text } = given;
  const { faults } = await python.ask({ do: "read", pipeline: passes, text });
  read = { ended, passes, text };
  if (editor.text === text) showFaults(faults);
}

async function explain() {
  const found = await python.ask({ do: "explain" });
  if (editor.text !== given.text) return;
  editor.showDecisions(found);
  showFaults(found.faults);
  showRemedies(found.remedies);
}

async function showTab(name) {
  const at = editor.view.state.selection.main.head;
  const { kind, text } = await python.ask({ at, do: "show", tab: name });
  if (tab() !== name) return;
  if (kind === "page") showPage(text);
  else showText(text, kind);
}

function say(text) {
  status.textContent = text;
}

// --- What is shown ---------------------------------------------------------------------

function showText(text, kind) {
  const block = document.createElement("pre");
  block.tabIndex = 0;
  block.className = kind;
  if (kind === "error") {
    block.textContent = text;
  } else {
    highlightCode(
      text, mlir.parser.parse(text), classHighlighter,
      (part, classes) => {
        const span = document.createElement(classes ? "span" : "i");
        if (classes) span.className = classes;
        span.textContent = part;
        block.append(classes ? span : part);
      },
      () => block.append("\n"),
    );
  }
  panel.replaceChildren(block);
}

// A page has scripts of its own, and may not reach this one.
function showPage(text) {
  const frame = document.createElement("iframe");
  frame.sandbox = "allow-scripts";
  frame.srcdoc = text;
  frame.title = tabs.find((each) => each.dataset.tab === tab()).textContent;
  panel.replaceChildren(frame);
}

function listOf(items, write) {
  return items.map((item) => {
    const line = editor.lineOf(item.from);
    const entry = document.createElement("li");
    const button = document.createElement("button");
    button.dataset.line = line;
    write(button, item, line);
    entry.append(button);
    return entry;
  });
}

function showFaults(faults) {
  editor.showFaults(faults);
  const items = listOf(faults, (button, fault, line) => {
    button.className = fault.severity;
    button.textContent = `line ${line}: ${fault.text}`;
    button.onclick = () => editor.goTo(fault.from);
  });
  find("faults").replaceChildren(...items);
  find("faults-part").hidden = items.length === 0;
}

function showRemedies(remedies) {
  const items = listOf(remedies, (button, { edits, title }, line) => {
    button.textContent = `line ${line}: ${title}`;
    button.onclick = () => {
      editor.apply(edits);
      editor.view.focus();
    };
  });
  find("remedies").replaceChildren(...items);
  find("remedies-part").hidden = items.length === 0;
}

// --- Tabs, the menu, links -------------------------------------------------------------

function choose(chosen) {
  for (const each of tabs) {
    each.ariaSelected = String(each === chosen);
    each.tabIndex = each === chosen ? 0 : -1;
  }
  panel.setAttribute("aria-labelledby", chosen.id);
  update();
}

tabs.forEach((each, number) => {
  each.onclick = () => choose(each);
  each.onkeydown = ({ key }) => {
    const to = { ArrowLeft: number - 1, ArrowRight: number + 1, End: -1, Home: 0 }[key];
    if (to === undefined) return;
    const chosen = tabs.at(to % tabs.length);
    choose(chosen);
    chosen.focus();
  };
});

async function setLink() {
  const link = await writeLink(given);
  if (!isOld() && link !== location.hash) history.replaceState(null, "", link);
}

async function openLink() {
  try {
    const found = await readLink(location.hash);
    if (found === null) return false;
    open(found);
  } catch {
    say("This link is broken: it holds no program.");
    return false;
  }
  return true;
}

function open({ passes = "", text }) {
  find("passes").value = passes;
  editor.text = text;
  changed();
}

async function fillMenu() {
  const reply = await fetch("examples.json");
  examples = await reply.json();
  const groups = new Map();
  examples.forEach(({ group, title }, number) => {
    if (!groups.has(group)) {
      const options = document.createElement("optgroup");
      options.label = group;
      groups.set(group, options);
    }
    groups.get(group).append(new Option(title, number));
  });
  find("examples").append(...groups.values());
}

find("examples").onchange = ({ target }) => {
  open(examples[target.value]);
  target.value = "";
};
find("passes").onchange = changed;
find("copy").onclick = async () => {
  await navigator.clipboard.writeText(new URL(await writeLink({ passes: passes(), text: editor.text }), location.href));
  say("The link is copied.");
};
stop.onclick = () => python.stop("you stopped it");
addEventListener("hashchange", openLink);

// For tests, and for whoever is curious.
globalThis.playground = { editor, open, python, readLink, writeLink };

const menu = fillMenu();
if (!(await openLink())) {
  await menu;
  open(examples[0]);
}
