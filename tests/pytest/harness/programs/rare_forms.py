"""Programs of ops in rare forms, and whether they give what NumPy does."""

from copy import deepcopy
from typing import Any, cast

import numpy as np

from xdsl_bufferization import jit

_RNG = np.random.default_rng(0)


def numbers(*shape: int) -> Any:
    """Small whole numbers, of which sums and products are exact."""
    return _RNG.integers(-4, 5, shape).astype(np.float32)


def check(text: str, expected: Any, *arguments: Any) -> None:
    """The program gives what is expected, whether it is optimized or not.

    Of several results, `expected` is a tuple.
    """
    for optimize in (True, False):
        copies = deepcopy(arguments)
        result: Any = jit(text, optimize=optimize)(*copies)
        several = isinstance(expected, tuple)
        results = result if several else (result,)
        exact = cast(tuple[Any, ...], expected) if several else (expected,)
        for each, number in zip(results, exact, strict=True):
            np.testing.assert_allclose(each, number, rtol=1e-5, atol=1e-5)


def generic(
    maps: str, kinds: str, ins: str, outs: str, body: str, *, loops: str = "i, j"
) -> str:
    """A `linalg.generic`: an index for each dimension, and `p` or `r` for each loop."""
    indices = ", ".join(
        f"affine_map<({loops}) -> ({each})>" for each in maps.split("|")
    )
    names = {"p": '"parallel"', "r": '"reduction"'}
    iterators = ", ".join(names[kind] for kind in kinds)
    inputs = f"ins({ins}) " if ins else ""
    types = outs.split(" : ")[1]
    results = f"({types})" if "," in types else types
    return (
        f"linalg.generic {{indexing_maps = [{indices}], "
        f"iterator_types = [{iterators}]}} {inputs}outs({outs}) {{\n{body}\n}}"
        f" -> {results}"
    )
