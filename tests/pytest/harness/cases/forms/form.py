"""What a form is: a program, arguments, and how exact the results are."""

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

DTYPES: dict[str, Any] = {
    "i1": np.bool_,
    "i8": np.int8,
    "i16": np.int16,
    "i32": np.int32,
    "i64": np.int64,
    "index": np.int64,
    "f16": np.float16,
    "bf16": np.float32,
    "f32": np.float32,
    "f64": np.float64,
    "complex<f32>": np.complex64,
    "complex<f64>": np.complex128,
}
"""As the reference has them: bf16 is f32 that is rounded."""

PRECISION = {"f16": 2e-3, "bf16": 1.6e-2, "f32": 1e-6, "f64": 1e-14}
"""A few units of the last place."""


class Form(NamedTuple):
    """One form of an op: function `f` of a program, and arguments for a call."""

    name: str
    text: str
    arguments: Sequence[Any]
    tolerance: float = 0.0


def tensor(shape: Sequence[int], element: str) -> str:
    """The type of a tensor."""
    return f"tensor<{''.join(f'{size}x' for size in shape)}{element}>"


def function(
    body: str, arguments: Sequence[str], results: Sequence[str], more: str = ""
) -> str:
    """A program whose function `f` has arguments %0, %1, ... and returns %r0, ..."""
    parameters = ", ".join(f"%{at}: {type_}" for at, type_ in enumerate(arguments))
    types = ", ".join(results)
    names = ", ".join(f"%r{at}" for at in range(len(results)))
    last = f"  return {names} : {types}" if results else "  return"
    return f"{more}\nfunc.func @f({parameters}) -> ({types}) {{\n{body}\n{last}\n}}\n"


def numbers(
    shape: Sequence[int], element: str, seed: int = 0, *, positive: bool = False
) -> NDArray[Any]:
    """Numbers of which few ops make infinities: none is near zero."""
    rng = np.random.default_rng([seed, *map(int, shape)])
    if element.startswith("complex"):
        parts = rng.normal(size=(2, *shape))
        return (parts[0] + 1j * parts[1]).astype(DTYPES[element])
    if element == "i1":
        return rng.integers(0, 2, shape).astype(np.bool_)
    if element[0] == "i":
        least = 1 if positive else -8
        found = rng.integers(least, 8, shape)
        return np.where(found == 0, 3, found).astype(DTYPES[element])
    values = rng.integers(1, 9, shape) / 4
    signs = 1 if positive else rng.choice([-1, 1], shape)
    return np.asarray(values * signs).astype(DTYPES[element])
