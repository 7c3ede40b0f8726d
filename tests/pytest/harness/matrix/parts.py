"""The matrix in parts, each of which takes about as long as another.

    run_part("generic", 3)       the programs 3, 3 + n, 3 + 2 n, ... of a family
    parts_of("generic")          29, which is n

Each program goes along all passes alone. Of the other ways each program takes some, in
turn; the default pipeline is left after each pass by each fourth program.
"""

from collections.abc import Mapping
from itertools import count
from typing import Final

from harness.matrix.catalogue import FAMILIES, programs_of
from harness.matrix.cells import Cells, Finding
from harness.matrix.family import Family
from harness.matrix.matrix import Matrix
from harness.matrix.routes import OTHER_WAYS, Route, alone
from xdsl_bufferization.bufferization.context import get_context

_PROGRAMS: Final = 6
"""How many programs a part has, about."""

_TURNS: Final = 4
_FEW: Final = 4


def parts_of(family: str) -> int:
    """How many parts a family has; the programs need not be made for that."""
    return -(-FAMILIES[family].most // _PROGRAMS)


def all_parts() -> list[tuple[str, int]]:
    """Each family and part; parts of one family are far from each other."""
    parts = [(part, family) for family in FAMILIES for part in range(parts_of(family))]
    return [(family, part) for part, family in sorted(parts)]


def run_part(family: str, part: int) -> Cells:
    """Run every n-th program of a family of n parts."""
    matrix = Matrix(get_context())
    programs = programs_of(family)[part :: parts_of(family)]
    single = [*alone()]
    for turn, program in zip(count(part), programs):
        ways = _in_turn(turn)
        matrix.run(program, [*single, *ways], by_steps=turn % _TURNS == 0)
    matrix.finish()
    return matrix.cells


def _in_turn(turn: int) -> list[Route]:
    return [way for at, way in enumerate(OTHER_WAYS) if at % _TURNS == turn % _TURNS]


def findings_of(family: str, chosen: Mapping[str, str], route: str) -> list[Finding]:
    """What is wrong on one route with a few forms in which some values are chosen."""
    matrix = Matrix(get_context())
    single = next(each for each in alone() if each.name.startswith(route))
    forms = FAMILIES[family]
    assert isinstance(forms, Family), "others have no values to choose"
    for program in forms.with_values(chosen, _FEW).programs():
        matrix.run(program, [single])
    matrix.finish()
    return [each for each in matrix.cells.findings if each.route == single.name]
