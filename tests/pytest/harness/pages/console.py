"""Run the commands of a document, in this process: `xbuf` and `xdsl-opt`, and pipes.

    xbuf gen --relu > mlp.mlir
    xdsl-opt -p canonicalize mlp.mlir | xbuf run - --check    # with NumPy

    $ xbuf --version
    xbuf 0.1.0

Commands that set something up, or that take hours, are looked at but not run: their
file, or their target, has to be there. `pip install .` is the exception: a project that
the page has made is installed for this process.
"""

import io
import re
import shlex
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import redirect_stderr, redirect_stdout
from functools import partial
from pathlib import Path

import pytest
from xdsl.xdsl_opt_main import xDSLOptMain

from harness.guest.environments import install, read_project
from xdsl_bufferization.tools import xbuf

ROOT = Path(__file__).parents[4]
MAKEFILE = (ROOT / "Makefile").read_text()


def run_console(text: str, place: str) -> None:
    """Run each line of a block; what is not redirected is printed.

    Of a session, what is printed has to be what the session shows.
    """
    if text.startswith("$ "):
        for command, shown in session(text):
            printed = io.StringIO()
            with redirect_stdout(printed):
                run_console(command, place)
            assert printed.getvalue().strip("\n") == shown.strip("\n"), place
        return
    for line in commands(text):
        try:
            _run_line(line)
        except AssertionError as error:
            raise AssertionError(f"{place}: {line}: {error}") from error


def error_of(command: str) -> str:
    """What a command of `xbuf` that fails says on the standard error output."""
    program, *arguments = shlex.split(command)
    assert program == "xbuf", command
    with redirect_stdout(io.StringIO()):
        code, said = _call_xbuf(arguments)
    assert code != 0, f"{command} succeeds"
    return said


def session(text: str) -> Iterator[tuple[str, str]]:
    """The commands of a session, and what each prints."""
    for part in re.split(r"^\$ ", text, flags=re.MULTILINE)[1:]:
        command, _, printed = part.partition("\n")
        yield command, printed


def commands(text: str) -> Iterator[str]:
    """The commands of a block, without comments."""
    if text.startswith("$ "):
        text = "\n".join(command for command, _ in session(text))
    for line in text.replace("\\\n", "").splitlines():
        command = re.sub(r"(^|\s)#.*$", "", line).strip()
        if command:
            yield from command.split(" && ")


def split(line: str) -> list[list[str]]:
    """The commands of a pipe, each as its words; `>` and a file are words too."""
    lexer = shlex.shlex(line, posix=True, punctuation_chars="|>")
    lexer.whitespace_split = True
    pipe: list[list[str]] = [[]]
    for word in lexer:
        if word == "|":
            pipe.append([])
        elif not pipe[-1] and re.fullmatch(r"[A-Z_]+=\S*", word):
            continue  # a variable of the environment
        else:
            pipe[-1].append(word)
    return pipe


def _run_line(line: str) -> None:
    data = ""
    for words in split(line):
        target = None
        if ">" in words:
            words, (_, target) = words[: words.index(">")], words[-2:]
        data = run_command(words, data)
        if target is not None:
            Path(target).write_text(data)
            data = ""
    sys.stdout.write(data)


def run_command(words: Sequence[str], data: str = "") -> str:
    """What a command prints that reads `data`."""
    program, *arguments = words
    run = RUNNERS.get(program)
    assert run is not None, f"'{program}' is none of {', '.join(RUNNERS)}"
    output = io.StringIO()
    with pytest.MonkeyPatch.context() as patch, redirect_stdout(output):
        patch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(data.encode())))
        run(arguments)
    return output.getvalue()


def _xbuf(arguments: Sequence[str]) -> None:
    code, said = _call_xbuf(arguments)
    assert code == 0, said


def _call_xbuf(arguments: Sequence[str]) -> tuple[int, str]:
    """The exit code of a command, and what it says on the standard error output."""
    said = io.StringIO()
    with redirect_stderr(said):
        return xbuf.main(arguments), said.getvalue()


def _xdsl_opt(arguments: Sequence[str]) -> None:
    with redirect_stderr(io.StringIO()):
        xDSLOptMain(args=arguments).run()


def _make(arguments: Sequence[str]) -> None:
    for target in arguments:
        if "=" not in target:
            assert re.search(rf"^{target}:", MAKEFILE, re.MULTILINE), target


def _python(arguments: Sequence[str]) -> None:
    """A script of the project is there, and has the options that it is given."""
    if arguments[0] == "-m":
        return
    script = ROOT / arguments[0]
    assert script.exists(), arguments[0]
    text = script.read_text()
    for option in arguments[1:]:
        if option.startswith("--"):
            assert f'"{option.partition("=")[0]}"' in text, option


def _marimo(arguments: Sequence[str]) -> None:
    """A notebook of the project; a test of its own runs it."""
    assert (ROOT / arguments[-1]).exists(), arguments[-1]


def _external(program: str, arguments: Sequence[str]) -> None:
    """A tool of the system, or a program that one has made."""
    done = subprocess.run(
        [program, *arguments], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    sys.stdout.write(done.stdout)


def _pip(arguments: Sequence[str]) -> None:
    """Install a project of the page; packages of an index are there already."""
    for folder in (Path(each).resolve() for each in arguments[1:]):
        if (folder / "pyproject.toml").exists():
            site_packages = folder / "site-packages"
            site_packages.mkdir()
            install(read_project(folder), site_packages)
            sys.path.insert(0, str(site_packages))


def _set_up(_: Sequence[str]) -> None:
    """Nothing to look at."""


RUNNERS: dict[str, Callable[[Sequence[str]], None]] = {
    "xbuf": _xbuf,
    "xdsl-opt": _xdsl_opt,
    "make": _make,
    "python": _python,
    "pip": _pip,
    "git": _set_up,
    "cd": _set_up,
    # In an environment of its own: `test_own_dialect.py` runs it.
    "lit": _set_up,
    "marimo": _marimo,
    **{
        name: partial(_external, name)
        for name in ("gcc", "riscv64-linux-gnu-gcc", "qemu-riscv64", "./main")
    },
}
