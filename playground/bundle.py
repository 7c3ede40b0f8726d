"""Pack what the playground runs into archives; runs in the Pyodide that will read them.

    xbuf.zip             compiled modules that a session needs
    python_stdlib.zip    the same of Python's library, for Pyodide to start with
    rest.zip             the sources of all other modules, fetched when one is imported;
                         rest.txt in xbuf.zip has the names of their packages

What a session needs is found out by having one: all that it has imported, and each
source text that it has asked for, as the guard of changes to xDSL does. `build.mjs`
calls this, and puts the sources into `SOURCES`, where they are in the browser too.
"""

import io
import json
import linecache
import marshal
import os
import sys
import zipfile
from collections.abc import Iterable, Iterator, Sequence
from importlib.util import MAGIC_NUMBER, cache_from_source
from pathlib import Path

SOURCES = Path("/lib/xbuf")
"""Where the modules of `xbuf.zip` and `rest.zip` are, here and in the browser."""

_DATE = 1980, 1, 1, 0, 0, 0
_NEVER_COMPARED = (1).to_bytes(4, "little") + bytes(8)
"""Flags and hash of a compiled module that is not compared with its source."""

_LISTED = (
    "xdsl_bufferization/bufferization/models/",
    "xdsl_bufferization/support/xdsl_releases/",
)
"""Folders in which modules are found by a look at the files, so that all are there."""

_NOT_IN_BROWSERS = (
    "ensurepip", "idlelib", "lib2to3", "pydoc_data", "test", "tkinter", "turtledemo",
    "venv",
)  # fmt: skip


def have_session(programs: Sequence[str], tabs: Iterable[str]) -> None:
    """Do with programs what the page does: read, explain, hover, complete, show.

    The first program has to be right: what a session with errors imports is not enough.
    """
    from xdsl_bufferization.tools.playground import rest as rest
    from xdsl_bufferization.tools.playground.session import Session

    session = Session()
    for program in programs:
        for question in (
            {"do": "read", "text": program},
            {"do": "explain"},
            {"do": "hover", "at": program.find("tensor.")},
            {"do": "complete", "at": program.find("tensor.") + 7},
            *({"do": "show", "tab": tab} for tab in tabs),
        ):
            found = json.loads(session.answer(json.dumps(question)))
            if program is programs[0] and found.get("kind") == "error":
                raise ValueError(found["text"])


def pack_all(standard: zipfile.ZipFile) -> dict[str, bytes]:
    """The archives by name, after a session."""
    used = {Path(file) for file in _files_of_modules()}
    asked_for = {Path(file) for file in linecache.cache}
    ours = sorted(SOURCES.rglob("*.py"))
    core: dict[str, bytes] = {}
    rest: dict[str, bytes] = {}
    for file in ours:
        name = file.relative_to(SOURCES).as_posix()
        text = file.read_bytes()
        if file not in used and not name.startswith(_LISTED):
            rest[name] = text
        elif file in asked_for:
            core[name] = text
            cached = cache_from_source(str(file))
            core[os.path.relpath(cached, SOURCES)] = _compile(file, text)
        else:
            core[f"{name}c"] = _compile(file, text)
    for file in SOURCES.rglob("*"):
        if file.is_file() and file.suffix not in (".py", ".pyc"):
            core[file.relative_to(SOURCES).as_posix()] = file.read_bytes()
    start, later = _split_standard(standard)
    packages = {name.partition("/")[0].removesuffix(".py") for name in rest | later}
    core["rest.txt"] = "\n".join(sorted(packages)).encode()
    return {
        "xbuf.zip": _pack(core),
        "python_stdlib.zip": _pack(start),
        "rest.zip": _pack(rest | later),
    }


def _files_of_modules() -> Iterator[str]:
    for module in [*sys.modules.values()]:
        if file := getattr(module, "__file__", None):
            yield file


def _split_standard(
    standard: zipfile.ZipFile,
) -> tuple[dict[str, bytes], dict[str, bytes]]:
    """Modules of the library: compiled if something of their package is in use."""
    used = {name.partition(".")[0] for name in sys.modules}
    start: dict[str, bytes] = {}
    later: dict[str, bytes] = {}
    for name in standard.namelist():
        top = name.partition("/")[0].removesuffix(".py")
        if top in _NOT_IN_BROWSERS or name.endswith("/"):
            continue
        text = standard.read(name)
        if top not in used:
            later[name] = text
        elif name.endswith(".py"):
            start[f"{name}c"] = _compile(Path("/lib/python314.zip", name), text)
        else:
            start[name] = text
    return start, later


def _compile(file: Path, text: bytes) -> bytes:
    code = compile(text, str(file), "exec", dont_inherit=True)
    return MAGIC_NUMBER + _NEVER_COMPARED + marshal.dumps(code)


def _pack(files: dict[str, bytes]) -> bytes:
    """An archive, the same for the same files."""
    target = io.BytesIO()
    with zipfile.ZipFile(target, "w") as archive:
        for name, content in sorted(files.items()):
            info = zipfile.ZipInfo(name, _DATE)
            archive.writestr(info, content, zipfile.ZIP_DEFLATED, 9)
    return target.getvalue()
