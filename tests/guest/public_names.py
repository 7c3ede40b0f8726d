"""The public names of a package and their signatures, read from its source text.

    before = public_names(Path("xdsl-0.74.0/xdsl"))
    before.signatures["xdsl.printer.Printer.print_int"]     # (self, value: int, ...)
    changes(before, public_names(Path("xdsl-0.75.0/xdsl")))

Nothing is imported. A name that a module only imports leads to where it is defined.
"""

import ast
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path


@dataclass
class PublicNames:
    """What a package defines for others."""

    signatures: dict[str, str] = field(default_factory=dict[str, str])
    """What each class, function, method or field looks like, by its full name."""

    imported: dict[str, str] = field(default_factory=dict[str, str])
    """From a name that a module imports to the name of the same in another module."""

    stars: dict[str, list[str]] = field(default_factory=dict[str, list[str]])
    """The modules from which a module imports all names."""

    def where(self, name: str) -> str:
        """The name that the same object has in the module that defines it."""
        return self._search(name, set()) or name

    def _search(self, name: str, seen: set[str]) -> str | None:
        if name in self.signatures:
            return name
        if name in seen:
            return None
        seen.add(name)
        owner, _, last = name.rpartition(".")
        elsewhere = [f"{module}.{last}" for module in self.stars.get(owner, ())]
        if name in self.imported:
            elsewhere = [self.imported[name]]
        elif owner in self.imported:
            elsewhere.append(f"{self.imported[owner]}.{last}")
        found = (self._search(each, seen) for each in elsewhere)
        return next((each for each in found if each is not None), None)


@dataclass(frozen=True, order=True)
class Change:
    """A name that is gone, new or another one."""

    name: str
    before: str | None
    after: str | None

    @property
    def kind(self) -> str:
        """What happened to the name."""
        if self.after is None:
            return "gone"
        return "new" if self.before is None else "changed"


def public_names(package: Path) -> PublicNames:
    """Read all modules of a package."""
    names = PublicNames()
    for path in sorted(package.rglob("*.py")):
        parts = path.relative_to(package.parent).with_suffix("").parts
        is_package = parts[-1] == "__init__"
        module = ".".join(parts[:-1] if is_package else parts)
        tree = ast.parse(path.read_text())
        for node in tree.body:
            _read(
                names, module, module if is_package else module.rpartition(".")[0], node
            )
    return names


def changes(before: PublicNames, after: PublicNames) -> list[Change]:
    """What differs. Of a class that is gone or new, the members are not listed."""
    old, new = before.signatures, after.signatures
    found = [
        Change(name, old.get(name), new.get(name))
        for name in sorted(old.keys() | new.keys())
        if old.get(name) != new.get(name)
    ]
    whole = {each.name for each in found if each.kind != "changed"}
    return [each for each in found if each.name.rpartition(".")[0] not in whole]


def _read(names: PublicNames, module: str, package: str, node: ast.stmt) -> None:
    if isinstance(node, ast.ImportFrom):
        _read_import(names, module, package, node)
        return
    if isinstance(node, ast.If | ast.Try):
        for each in node.body:
            _read(names, module, package, each)
        return
    for name, text in _defined(node):
        _add(names, f"{module}.{name}", text)
        if isinstance(node, ast.ClassDef):
            for member in node.body:
                for inner, signature in _defined(member):
                    _add(names, f"{module}.{name}.{inner}", signature)


def _add(names: PublicNames, name: str, signature: str) -> None:
    known = names.signatures.get(name)
    names.signatures[name] = signature if known is None else f"{known} | {signature}"


def _read_import(
    names: PublicNames, module: str, package: str, node: ast.ImportFrom
) -> None:
    start = node.module or ""
    if node.level:
        above = package.split(".")[: len(package.split(".")) - node.level + 1]
        start = ".".join([*above, *([start] if start else [])])
    for alias in node.names:
        if alias.name == "*":
            names.stars.setdefault(module, []).append(start)
        else:
            name = f"{module}.{alias.asname or alias.name}"
            names.imported.setdefault(name, f"{start}.{alias.name}")


def _defined(node: ast.stmt) -> Iterator[tuple[str, str]]:
    """The public names that a statement defines, with what they look like."""
    match node:
        case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name):
            if not name.startswith("_") or name == "__init__":
                yield name, _signature(node)
        case ast.ClassDef(name=name):
            if not name.startswith("_"):
                bases = ", ".join(map(ast.unparse, node.bases))
                yield name, f"class {name}({bases})"
        case ast.AnnAssign(target=ast.Name(id=name)):
            if not name.startswith("_"):
                yield name, f": {ast.unparse(node.annotation)}"
        case ast.Assign():
            for target in node.targets:
                if isinstance(target, ast.Name) and not target.id.startswith("_"):
                    yield target.id, f"= {ast.unparse(node.value)[:200]}"
        case _:
            pass


def _signature(node: ast.FunctionDef | ast.AsyncFunctionDef) -> str:
    returns = "" if node.returns is None else f" -> {ast.unparse(node.returns)}"
    decorators = "".join(
        f"@{ast.unparse(each)} "
        for each in node.decorator_list
        if ast.unparse(each) in ("property", "staticmethod", "classmethod")
    )
    return f"{decorators}({ast.unparse(node.args)}){returns}"
