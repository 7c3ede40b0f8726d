"""The matrix in parts, each of which takes about as long as another.

    run_part("generic", 3)       the programs 3, 3 + n, 3 + 2 n, ... of a family

Each program goes along all passes alone. Of the other ways each program takes some, in
turn; the default pipeline is left after each pass by each fourth program.
"""

from collections.abc import Mapping
from itertools import count
from typing import Final

from support.forms.catalogue import FAMILIES, programs_of
from support.forms.cells import Cells, Finding
from support.forms.matrix import Matrix
from support.forms.routes import OTHER_WAYS, Route, alone
from xdsl_bufferization.context import get_context

PARTS: Final = 12
"""How many parts each family has."""

_TURNS: Final = 4
_FEW: Final = 4


def run_part(family: str, part: int, *, most: int | None = None) -> Cells:
    """Run every `PARTS`-th program of a family, or the first `most` of these."""
    matrix = Matrix(get_context())
    programs = programs_of(family)[part::PARTS][:most]
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
    for program in FAMILIES[family].with_values(chosen, _FEW).programs():
        matrix.run(program, [single])
    matrix.finish()
    return [each for each in matrix.cells.findings if each.route == single.name]
