r"""Names that end what they are quoted in, in every place that names are written to.

A compiler, a parser or a browser reads each place. `mark` is what a name would smuggle
in: it may stand only inside of what was quoted.
"""

import ctypes
import html.parser
import json
import re
import subprocess
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from harness.oracles.tools import find_oracle
from harness.running.command_line import lines_of_failure
from typing_extensions import override

import xdsl_bufferization as xbuf
from xdsl_bufferization.codegen.targets.header import header
from xdsl_bufferization.runtime.llvm import parse
from xdsl_bufferization.support import abi
from xdsl_bufferization.support.errors import OperationError
from xdsl_bufferization.support.escaping import (
    in_c_comment,
    in_c_string,
    in_file_name,
    in_html_script,
    in_llvm_name,
    in_terminal,
)
from xdsl_bufferization.tools.xbuf import main

NASTY = {
    "quote": 'x"); int mark = 42; void q(void) __asm__("y',
    "comment": "a*/ int mark = 43; /*",
    "directive": '\n#include "mark"\n',
    "return": "a\rmark",
    "zero": "a\0b",
    "backslash": "a\\",
    "trigraph": "a??/",
    "escape": "\x1b[31mmark",
    "title": "\x1b]0;mark\x07",
    "c1": "\x9b31mmark",
    "order": "\u202emark",
    "no width": "\u200bmark",
    "line": "a\u2028mark",
    "script": "</script><script>mark()</script>",
    "attribute": "' onload=mark() \"",
    "entity": "&lt;mark&gt;",
    "folder": "../../mark",
    "hidden": ".mark",
    "format": "%s%n",
    "shell": "$(mark)`mark`",
    "option": "-mark",
    "response": "@mark",
    "llvm": '"() { ret void } define void @"mark',
    "letters": "naïve",
    "empty": "",
}


def named(names: dict[str, str]) -> pytest.MarkDecorator:
    return pytest.mark.parametrize("name", names.values(), ids=names.keys())


each_name = named(NASTY)
# LLVM has no empty name, and no name with a zero.
each_name_of_llvm = named(
    {key: name for key, name in NASTY.items() if name and "\0" not in name}
)
# A zero ends an argument of a program, and a dash begins an option.
each_argument = named(
    {
        key: name
        for key, name in NASTY.items()
        if "\0" not in name and not name.startswith("-")
    }
)


# The functions.


@each_name
def test_a_terminal_obeys_nothing(name: str):
    shown = in_terminal(name)
    assert shown.isprintable()
    if name.isprintable():
        assert shown == name


def test_a_terminal_gets_its_colours():
    text = in_terminal("\x1b[31mred\x1b[0m \x1b[2J", ["\x1b[31m", "\x1b[0m"])
    assert text == "\x1b[31mred\x1b[0m \\x1b[2J"


@each_name
def test_a_string_of_c_is_the_name(name: str, tmp_path: Path):
    find_oracle("gcc")
    source = f'char name[] = "{in_c_string(name)}"; int size = sizeof name;'
    library = compiled(source, tmp_path, "-trigraphs")
    size = ctypes.c_int.in_dll(library, "size").value
    value = (ctypes.c_char * size).in_dll(library, "name").raw
    assert value == name.encode() + b"\0"


@each_name
def test_a_comment_of_c_ends_where_it_should(name: str, tmp_path: Path):
    find_oracle("gcc")
    source = f"/* {in_c_comment(name)} */ int mark = 1;"
    library = compiled(source, tmp_path, "-trigraphs", "-Wall", "-Werror")
    assert ctypes.c_int.in_dll(library, "mark").value == 1


def compiled(source: str, folder: Path, *flags: str) -> ctypes.CDLL:
    (folder / "a.c").write_text(source)
    command = ["gcc", "-shared", *flags, folder / "a.c", "-o", folder / "a.so"]
    subprocess.run(command, check=True)
    return ctypes.CDLL(str(folder / "a.so"))


@each_name_of_llvm
def test_a_name_of_llvm_is_the_name(name: str):
    module = parse(f'define void @"{in_llvm_name(name)}"() {{ ret void }}')
    assert [each.name for each in module.functions] == [name]


@each_name
def test_a_file_is_in_the_folder(name: str, tmp_path: Path):
    path = tmp_path / f"01-{in_file_name(name)}"
    path.touch()
    assert list(tmp_path.iterdir()) == [path]
    assert in_file_name(name)[:1] not in (".", "/")


@each_name
def test_a_script_has_the_name_and_does_not_end(name: str):
    text = in_html_script(json.dumps(name))
    assert json.loads(text) == name
    assert "<" not in text


# The places.


def program(name: str, constants: int = 4) -> str:
    bytes_ = "".join(f"\\{byte:02X}" for byte in name.encode())
    numbers = ", ".join(map(str, range(constants)))
    return f"""\
memref.global "private" constant @"{bytes_}_" : memref<{constants}xi32> = \
dense<[{numbers}]>
func.func @"{bytes_}"(%m: memref<{constants}xi32>, %s: i8) -> i8 {{
  %g = memref.get_global @"{bytes_}_" : memref<{constants}xi32>
  memref.copy %g, %m : memref<{constants}xi32> to memref<{constants}xi32>
  return %s : i8
}}
"""


