"""The rooms of the package, counted and drawn: `docs/assets/rooms.svg`.

    python docs/draw_rooms.py           # write the picture
    python docs/draw_rooms.py --table   # files, lines, arrows between rooms

      room            files   lines  imports  functions
      tools              51    6701      811        398
      ...
      arrows between rooms: 46, against the direction: 0

An arrow leads from a room to one that it imports, also inside of functions and for type
checkers alone. The direction is that of the first contract in `pyproject.toml`, from
`tools` down to `support`. The picture leaves out an arrow where others lead to the same
room on a detour: the transitive reduction of Aho, Garey and Ullman (1972).
"""

# The table is printed.
# ruff: noqa: T201

import argparse
import ast
import re
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from html import escape
from pathlib import Path

ROOT = Path(__file__).parents[1]
PACKAGE = ROOT / "xdsl_bufferization"
PICTURE = ROOT / "docs" / "assets" / "rooms.svg"

WIDTH, HEIGHT, ACROSS, DOWN = 240, 44, 30, 30
"""The size of a box in pixels, and the gaps between boxes."""

STYLE = """\
svg.rooms { --ink: #24292f; --line: #8c959f; --box: #f6f8fa; font: 14px sans-serif; }
@media (prefers-color-scheme: dark) {
  svg.rooms { --ink: #e6e9ee; --line: #76808c; --box: #22272e; }
}
svg.rooms text { fill: var(--ink); text-anchor: middle; }
svg.rooms .what { font-size: 11px; }
svg.rooms rect { fill: var(--box); stroke: var(--line); }
svg.rooms path { stroke: var(--line); fill: none; marker-end: url(#head); }
svg.rooms marker path { fill: var(--line); stroke: none; marker-end: none; }"""


@dataclass
class Room:
    """What a folder at the top of the package has in it."""

    name: str
    files: int = 0
    lines: int = 0
    imports: int = 0
    """Lines of imports."""
    functions: int = 0
    uses: set[str] = field(default_factory=set[str])
    """The other rooms that it imports."""

    def what(self) -> str:
        """The beginning of the folder's docstring."""
        text = (PACKAGE / self.name / "__init__.py").read_text()
        line = (ast.get_docstring(ast.parse(text)) or "").partition("\n")[0]
        return re.split("[:,;.]", line)[0].replace("`", "")


def order() -> list[str]:
    """The rooms from top to bottom, as the first contract of the imports says."""
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text())
    return settings["tool"]["importlinter"]["contracts"][0]["layers"]


def find_rooms() -> dict[str, Room]:
    """The rooms of the package, from top to bottom."""
    rooms = {name: Room(name) for name in order()}
    for path in sorted(PACKAGE.rglob("*.py")):
        if (name := path.relative_to(PACKAGE).parts[0]) in rooms:
            _read(path, rooms[name])
    return rooms


def _read(path: Path, room: Room) -> None:
    text = path.read_text()
    room.files += 1
    room.lines += text.count("\n")
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Import | ast.ImportFrom):
            room.imports += (node.end_lineno or node.lineno) - node.lineno + 1
            room.uses |= set(_rooms_of(node)) - {room.name}
        elif isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            room.functions += 1


def _rooms_of(node: ast.Import | ast.ImportFrom) -> Iterator[str]:
    """The rooms that an import names. Relative imports stay inside of their room."""
    if isinstance(node, ast.Import):
        modules = [each.name for each in node.names]
    elif node.level == 0 and node.module == PACKAGE.name:
        modules = [f"{node.module}.{each.name}" for each in node.names]
    else:
        modules = [node.module or ""] if node.level == 0 else []
    for module in modules:
        first, _, rest = module.partition(".")
        if first == PACKAGE.name and rest:
            yield rest.partition(".")[0]


def arrows(rooms: Mapping[str, Room]) -> list[tuple[str, str]]:
    """Each room, with a room that it imports."""
    return [(room.name, used) for room in rooms.values() for used in sorted(room.uses)]


def against_the_direction(rooms: Mapping[str, Room]) -> list[tuple[str, str]]:
    """The arrows that lead up."""
    rank = {name: number for number, name in enumerate(rooms)}
    return [(name, used) for name, used in arrows(rooms) if rank[used] <= rank[name]]


def reduced(rooms: Mapping[str, Room]) -> dict[str, set[str]]:
    """The arrows without which fewer rooms could be reached, for an acyclic graph."""
    reach: dict[str, set[str]] = {}
    direct: dict[str, set[str]] = {}
    for name in reversed([*rooms]):
        uses = rooms[name].uses
        detours = set[str]().union(*(reach[used] for used in uses))
        direct[name] = uses - detours
        reach[name] = uses | detours
    return direct


