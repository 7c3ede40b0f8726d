"""Only `dialects/xdsl_patches/` sets attributes of classes and modules of xDSL."""

import ast
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple, TypeGuard

import pytest

import xdsl_bufferization

PACKAGE = Path(xdsl_bufferization.__file__).parent
ROOM = PACKAGE / "dialects" / "xdsl_patches"
"""The only folder whose files change classes of xDSL."""

_OWN = {"cls", "fields", "made", "self", "view"}
"""What variables are called that are classes or objects of ours."""

_OF_CLASSES = {"traits", "parse", "print", "verify", "verify_"}
"""Attributes that only operation classes have."""


def changes_of_xdsl(source: str) -> list[int]:
    """The lines in which a module sets an attribute of what is xDSL's."""
    tree = ast.parse(source)
    imported = dict(_imports(tree))

    def is_xdsls(owner: ast.expr, name: str | None) -> bool:
        while isinstance(owner, ast.Attribute):
            owner = owner.value
        if not isinstance(owner, ast.Name) or owner.id in _OWN:
            return False
        if (module := imported.get(owner.id)) is not None:
            return module.partition(".")[0] == "xdsl"
        # A variable may be a class of xDSL.
        return name in _OF_CLASSES or name is None

    return [line for line, owner, name in _settings(tree) if is_xdsls(owner, name)]


def _imports(tree: ast.AST) -> Iterator[tuple[str, str]]:
    """The names that are imported, and the modules that they come from."""
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom):
            for each in node.names:
                yield each.asname or each.name, node.module or ""
        elif isinstance(node, ast.Import):
            for each in node.names:
                yield each.asname or each.name.partition(".")[0], each.name


class Setting(NamedTuple):
    """Where an attribute is set, of what, and its name if that is known."""

    line: int
    owner: ast.expr
    name: str | None


def _settings(tree: ast.AST) -> Iterator[Setting]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute) and not isinstance(node.ctx, ast.Load):
            yield Setting(node.lineno, node.value, node.attr)
        elif _is_setattr(node):
            owner, name = node.args[:2]
            known = name.value if isinstance(name, ast.Constant) else None
            yield Setting(node.lineno, owner, known if isinstance(known, str) else None)


def _is_setattr(node: ast.AST) -> TypeGuard[ast.Call]:
    return (
        isinstance(node, ast.Call)
        and isinstance(node.func, ast.Name)
        and node.func.id in ("setattr", "delattr")
    )


@pytest.mark.parametrize(
    "change",
    [
        "Printer.print_op = f",
        "core.Printer.print_op = f",
        "Printer.print_op, other = f, g",
        "del Printer.print_op",
        "setattr(Printer, 'print_op', f)",
        "setattr(Printer, name, f)",
        "setattr(op_type, name, f)",
        "setattr(op_type, 'verify_', f)",
        "op_type.traits = f",
        "memref.CopyOp.traits = f",
        "def g(t):\n    t.verify_: object = f",
        "xdsl.printer.Printer.print_op = f",
    ],
)
def test_a_change_is_seen(change: str) -> None:
    imports = (
        "from xdsl.printer import Printer\nfrom xdsl import printer as core\n"
        "from xdsl.dialects import memref\nimport xdsl.printer\n"
    )
    assert changes_of_xdsl(imports + change)


@pytest.mark.parametrize(
    "harmless",
    ["op.attributes = {}", "self.traits = f", "setattr(made, name, f)", "Printer(x).y"],
)
def test_what_is_no_change_is_not_taken_for_one(harmless: str) -> None:
    assert not changes_of_xdsl(f"from xdsl.printer import Printer\n{harmless}")


def test_xdsl_is_changed_in_one_room() -> None:
    files = [file for file in PACKAGE.rglob("*.py") if not file.is_relative_to(ROOM)]
    assert len(files) > 300
    found = {
        str(file.relative_to(PACKAGE)): lines
        for file in files
        if (lines := changes_of_xdsl(file.read_text("utf-8")))
    }
    assert found == {}


def test_one_file_looks_at_an_op_as_one_of_another_class() -> None:
    files = [*PACKAGE.rglob("*.py")]
    found = {
        file.name
        for file in files
        for setting in _settings(ast.parse(file.read_text("utf-8")))
        if setting.name == "__class__"
    }
    assert found == {"views.py"}


def test_changes_in_the_room_are_seen() -> None:
    files = {file.name for file in ROOM.glob("*.py")}
    seen = {name for name in files if changes_of_xdsl((ROOM / name).read_text("utf-8"))}
    assert {"activate.py", "attach.py"} <= seen
