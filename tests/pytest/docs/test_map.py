"""`docs/map.md` leads to every room, and to nothing that is not there."""

import re
from pathlib import Path

ROOT = Path(__file__).parents[3]
MAP = (ROOT / "docs" / "map.md").read_text()
PATHS = set(re.findall(r"`([\w.]+/[\w./]*|Makefile)`", MAP))


def test_every_path_exists() -> None:
    missing = sorted(path for path in PATHS if not (ROOT / path).exists())
    assert PATHS
    assert missing == []


def test_every_room_is_on_the_map() -> None:
    package = ROOT / "xdsl_bufferization"
    rooms = {
        f"xdsl_bufferization/{path.name}{'/' if path.is_dir() else ''}"
        for path in package.iterdir()
        if (path / "__init__.py").exists() or path.suffix == ".py"
    }
    rooms -= {"xdsl_bufferization/__init__.py", "xdsl_bufferization/transforms/"}
    stages = {
        f"xdsl_bufferization/transforms/{path.name}/"
        for path in (package / "transforms").iterdir()
        if (path / "__init__.py").exists()
    }
    documents = {f"docs/{path.name}" for path in (ROOT / "docs").glob("*.md")}
    expected = rooms | stages | documents - {"docs/map.md"}
    assert sorted(expected - PATHS) == []