def levels(direct: Mapping[str, set[str]]) -> dict[str, int]:
    """How many arrows one after the other lead down from each room, at most."""
    level: dict[str, int] = {}
    for name, uses in direct.items():
        level[name] = 1 + max((level[used] for used in uses), default=-1)
    return level


def longest_chain(direct: Mapping[str, set[str]]) -> list[str]:
    """The most rooms of which each one uses the next one, from top to bottom."""
    level = levels(direct)
    chain = [max(direct, key=lambda name: level[name])]
    while uses := direct[chain[-1]]:
        chain.append(max(sorted(uses), key=lambda name: level[name]))
    return chain


def draw(rooms: Mapping[str, Room]) -> str:
    """The picture: the longest chain on the left, other rooms beside it, and arrows."""
    direct = reduced(rooms)
    level = levels(direct)
    chain = longest_chain(direct)
    columns = [None, *(name for name in rooms if name not in chain)]
    top = max(level.values())
    centre = {
        name: (
            WIDTH / 2
            + (columns.index(name) if name in columns else 0) * (WIDTH + ACROSS),
            HEIGHT / 2 + (top - level[name]) * (HEIGHT + DOWN),
        )
        for name in rooms
    }
    parts = [_box(rooms[name], *centre[name]) for name in rooms]
    parts += [
        _arrow(centre[name], centre[used])
        for name, uses in direct.items()
        for used in sorted(uses)
    ]
    width = len(columns) * (WIDTH + ACROSS) - ACROSS
    height = top * (HEIGHT + DOWN) + HEIGHT
    return "\n".join([_frame(width, height), *parts, "</svg>", ""])


def _frame(width: float, height: float) -> str:
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" class="rooms" '
        f'viewBox="0 0 {width:g} {height:g}" role="img" '
        f'aria-label="The rooms of the package, and what imports what">\n'
        f"<style>\n{STYLE}\n</style>\n"
        '<defs><marker id="head" viewBox="0 0 8 8" refX="8" refY="4" markerWidth="8" '
        'markerHeight="8" orient="auto"><path d="M0 0L8 4L0 8z"/></marker></defs>'
    )


def _box(room: Room, x: float, y: float) -> str:
    return (
        f'<rect x="{x - WIDTH / 2:g}" y="{y - HEIGHT / 2:g}" width="{WIDTH}" '
        f'height="{HEIGHT}" rx="6"/><text x="{x:g}" y="{y - 2:g}">{room.name}</text>'
        f'<text class="what" x="{x:g}" y="{y + 14:g}">{escape(room.what())}</text>'
    )


def _arrow(start: tuple[float, float], end: tuple[float, float]) -> str:
    """Down, or around a corner where the boxes are beside each other."""
    (x, y), (to_x, to_y) = start, end
    if x == to_x:
        way = f"M{x:g} {y + HEIGHT / 2:g}V{to_y - HEIGHT / 2:g}"
    elif x < to_x:
        way = f"M{x + WIDTH / 2:g} {y:g}H{to_x:g}V{to_y - HEIGHT / 2:g}"
    else:
        way = f"M{x:g} {y + HEIGHT / 2:g}V{to_y:g}H{to_x + WIDTH / 2:g}"
    return f'<path d="{way}"/>'


def table(rooms: Mapping[str, Room]) -> Iterator[str]:
    """A line for each room, and how many arrows there are."""
    yield f"{'room':<16}{'files':>7}{'lines':>9}{'imports':>9}{'functions':>11}"
    total = Room("all")
    for room in rooms.values():
        yield _row(room)
        total.files += room.files
        total.lines += room.lines
        total.imports += room.imports
        total.functions += room.functions
    yield _row(total)
    entries = [path for path in PACKAGE.iterdir() if path.name != "__pycache__"]
    yield f"entries at the top: {len(entries)}, rooms: {len(rooms)}"
    up = against_the_direction(rooms)
    both = len(arrows(rooms)), len(up)
    yield "arrows between rooms: {}, against the direction: {}".format(*both)
    yield from (f"  {name} -> {used}" for name, used in up)


def _row(room: Room) -> str:
    return (
        f"{room.name:<16}{room.files:>7}{room.lines:>9}{room.imports:>9}"
        f"{room.functions:>11}"
    )


def main() -> None:
    """Write the picture, or print the table."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--table", action="store_true", help="print, and write nothing")
    rooms = find_rooms()
    if parser.parse_args().table:
        print(*table(rooms), sep="\n")
    else:
        PICTURE.write_text(draw(rooms))


if __name__ == "__main__":
    main()
