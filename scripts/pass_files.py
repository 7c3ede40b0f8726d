"""Write `xdsl_bufferization/pipelines/pass_files.py`: which pass is in which file.

    python scripts/pass_files.py

A pass is a class with a `name`, derived from a class of passes. The table spares a
start of `xdsl-opt` from reading all files, which takes 20 times as long.
"""

import ast
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[1]
PACKAGE = ROOT / "xdsl_bufferization"
TABLE = PACKAGE / "pipelines" / "pass_files.py"

NOT_LISTED = {
    "check-written-program": "`jit` alone runs it, before the default pipeline",
}
"""Passes that `xdsl-opt` does not offer, and why."""

HEADER = '''\
"""Which passes each room has, for who lists passes without an import of them.

Written by `make pass-files` from the classes of the passes; change those, not this
file. The file of a pass has its name, with underscores, or one in `OTHER_FILES`.
"""

from collections.abc import Mapping
from typing import Final

ROOMS: Final[Mapping[str, tuple[str, ...]]] = {
'''

MIDDLE = """\
}

OTHER_FILES: Final[Mapping[str, str]] = {
"""


def main() -> None:
    """Write the table."""
    TABLE.write_text(table())


def table() -> str:
    """The whole text."""
    files = find_passes()
    rooms: dict[str, list[str]] = {}
    for name, file in files.items():
        room = file.parent.relative_to(PACKAGE).as_posix().replace("/", ".")
        rooms.setdefault(room, []).append(name)
    text = HEADER
    for room in sorted(rooms):
        text += f'    "{room}": {_tuple_of(rooms[room])},\n'
    others = {n: f.stem for n, f in files.items() if f.stem != n.replace("-", "_")}
    lines = (f'    "{name}": "{stem}",\n' for name, stem in others.items())
    return f"{text}{MIDDLE}{''.join(lines)}}}\n"


def _tuple_of(names: list[str]) -> str:
    """The names as `ruff format` has them."""
    if len(names) == 1:
        return f'("{names[0]}",)'
    lines = "".join(f'        "{name}",\n' for name in names)
    return f"(\n{lines}    )"


def find_passes() -> dict[str, Path]:
    """The file of each pass of the package, by the name of the pass, in order.

    Those of `tools` are wrappers of other passes, for one command.
    """
    found = {
        name: file
        for file in PACKAGE.rglob("*.py")
        if file.relative_to(PACKAGE).parts[0] != "tools"
        for name in _passes_in(file.read_text())
        if name not in NOT_LISTED
    }
    return dict(sorted(found.items()))


def _passes_in(text: str) -> Iterator[str]:
    if "Pass" not in text:
        return
    for node in ast.parse(text).body:
        if isinstance(node, ast.ClassDef) and any(map(_is_of_passes, node.bases)):
            yield from _name_in(node)


def _is_of_passes(base: ast.expr) -> bool:
    return ast.unparse(base).endswith(("Pass", "PassBundle"))


def _name_in(node: ast.ClassDef) -> Iterator[str]:
    """What the class assigns to `name`."""
    for each in node.body:
        match each:
            case ast.Assign([ast.Name("name")], ast.Constant(str(name))):
                yield name
            case _:
                pass


if __name__ == "__main__":
    main()
