// Runs Python: a session with one document, of `xdsl_bufferization/tools/playground`.
//
//   page  -- {id, question} -->  worker  -- {id, answer} or {id, error} -->  page
//
// All that it needs is beside this file. A worker that works for too long is ended by the
// page, as nothing else stops Python in a browser.

import { loadPyodide } from "pyodide";

const BASE = new URL("./", self.location.href).href;
const SOURCES = "/lib/xbuf";

// Fetched while Python starts.
const archive = fetch(`${BASE}xbuf.zip`).then(check).then((reply) => reply.arrayBuffer());

function check(reply) {
  if (!reply.ok) throw new Error(`${reply.url}: ${reply.status}`);
  return reply;
}

// Modules that few programs need. An import cannot wait, so the request does not return
// before they are here.
function fetchRest(python) {
  const request = new XMLHttpRequest();
  request.open("GET", `${BASE}rest.zip`, false);
  request.responseType = "arraybuffer";
  request.send();
  if (request.status !== 200) throw new Error(`rest.zip: ${request.status}`);
  python.unpackArchive(request.response, "zip", { extractDir: SOURCES });
}

const START = `
import sys
from pathlib import Path
sys.path.append("${SOURCES}")
sys.dont_write_bytecode = True

from xdsl_bufferization.tools.playground.rest import find_rest_with
find_rest_with(fetch_rest, Path("${SOURCES}/rest.txt").read_text().split())

from xdsl_bufferization.tools.playground.session import Session
Session().answer
`;

async function start() {
  // What passes print goes nowhere.
  const python = await loadPyodide({ indexURL: BASE, stderr() {}, stdout() {} });
  python.unpackArchive(await archive, "zip", { extractDir: SOURCES });
  python.globals.set("fetch_rest", () => fetchRest(python));
  return python.runPython(START);
}

const started = start();
started.then(
  () => self.postMessage({ ready: true }),
  (error) => self.postMessage({ failed: String(error) }),
);

self.onmessage = async ({ data: { id, question } }) => {
  const answer = await started;
  try {
    self.postMessage({ id, answer: JSON.parse(answer(JSON.stringify(question))) });
  } catch (error) {
    self.postMessage({ id, error: String(error) });
  }
};
