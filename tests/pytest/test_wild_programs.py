"""Programs in forms that nobody thinks of, in both pipelines, against the reference."""

from typing import Any

import numpy as np
import pytest
from harness.programs.wild.program import wild_program
from numpy.typing import NDArray

from xdsl_bufferization import jit, parse
from xdsl_bufferization.reference.evaluator import evaluate

PROGRAMS = 100

WAYS: dict[str, dict[str, Any]] = {
    "default": {},
    "one thread": {"threads": 1},
    "AVX2": {"cpu": "x86-64-v3"},
    "checked": {"checked": True},
    "plain": {"optimize": False},
}


@pytest.mark.volume(sample=10)
@pytest.mark.parametrize("seed", range(PROGRAMS))
@pytest.mark.parametrize("way", WAYS)
def test_wild_programs_compute_what_the_reference_does(way: str, seed: int) -> None:
    program = wild_program(seed)
    check(program.text, program.arguments, **WAYS[way])


def check(text: str, arguments: list[NDArray[Any]], **options: Any) -> None:
    """Compare the results of compiled code; the arguments keep their numbers."""
    with np.errstate(all="ignore"):
        expected = evaluate(parse(text), "main", [each.copy() for each in arguments])
    given = [each.copy() for each in arguments]
    results: Any = jit(text, **options)(*given)
    for before, after in zip(arguments, given, strict=True):
        np.testing.assert_array_equal(after, before)
    if len(expected) == 1:
        results = (results,)
    for result, value in zip(results, expected, strict=True):
        exact = np.asarray(value)
        if exact.dtype.kind == "f":
            # Sums are made in another order.
            size = np.abs(exact[np.isfinite(exact)]).max(initial=1)
            np.testing.assert_allclose(result, exact, 1e-5, 1e-5 * size)
        else:
            np.testing.assert_array_equal(result, exact)
