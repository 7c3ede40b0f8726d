// Builds the playground into a folder: `node build.mjs FOLDER`.
//
// `scripts/build_playground.py` calls this. It writes on the standard input what all
// modules and data are by path, and programs to have a session with.

import { readFileSync } from "node:fs";
import { cp, readFile, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { loadPyodide } from "pyodide";

const HERE = dirname(fileURLToPath(import.meta.url));
const PYODIDE = join(HERE, "node_modules", "pyodide");

async function bundlePython(target, { sources, programs }) {
  // Columns of lines would be a fifth of the compiled modules, and are in no message.
  const env = { HOME: "/home/pyodide", PYTHONNODEBUGRANGES: "1" };
  const python = await loadPyodide({ env });
  for (const [path, text] of Object.entries(sources)) {
    python.FS.mkdirTree(dirname(`/lib/xbuf/${path}`));
    python.FS.writeFile(`/lib/xbuf/${path}`, text);
  }
  python.FS.writeFile("/tmp/bundle.py", await readFile(join(HERE, "bundle.py")));
  python.FS.writeFile(
    "/tmp/stdlib.zip", await readFile(join(PYODIDE, "python_stdlib.zip")));
  python.globals.set("programs", python.toPy(programs));
  const archives = python.runPython(`
import sys, zipfile
sys.path[:0] = ["/lib/xbuf", "/tmp"]
sys.dont_write_bytecode = True
import bundle
from xdsl_bufferization.tools.playground.views import VIEWS
bundle.have_session(programs, VIEWS)
bundle.pack_all(zipfile.ZipFile("/tmp/stdlib.zip"))
`).toJs();
  for (const [name, bytes] of Object.entries(archives)) {
    await writeFile(join(target, name), bytes);
  }
}

async function bundleJavaScript(target) {
  await build({
    absWorkingDir: HERE,
    bundle: true,
    entryPoints: { main: "src/main.js", worker: "src/worker.js" },
    // What Pyodide needs in Node.js.
    external: ["node:*", "fs", "path", "url", "vm", "crypto", "ws", "child_process"],
    format: "esm",
    minify: true,
    outdir: target,
    target: "es2022",
  });
}

async function copyFiles(target) {
  for (const name of ["pyodide.asm.mjs", "pyodide.asm.wasm", "pyodide-lock.json"]) {
    await cp(join(PYODIDE, name), join(target, name));
  }
  for (const name of ["index.html", "style.css"]) {
    await cp(join(HERE, name), join(target, name));
  }
}

const target = process.argv[2];
await Promise.all([bundleJavaScript(target), copyFiles(target)]);
try {
  await bundlePython(target, JSON.parse(readFileSync(0, "utf8")));
} catch (error) {
  // Node.js would print the line of Pyodide that throws, which has a megabyte.
  console.error(error.message);
  process.exit(1);
}