@each_name
@pytest.mark.parametrize("constants", [4, 2000])
def test_compiled_code_is_called_by_any_name(name: str, constants: int):
    module = xbuf.parse(program(name, constants))
    if not name or "\0" in name:
        with pytest.raises(OperationError, match="a name of compiled code"):
            xbuf.compile(module)
        return
    numbers = np.zeros(constants, np.int32)
    assert xbuf.compile(module)[name](numbers, -1) == -1
    assert numbers.tolist() == list(range(constants))


@each_name
@pytest.mark.parametrize("suffix", ["o", "s", "ll"])
def test_a_header_has_a_name_for_c_or_there_is_none(
    name: str,
    suffix: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
):
    find_oracle("gcc")
    monkeypatch.chdir(tmp_path)
    Path("a.mlir").write_text(program(name))
    code = main(["build", "a.mlir", "-o", f"a.{suffix}"])
    error = capsys.readouterr().err
    if not re.fullmatch(r"[\w.$]+", name):
        assert code == 1
        line, *_ = error.splitlines()
        assert re.fullmatch(r"a.mlir:2:1: error: C cannot call @.*", line)
        assert not Path("a.h").exists()
        return
    assert (code, error) == (0, "")
    check = ["gcc", "-Wall", "-Werror", "-fsyntax-only", "-x", "c", "a.h"]
    subprocess.run(check, check=True)


@each_name
def test_a_header_smuggles_nothing_even_if_it_is_made_for_a_name(
    name: str, tmp_path: Path
):
    find_oracle("gcc")
    number = abi.ScalarSignature("i8", name)
    memref = abi.MemRefSignature("f32", (1,), name=name)
    function = abi.FunctionSignature(name, (number, memref), (number, memref))
    (tmp_path / "a.h").write_text(header(name, [function]))
    command = ["gcc", "-E", "-trigraphs", "a.h"]
    done = subprocess.run(
        command, cwd=tmp_path, capture_output=True, text=True, check=True
    )
    code = re.sub(r'"(\\.|[^"\\])*"', '""', done.stdout)
    assert not re.search(r"\bmark\s*[=(]", code)


def test_names_that_begin_with_a_digit_have_structs(tmp_path: Path):
    find_oracle("gcc")
    number = abi.ScalarSignature("i8")
    function = abi.FunctionSignature("0a", (), (number, number))
    (tmp_path / "a.h").write_text(header("a", [function]))
    command = ["gcc", "-fsyntax-only", "-x", "c", "a.h"]
    subprocess.run(command, cwd=tmp_path, check=True)


class Elements(html.parser.HTMLParser):
    """The elements of a page, and the texts of its scripts."""

    def __init__(self) -> None:
        super().__init__()
        self.tags: list[tuple[str, tuple[str, ...]]] = []

    @override
    def handle_starttag(self, tag: str, attrs: Any) -> None:
        self.tags.append((tag, tuple(name for name, _ in attrs)))


def elements(page: Path) -> set[tuple[str, tuple[str, ...]]]:
    parser = Elements()
    parser.feed(page.read_text())
    return set(parser.tags)


@pytest.mark.volume(sample=25)
@each_name
@pytest.mark.parametrize(
    "command", ["explain --html page.html", "stages --out . --html"]
)
def test_a_page_has_no_element_of_a_name(
    name: str, command: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.chdir(tmp_path)
    pages: list[set[tuple[str, tuple[str, ...]]]] = []
    first, *others = command.split()
    for each in ("plain", name):
        Path("a.mlir").write_text(program(each))
        assert main([first, "a.mlir", *others]) == 0
        page = Path("page.html" if first == "explain" else "index.html")
        pages.append(elements(page))
    assert pages[0] == pages[1]


@pytest.mark.volume(sample=50)
@each_name
@pytest.mark.parametrize("command", ["explain", "explain --json", "compare", "stages"])
def test_what_is_printed_is_printable(
    name: str,
    command: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
):
    monkeypatch.chdir(tmp_path)
    # The name stands in the program, and as it is in a comment.
    comment = " ".join(name.splitlines())
    Path("a.mlir").write_text(f"// {comment}\n{program(name)}", encoding="utf-8")
    first, *others = command.split()
    assert main([first, "a.mlir", *others]) == 0
    printed = capsys.readouterr()
    for line in (printed.out + printed.err).replace("\t", " ").split("\n"):
        assert line.isprintable()


@each_argument
def test_an_error_is_one_printable_line(name: str, capsys: pytest.CaptureFixture[str]):
    file = f"{name}.mlir"
    for arguments in (
        ["run", file],
        ["run", "--pipeline", name or "\x1b", file],
        ["opt", "-p", name or "\x1b", file],
        ["gen", f"--layers={name}"],
        ["build", file, "-o", name],
    ):
        usage = arguments[0] in ("gen", "opt") or "--pipeline" in arguments
        code = 2 if usage or arguments[0] == "build" else 1
        lines_of_failure(capsys, arguments, code)
