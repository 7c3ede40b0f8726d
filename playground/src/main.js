// The page: an editor, tabs with what becomes of the program, and Python behind both.

import { classHighlighter, highlightCode } from "@lezer/highlight";
import { makeEditor } from "./editor.js";
import { readLink, writeLink } from "./links.js";
import { mlir } from "./mlir.js";
import { Python, Stopped } from "./python.js";

const WAIT = 10; // milliseconds after the last key

const find = (id) => document.getElementById(id);
const status = find("status");
const stop = find("stop");
const panel = find("panel");
const tabs = [...document.querySelectorAll("[role=tab]")];

const FIRST_TAB = tabs[0].dataset.tab;
const python = new Python();
let examples = [];

// What is asked for, and what was found: the text that Python knows, and what took too
// long and is not asked again until something changes.
let read = null;
let given = null;
const tooLong = new Map(); // what to say about a step
let triedAgain = false; // since the last change

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
const chosen = () => tabs.find((each) => each.ariaSelected === "true");
const tab = () => chosen().dataset.tab;
const isRead = () => read !== null && read.ended === python.ended && read.text === editor.text;

// --- From a change to what is shown ----------------------------------------------------

let timer = null;
let running = false;
let waiting = false;

function changed() {
  tooLong.clear();
  triedAgain = false;
  document.body.dataset.state = "working";
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
  dispatchEvent(new Event("settled"));
}

// Resolves once all is done about the program that stands there now.
const settled = () =>
  new Promise((resolve) => addEventListener("settled", resolve, { once: true }));

const isOld = () => waiting || editor.text !== given.text || passes() !== given.passes;

async function updateOnce() {
  given = { passes: passes(), tab: tab() === FIRST_TAB ? "" : tab(), text: editor.text };
  document.body.dataset.state = "working";
  const working = setTimeout(() => (stop.hidden = false), 400);
  try {
    await python.ready;
    say("Working ...");
    const name = tab();
    const isDone =
      (await step(read_, "read", "Reading the program")) &&
      (await step(() => showTab(name), name, chosen().textContent)) &&
      (await step(explain, "explain", "Explaining the program"));
    if (isDone) say("Ready");
    setLink();
    python.keepSpare([
      { do: "read", text: examples[0]?.text ?? "" },
      { do: "explain" },
      { do: "show", tab: FIRST_TAB },
    ]);
  } catch (error) {
    say(`This page does not work here: ${error.message}`);
  } finally {
    clearTimeout(working);
    stop.hidden = true;
  }
}

// Does one thing about the program. False if no more can be done: the rest would be about
// another program, or Python was stopped.
async function step(work, key, name) {
  if (isOld()) return false;
  if (!tooLong.has(key)) {
    const { ended } = python;
    try {
      await work();
      return true;
    } catch (error) {
      const isStopped = error instanceof Stopped;
      // It was stopped while it did something else, for another program.
      if (!isStopped && python.ended !== ended) return false;
      if (!isStopped) python.stop();
      const isTooDeep = /RangeError|SyntaxError/.test(error.message);
      // What is freed of a program that stood there before may be deep: not this one.
      if (isTooDeep && !triedAgain) {
        triedAgain = waiting = true;
        return false;
      }
      const reason = isTooDeep
        ? "the program is nested too deeply for this browser" : error.message;
      tooLong.set(key, `${name} stopped: ${reason}. Change the program to try again.`);
    }
  }
  say(tooLong.get(key));
  if (key === tab()) showText(tooLong.get(key), "error");
  return false;
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

// A line of `xbuf explain`: number and marks, and then the program or words about it.
const EXPLAINED = /^(\s*(\d*)\s[=CAM ]*\|)(\s*)(.*)$/;

function showText(text, kind) {
  const block = document.createElement("pre");
  block.tabIndex = 0;
  block.className = kind;
  if (kind === "text" && tab() === "decisions") {
    text.trimEnd().split("\n").forEach((line) => block.append(explainedLine(line)));
  } else if (kind === "text" && tab() !== "compare") {
    paint(block, text);
  } else {
    block.textContent = text;
  }
  panel.replaceChildren(block);
}

function paint(parent, text) {
  highlightCode(
    text, mlir.parser.parse(text), classHighlighter,
    (part, classes) => {
      const span = document.createElement("span");
      span.className = classes;
      span.textContent = part;
      parent.append(classes ? span : part);
    },
    () => parent.append("\n"),
  );
}

// What does not fit goes on in the next line, below the words.
function explainedLine(line) {
  const shown = document.createElement("div");
  const found = EXPLAINED.exec(line);
  if (found === null) {
    shown.textContent = line || "\u00a0";
    shown.style.setProperty("--indent", line.startsWith(" ") ? 4 : 0);
    return shown;
  }
  const [, margin, number, blank, rest] = found;
  shown.style.setProperty("--indent", margin.length + blank.length + 2);
  shown.append(margin, blank);
  if (number === "") {
    shown.className = "reason";
    shown.append(rest);
  } else {
    if (/[CAM]/.test(margin)) shown.className = "copied";
    paint(shown, rest);
  }
  return shown;
}

// A page has scripts of its own, and may not reach this one.
function showPage(text) {
  const frame = document.createElement("iframe");
  frame.sandbox = "allow-scripts";
  frame.srcdoc = text;
  frame.title = chosen().textContent;
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

function select(button) {
  for (const each of tabs) {
    each.ariaSelected = String(each === button);
    each.tabIndex = each === button ? 0 : -1;
  }
  panel.setAttribute("aria-labelledby", button.id);
  button.scrollIntoView({ block: "nearest", inline: "nearest" });
}

function choose(button) {
  select(button);
  update();
}

tabs.forEach((each, number) => {
  each.onclick = () => choose(each);
  each.onkeydown = ({ key }) => {
    const to = { ArrowLeft: number - 1, ArrowRight: number + 1, End: -1, Home: 0 }[key];
    if (to === undefined) return;
    const button = tabs.at(to % tabs.length);
    choose(button);
    button.focus();
  };
});

const linkNow = () => writeLink(given);

async function setLink() {
  const link = await linkNow();
  if (!isOld() && link !== location.hash) history.replaceState(null, "", link);
}

// Opens what the address holds; false if it holds nothing.
async function openLink() {
  try {
    const found = await readLink(location.hash);
    if (found !== null) open(found);
    return found !== null;
  } catch {
    say("This link is broken: it holds no program. Choose an example, or write one.");
    return true;
  }
}

function open({ passes = "", tab = "", text }) {
  find("passes").value = passes;
  find("passes-part").open = passes !== "";
  select(tabs.find((each) => each.dataset.tab === tab) ?? tabs[0]);
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
  await navigator.clipboard.writeText(new URL(await linkNow(), location.href));
  say("The link is copied.");
};
stop.onclick = () => python.stop("you stopped it");
addEventListener("hashchange", openLink);

// For tests, and for whoever is curious.
globalThis.playground = { editor, open, python, readLink, settled, writeLink };

const menu = fillMenu();
if (!(await openLink())) {
  await menu;
  open(examples[0]);
}
