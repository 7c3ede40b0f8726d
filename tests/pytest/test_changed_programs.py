"""The programs of the repository, changed at random, against the reference."""

from itertools import islice
from typing import Any

import numpy as np
import pytest
from harness.programs.changed.program import ChangedProgram, changed_programs
from test_wild_programs import WAYS

from xdsl_bufferization import jit
from xdsl_bufferization.runtime.errors import EngineError
from xdsl_bufferization.support.errors import OperationError

BATCHES = 240
SIZE = 5
"""How many programs of a batch are compiled, or refused with a place and a reason."""


@pytest.mark.volume(sample=6)
@pytest.mark.parametrize("seed", range(BATCHES))
def test_changed_programs_compute_what_the_reference_does(seed: int) -> None:
    names = list(WAYS)
    for program in islice(changed_programs(seed), SIZE):
        check(program, **WAYS[names[seed % len(names)]])


def check(program: ChangedProgram, **options: Any) -> None:
    """Compare the elements that are defined, if the program can be compiled."""
    given = [np.copy(each) for each in program.arguments]
    try:
        results: Any = jit(program.text, entry=program.entry, **options)(*given)
    except (OperationError, EngineError):
        return  # The form is refused by name, or a function is defined elsewhere.
    results = (results,) if len(program.expected) == 1 else results
    for result, (exact, is_defined) in zip(results, program.expected, strict=True):
        assert np.shape(result) == exact.shape, program.text
        found, wanted = np.asarray(result)[is_defined], exact[is_defined]
        if exact.dtype.kind in "fc":
            # Sums are made in another order.
            bound = 2e-2 if exact.dtype == np.float16 else 1e-4
            size = np.abs(wanted[np.isfinite(wanted)]).max(initial=1)
            np.testing.assert_allclose(
                found, wanted, bound, bound * size, err_msg=program.text
            )
        else:
            np.testing.assert_array_equal(found, wanted, program.text)
