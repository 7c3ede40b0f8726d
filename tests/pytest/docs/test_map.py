"""`docs/map.md` leads to every room, and to nothing that is not there."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

from draw_rooms import PICTURE, against_the_direction, draw, find_rooms

ROOT = Path(__file__).parents[3]
PACKAGE = ROOT / "xdsl_bufferization"
MAP = (ROOT / "docs" / "map.md").read_text()
PATHS = set(re.findall(r"`([\w.]+/[\w./]*|Makefile|CONTRIBUTING.md)`", MAP))
GROUPS = (
    "bufferization",
    "bufferization/analyses",
    "codegen",
    "frontends",
    "optimization",
)
"""Rooms whose own rooms are on the map, each of them."""

NOT_ASKED_FOR = {"optimization/common"}


def find(path: str) -> Path:
    """What the map names: a path of the project, or of the package."""
    return ROOT / path if (ROOT / path).exists() else PACKAGE / path


def test_every_path_exists() -> None:
    assert len(PATHS) > 90
    assert sorted(path for path in PATHS if not find(path).exists()) == []


def test_every_room_is_on_the_map() -> None:
    rooms = {path.name for path in _folders(PACKAGE)}
    for group in GROUPS:
        rooms |= {f"{group}/{path.name}" for path in _folders(PACKAGE / group)}
    tests = {f"tests/{path.name}" for path in _folders(ROOT / "tests")}
    expected = {f"{room}/" for room in (rooms | tests) - {*GROUPS} - NOT_ASKED_FOR}
    documents = {f"docs/{path.name}" for path in (ROOT / "docs").glob("*.md")}
    assert sorted((expected | documents) - {"docs/map.md"} - PATHS) == []


def test_every_room_says_what_is_in_it() -> None:
    silent = [
        str(file.relative_to(ROOT))
        for file in PACKAGE.rglob("__init__.py")
        if len((ast.get_docstring(ast.parse(file.read_text())) or "").split("\n")) < 3
    ]
    assert silent == []


def test_map_fits_on_a_screen() -> None:
    assert len(MAP.splitlines()) < 60


def test_top_of_the_package_is_rooms() -> None:
    entries = {path.name for path in PACKAGE.iterdir()} - {"__pycache__"}
    assert entries == {*find_rooms(), "__init__.py", "py.typed"}


def test_picture_of_the_rooms_is_up_to_date() -> None:
    assert PICTURE.read_text() == draw(find_rooms()), "python docs/draw_rooms.py"


def test_no_arrow_leads_up() -> None:
    assert against_the_direction(find_rooms()) == []


def _folders(folder: Path) -> Iterator[Path]:
    return (path for path in folder.iterdir() if (path / "__init__.py").exists())
