"""`docs/map.md` leads to every room, and to nothing that is not there."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[3]
MAP = (ROOT / "docs" / "map.md").read_text()
GROUPS = (
    "xdsl_bufferization/bufferization/analyses/",
    "xdsl_bufferization/bufferization/",
)
"""Rooms of rooms, each of which the map has."""

WITHOUT_QUESTION = {
    "xdsl_bufferization/__init__.py",
    "xdsl_bufferization/bufferization/analyses/__init__.py",
    "xdsl_bufferization/bufferization/__init__.py",
    "xdsl_bufferization/codegen/mlir_22/allow_mlir_22.py",  # in `docs/passes.md`
    "xdsl_bufferization/codegen/mlir_22/verify_mlir_22.py",  # in `docs/passes.md`
}
PATHS = set(re.findall(r"`([\w.]+/[\w./]*|Makefile)`", MAP))


def test_every_path_exists() -> None:
    missing = sorted(path for path in PATHS if not (ROOT / path).exists())
    assert PATHS
    assert missing == []


def test_every_room_is_on_the_map() -> None:
    package = ROOT / "xdsl_bufferization"
    rooms = set(_rooms(package)) - set(map(str, GROUPS))
    rooms |= {room for group in GROUPS for room in _rooms(ROOT / group)}
    documents = {f"docs/{path.name}" for path in (ROOT / "docs").glob("*.md")}
    expected = rooms | documents - {"docs/map.md"}
    assert sorted(expected - PATHS) == []


def test_every_room_says_what_is_in_it() -> None:
    package = ROOT / "xdsl_bufferization"
    silent = [
        str(file.relative_to(ROOT))
        for file in package.rglob("__init__.py")
        if len((ast.get_docstring(ast.parse(file.read_text())) or "").split("\n")) < 3
    ]
    assert silent == []


def test_map_is_short() -> None:
    rows = [line for line in MAP.splitlines() if re.match(r"\| (?!question)", line)]
    assert 40 < len(rows) < 90


def _rooms(folder: Path) -> Iterator[str]:
    """The rooms and the files of a folder of the package, as the map writes them."""
    for path in folder.iterdir():
        name = str(path.relative_to(ROOT))
        if (path / "__init__.py").exists():
            yield f"{name}/"
        elif path.suffix == ".py" and name not in WITHOUT_QUESTION:
            yield name
