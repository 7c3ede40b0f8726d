"""Where a source reaches into xDSL: its private names, and the inside of its objects.

    parser._current_token           # a private name of xDSL
    vars(op), op.__dict__           # the inside of an object
    op.__class__ = other            # the class of an object

What is private in xDSL is read from xDSL's own sources.
"""

import ast
from collections import defaultdict
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path
from typing import NamedTuple

import xdsl
from typing_extensions import override

XDSL = Path(xdsl.__file__).parent

_OF_PYTHON = {"_asdict", "_field_defaults", "_fields", "_make", "_replace"}
"""Public names of named tuples."""

_LOOK_UPS = {"delattr", "getattr", "hasattr", "setattr"}


class Use(NamedTuple):
    """A place in a source."""

    file: str
    line: int
    what: str


class _Class(NamedTuple):
    """What a class says of itself."""

    bases: tuple[str, ...]

    names: frozenset[str]
    """Its private names."""


def is_private(name: str) -> bool:
    """Whether a name has one underscore in front, and none behind."""
    is_one = name.startswith("_") and not name.startswith("__") and name[-1] != "_"
    return is_one and name not in _OF_PYTHON


def _assigned(nodes: Iterable[ast.stmt]) -> Iterator[str]:
    """The names that a class or a module defines."""
    for node in nodes:
        targets: list[ast.expr] = []
        if isinstance(node, ast.Assign):
            targets = node.targets
        elif isinstance(node, ast.AnnAssign):
            targets = [node.target]
        elif isinstance(node, ast.FunctionDef | ast.ClassDef):
            yield node.name
        yield from (each.id for each in targets if isinstance(each, ast.Name))


def _set_on_self(node: ast.AST) -> Iterator[str]:
    """The attributes that methods of a class give to its objects."""
    for each in ast.walk(node):
        match each:
            case ast.Attribute(value=ast.Name(id="self"), attr=name, ctx=ast.Store()):
                yield name
            case _:
                pass


def _bases_of(node: ast.ClassDef) -> tuple[str, ...]:
    """The last parts of the names of the bases, without what is in brackets."""
    bases = (each.value if isinstance(each, ast.Subscript) else each
             for each in node.bases)  # fmt: skip
    return tuple(ast.unparse(each).rpartition(".")[2] for each in bases)


def _classes_of(tree: ast.AST) -> Iterator[tuple[str, _Class]]:
    for node in ast.walk(tree):
        if isinstance(node, ast.ClassDef):
            names = filter(is_private, (*_assigned(node.body), *_set_on_self(node)))
            yield node.name, _Class(_bases_of(node), frozenset(names))


class _Xdsl(NamedTuple):
    """What xDSL's sources define."""

    classes: dict[str, list[_Class]]
    """The classes by name; there may be several of one name."""

    names: frozenset[str]
    """The private names of all modules and classes."""


@cache
def _xdsl() -> _Xdsl:
    classes: dict[str, list[_Class]] = defaultdict(list)
    names: set[str] = set()
    for file in XDSL.rglob("*.py"):
        text = file.read_text()
        if " _" not in text and "class " not in text:
            continue
        tree = ast.parse(text)
        names.update(filter(is_private, _assigned(tree.body)))
        for name, each in _classes_of(tree):
            classes[name].append(each)
            names |= each.names
    return _Xdsl(dict(classes), frozenset(names))


def private_names_of_xdsl() -> frozenset[str]:
    """The private names of all modules and classes of xDSL."""
    return _xdsl().names


class Search:
    """A search of sources that may derive classes from each other."""

    def __init__(self, files: dict[str, str]) -> None:
        self._trees = {name: ast.parse(text) for name, text in files.items()}
        self._ours: dict[str, list[_Class]] = defaultdict(list)
        for tree in self._trees.values():
            for name, each in _classes_of(tree):
                self._ours[name].append(each)

    def uses(self) -> Iterator[Use]:
        """All places, file by file."""
        for name, tree in self._trees.items():
            visitor = _Visitor(self, tree)
            visitor.visit(tree)
            for line, what in sorted(visitor.found):
                yield Use(name, line, what)

    def inherited(self, bases: Iterable[str]) -> frozenset[str]:
        """The private names that classes of xDSL hand on to one with these bases."""
        names: set[str] = set()
        done: set[str] = set()
        todo = [*bases]
        while todo:
            base = todo.pop()
            if base in done:
                continue
            done.add(base)
            for each in _xdsl().classes.get(base, ()):
                names |= each.names
                todo += each.bases
            for each in self._ours.get(base, ()):
                todo += each.bases
        return frozenset(names)


class _Visitor(ast.NodeVisitor):
    """Finds the places of one file."""

    def __init__(self, search: Search, tree: ast.AST) -> None:
        self.found: set[tuple[int, str]] = set()
        self._search = search
        self._inherited: list[frozenset[str]] = []
        """Of the classes around, what each has from xDSL."""
        self._own = {name for _, each in _classes_of(tree) for name in each.names}
        """What classes of the file define; `other._name` may be one of these."""

    def _find(self, node: ast.expr | ast.stmt, what: str) -> None:
        self.found.add((node.lineno, what))

    @override
    def visit_ClassDef(self, node: ast.ClassDef) -> None:
        names = self._search.inherited(_bases_of(node))
        for name in set(_assigned(node.body)) & names:
            if is_private(name):
                self._find(node, f"{name} is overridden")
        self._inherited.append(names)
        self.generic_visit(node)
        self._inherited.pop()

    @override
    def visit_Attribute(self, node: ast.Attribute) -> None:
        name = node.attr
        if name == "__dict__":
            self._find(node, "__dict__")
        elif name == "__class__" and isinstance(node.ctx, ast.Store):
            self._find(node, "__class__ =")
        elif is_private(name) and self._is_xdsls(node.value, name):
            self._find(node, name)
        self.generic_visit(node)

    def _is_xdsls(self, owner: ast.expr, name: str) -> bool:
        if _is_self(owner) and self._inherited:
            return name in self._inherited[-1]
        return name in private_names_of_xdsl() and name not in self._own

    @override
    def visit_Call(self, node: ast.Call) -> None:
        match node:
            case ast.Call(func=ast.Name(id="version"), args=[ast.Constant("xdsl")]):
                self._find(node, "the version of xDSL")
            case ast.Call(func=ast.Name(id="vars"), args=[of]):
                self._find(node, f"vars({ast.unparse(of)})")
            case ast.Call(func=ast.Attribute(attr="getclosurevars")):
                self._find(node, "getclosurevars")
            case ast.Call(
                func=ast.Name(id=function),
                args=[_, ast.Constant(value=str(name)), *_],
            ) if function in _LOOK_UPS and name in private_names_of_xdsl():
                self._find(node, f"{function} of {name}")
            case _:
                pass
        self.generic_visit(node)

    @override
    def visit_ImportFrom(self, node: ast.ImportFrom) -> None:
        if (node.module or "").partition(".")[0] == "xdsl":
            for each in node.names:
                if is_private(each.name):
                    self._find(node, f"import of {each.name}")


def _is_self(owner: ast.expr) -> bool:
    """Whether this is the object of the class around, or what it inherits."""
    match owner:
        case ast.Name(id="self" | "cls"):
            return True
        case ast.Call(func=ast.Name(id="super")):
            return True
        case _:
            return False
