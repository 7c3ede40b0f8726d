"""A rewrite leaves the meaning of a program on tensors as it is, to the last bit."""

from collections.abc import Callable, Iterable, Sequence
from typing import Any

import numpy as np
from xdsl.dialects.builtin import ModuleOp

from xdsl_bufferization.reference.evaluator import evaluate


def check_rewrite(
    module: ModuleOp, rewrite: Callable[[ModuleOp], object], arguments: Sequence[Any]
) -> list[Any]:
    """Rewrite a program, whose function `f` is evaluated before and after.

    Returns what `f` computes.
    """
    expected = evaluate(module, "f", arguments)
    rewrite(module)
    module.verify()
    assert_same(evaluate(module, "f", arguments), expected)
    return expected


def assert_same(results: Iterable[Any], expected: Iterable[Any]) -> None:
    """The results are equal, one by one."""
    for result, exact in zip(results, expected, strict=True):
        np.testing.assert_array_equal(np.asarray(result), np.asarray(exact))
