"""Forms of ops as small programs with arguments, for what evaluates programs.

Here: one function `f` for each form of an op, made from tables of ops and types.
Not here: what the forms should compute.
"""

from functools import cache

from harness.cases.forms import (
    affine,
    control,
    counts,
    memory,
    numbers,
    optional,
    structured,
    tensors,
    vectors,
)
from harness.cases.forms.form import Form


@cache
def all_forms() -> list[Form]:
    """Every form that MLIR may know; those of StableHLO are `stablehlo.py`."""
    return [
        *numbers.forms(),
        *structured.forms(),
        *tensors.forms(),
        *control.forms(),
        *vectors.forms(),
        *memory.forms(),
        *affine.forms(),
        *counts.forms(),
        *optional.forms(),
    ]
