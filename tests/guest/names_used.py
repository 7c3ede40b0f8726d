"""Which names of xDSL each of our files uses, as far as its text says.

    used = names_used(Path("xdsl_bufferization"), names)
    concern(change, used["xdsl_bufferization/dialects/printing.py"], names)

A class or function is used where it is imported, or where it is an attribute of an
imported module. A method or field may be used where an attribute has its name, and the
file imports its class. If only one class has the name, the import does not count.
"""

import ast
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from public_names import Change, PublicNames


@dataclass
class Uses:
    """What one file uses."""

    names: set[str] = field(default_factory=set[str])
    """Full names, where they are defined."""

    called: set[str] = field(default_factory=set[str])
    """Those of them that are called, such as classes that are instantiated."""

    attributes: set[str] = field(default_factory=set[str])
    """All names behind a dot, and of functions that may override another."""


def names_used(package: Path, names: PublicNames) -> Mapping[str, Uses]:
    """Read all files of a package."""
    return {
        str(path.relative_to(package.parent)): _uses(ast.parse(path.read_text()), names)
        for path in sorted(package.rglob("*.py"))
    }


class Concern:
    """Whether a change may concern a file."""

    def __init__(self, names: PublicNames) -> None:
        lasts = (name.rpartition(".")[2] for name in names.signatures)
        self._count = Counter(lasts)
        self._names = names

    def __call__(self, change: Change, uses: Uses) -> bool:
        """Whether the file uses the name that has changed."""
        if change.name in uses.names:
            return True
        owner, _, last = change.name.rpartition(".")
        if last == "__init__":
            return owner in uses.called
        if owner not in self._names.signatures or last not in uses.attributes:
            return False
        return owner in uses.names or self._count[last] == 1


def _uses(tree: ast.Module, names: PublicNames) -> Uses:
    uses = Uses()
    local: dict[str, str] = {}
    for node in ast.walk(tree):
        match node:
            case ast.ImportFrom(module=str(module)) if module.split(".")[0] == "xdsl":
                for alias in node.names:
                    full = f"{module}.{alias.name}"
                    local[alias.asname or alias.name] = full
                    uses.names.add(names.where(full))
            case ast.Attribute(attr=name) | ast.FunctionDef(name=name):
                uses.attributes.add(name)
            case _:
                pass
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute):
            uses.names.update(_full(node, local, names))
        elif isinstance(node, ast.Call):
            uses.called.update(_full(node.func, local, names))
    return uses


def _full(
    node: ast.expr, local: Mapping[str, str], names: PublicNames
) -> Iterator[str]:
    """The full name of an expression, if that begins with an imported name."""
    match node:
        case ast.Name(id=name) if name in local:
            yield names.where(local[name])
        case ast.Attribute(value=ast.Name(id=name), attr=attr) if name in local:
            yield names.where(f"{local[name]}.{attr}")
        case _:
            pass
