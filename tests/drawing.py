"""What random programs are drawn with, be they of PyTorch, of JAX or of ONNX.

    draw = Draw("seed 7")
    draw.factors(24)                        # [2, 4, 3]: sizes of as many elements
    draw.quarters("float32", 2, 3)          # an array of 0.25, -3.5, ...

Quarters are exact in all types of floats, and so are their sums and products.
"""

import operator
import random
from collections.abc import Callable, Sequence
from typing import Any, Final, TypeAlias

import numpy as np

Numbers: TypeAlias = "np.ndarray[Any, np.dtype[Any]]"

SIZES: Final = (0, 1, 1, 2, 3, 4, 5, 7, 8, 16, 17)
"""Of dimensions."""

LARGEST: Final = 10_000
"""Larger numbers are no numbers of a program: they would hide differences."""

MOST_OPERANDS: Final = 8
MOST_TRIALS: Final = 100
"""So many operands at most are drawn for a step, and steps for a program."""

OPERATORS: Final[dict[str, Callable[[Any, Any], Any]]] = {
    name: getattr(operator, name)
    for name in (
        *("add", "sub", "mul", "truediv", "pow", "and_", "or_", "xor", "floordiv"),
        *("mod", "lt", "le", "gt", "ge", "eq", "ne", "lshift", "rshift"),
    )
}
"""Python's operators of two, by name."""


class Draw(random.Random):
    """What options are drawn with."""

    def shape(self, sizes: Sequence[int], rank: int) -> list[int]:
        """The last of some sizes, or 1 in the place of each."""
        return [self.choice([size, size, size, 1]) for size in sizes[4 - rank :]]

    def factors(self, count: int) -> list[int]:
        """Sizes of so many elements."""
        sizes: list[int] = []
        rest = count
        while rest > 1 and self.random() < 0.7:
            sizes.append(self.choice([n for n in range(1, rest + 1) if rest % n == 0]))
            rest //= sizes[-1]
        sizes.insert(self.randint(0, len(sizes)), rest)
        return sizes

    def rng(self) -> np.random.Generator:
        """What numbers of arrays are drawn with."""
        return np.random.default_rng(self.randrange(1 << 30))

    def quarters(self, dtype: Any, *shape: int) -> Numbers:
        """Quarters from -4 to 4, or what a type makes of them."""
        found = self.rng().integers(-16, 17, shape) / 4
        dtype = np.dtype(dtype)
        if dtype.kind == "b":
            return found > 0
        return (abs(found) if dtype.kind == "u" else found).astype(dtype)
