"""A release of xDSL that does not exist yet: a copy in which methods are other ones.

    python tests/pytest/harness/guest/next_release.py FOLDER
    PYTHONPATH=FOLDER xbuf --version     # names the changes that stand aside

`CHANGES` has the methods that are renamed, that get a parameter or whose bodies are
written anew. They are methods that this package replaces, or calls.
"""

import ast
import re
import shutil
import sys
import textwrap
from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum, auto
from importlib.metadata import distribution
from pathlib import Path

import xdsl

VERSION = "0.999.0"
"""The version that the copy has, whatever it is a copy of."""


class Kind(StrEnum):
    """What a release does to a method."""

    RENAMED = auto()
    """The method, and all that is called so, has another name."""

    PARAMETER = auto()
    """There is one more parameter, which may be left out."""

    BODY = auto()
    """The method does the same by other statements."""


@dataclass(frozen=True)
class Changed:
    """One method that a release changes."""

    module: str
    owner: str
    name: str
    kind: Kind

    @property
    def short_name(self) -> str:
        """The method, without the module of its class."""
        return f"{self.owner}.{self.name}"


CHANGES = (
    Changed("xdsl.context", "Context", "get_optional_attr", Kind.RENAMED),
    Changed("xdsl.dialects.builtin", "DenseArrayBase", "from_list", Kind.PARAMETER),
    Changed("xdsl.dialects.builtin", "DenseIntOrFPElementsAttr", "is_splat", Kind.BODY),
    Changed("xdsl.dialects.complex", "ComplexBinaryOp", "fold", Kind.PARAMETER),
    Changed("xdsl.dialects.dlti", "DLTIEntryMap", "parse_parameters", Kind.BODY),
    Changed(
        "xdsl.dialect_interfaces.op_asm",
        "OpAsmDialectInterface",
        "_blob_storage",
        Kind.RENAMED,
    ),
    Changed("xdsl.ir.core", "Operation", "get_trait", Kind.BODY),
    Changed("xdsl.ir.core", "Operation", "verify", Kind.PARAMETER),
    Changed("xdsl.ir.core", "Region", "verify", Kind.PARAMETER),
    Changed("xdsl.printer", "Printer", "print_float", Kind.RENAMED),
    Changed("xdsl.printer", "Printer", "print_op", Kind.BODY),
    Changed("xdsl.traits", "SymbolTable", "lookup_symbol", Kind.RENAMED),
    Changed(
        "xdsl.transforms.canonicalization_patterns.scf",
        "RehoistConstInLoops",
        "match_and_rewrite",
        Kind.BODY,
    ),
)
"""What the release that does not exist yet has changed."""


def make_next_release(folder: Path, changes: Iterable[Changed] = CHANGES) -> Path:
    """Write a copy of the installed xDSL with `changes` into `folder`."""
    [installed] = xdsl.__path__
    shutil.copytree(
        installed, folder / "xdsl", ignore=shutil.ignore_patterns("__pycache__")
    )
    information = folder / f"xdsl-{VERSION}.dist-info"
    information.mkdir()
    for name in ("METADATA", "entry_points.txt"):
        text = distribution("xdsl").read_text(name) or ""
        text = re.sub(r"(?m)^Version: .*$", f"Version: {VERSION}", text)
        (information / name).write_text(text)
    for change in changes:
        _make(folder, change)
    return folder


def _make(folder: Path, change: Changed) -> None:
    if change.kind is Kind.RENAMED:
        _rename(folder, change.name)
        return
    path = folder.joinpath(*change.module.split(".")).with_suffix(".py")
    lines = path.read_text().splitlines(keepends=True)
    method = _method(ast.parse("".join(lines)), change)
    first = min(each.lineno for each in (method, *method.decorator_list))
    assert method.end_lineno is not None
    _edit(method, change.kind)
    text = textwrap.indent(ast.unparse(method), " " * method.col_offset)
    lines[first - 1 : method.end_lineno] = [f"{text}\n"]
    path.write_text("".join(lines))


def _rename(folder: Path, name: str) -> None:
    word = re.compile(rf"\b{name}\b")
    found = False
    for path in folder.rglob("*.py"):
        text = path.read_text()
        if word.search(text):
            found = True
            path.write_text(word.sub(f"{name}_anew", text))
    assert found, f"xDSL has no '{name}'"


def _method(module: ast.Module, change: Changed) -> ast.FunctionDef:
    """The method; the last of several, where the others are its overloads."""
    *_, method = [
        each
        for owner in module.body
        if isinstance(owner, ast.ClassDef) and owner.name == change.owner
        for each in owner.body
        if isinstance(each, ast.FunctionDef) and each.name == change.name
    ]
    return method


def _edit(method: ast.FunctionDef, kind: Kind) -> None:
    if kind is Kind.PARAMETER:
        method.args.kwonlyargs.append(ast.arg("anew", ast.Name("object")))
        method.args.kw_defaults.append(ast.Constant(None))
        return
    start = 1 if ast.get_docstring(method) is not None else 0
    method.body[start:start] = ast.parse("anew = True\nassert anew").body


if __name__ == "__main__":
    make_next_release(Path(sys.argv[1]))
