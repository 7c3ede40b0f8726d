"""What a kernel that sums over a window is to compute.

    Window("product", sizes=(7, 7), channels=32, rows=Pixels(a=144, ...), ...,
           steps=(Step(3, a=144, b=1536), Step(48, a=1, b=32)))

A kernel computes rows and columns of pixels, each with its channels. Distances say how
far pixels and steps of the window are from each other in memory. `window_vectors.py`
makes the code.
"""

from dataclasses import dataclass, replace
from typing import NamedTuple

from .emitter import Value


class Step(NamedTuple):
    """A loop of the window."""

    iterations: int
    a: int
    """The distance of its steps in A."""
    b: int
    """The distance of its steps in B."""
    inside: tuple[int, int] | None = None
    """Of the loop over rows: where in A the first row is that is not zeros, and the
    first row behind. None if nothing is known of rows.
    """


class Pixels(NamedTuple):
    """The distances of pixels in A, C and E, along one direction."""

    a: int
    c: int
    e: int


class Limit(NamedTuple):
    """A bound of each result; the kinds are those of `abi.XSMM_WINDOW_LIMITS`."""

    kind: str
    bound: float


@dataclass(frozen=True)
class Window:
    """What a kernel computes; distances count in elements."""

    kind: str
    """`product`, `depthwise`, `add` or `max`."""
    sizes: tuple[int, int]
    """Rows and columns of pixels."""
    channels: int
    rows: Pixels
    columns: Pixels
    steps: tuple[Step, ...]
    beta_0: bool = False
    """C is not read: sums start with 0."""
    bias: bool = False
    """D has a number for each channel, which is added."""
    residual: bool = False
    """E has a number for each element of C, which is added."""
    relu: bool = False
    limits: tuple[Limit, ...] = ()
    """What follows ReLU."""

    @property
    def is_product(self) -> bool:
        """Whether each element of A is multiplied with a vector of B."""
        return self.kind == "product"

    @property
    def has_zeros(self) -> bool:
        """Whether rows of A are known to be zeros."""
        return any(step.inside is not None for step in self.steps)


class Strip(NamedTuple):
    """Pixels whose sums are computed at once, and channels of them."""

    row: Value | int
    column: Value | int
    rows: int
    columns: int
    channel: Value | int
    widths: tuple[int, ...]
    """How many lanes of each vector are used."""

    def pixels(self) -> list[tuple[int, int]]:
        """The rows and columns of the pixels, from the first one on."""
        return [(r, c) for r in range(self.rows) for c in range(self.columns)]


def with_long_loops(window: Window) -> Window:
    """The same with neighbouring loops made one where that is possible."""
    steps: list[Step] = []
    for inner in (step for step in window.steps if step.iterations > 1):
        outer = steps[-1] if steps else None
        if outer is not None and outer[1:] == (
            inner.iterations * inner.a,
            inner.iterations * inner.b,
            inner.inside,
        ):
            steps[-1] = inner._replace(iterations=outer.iterations * inner.iterations)
        else:
            steps.append(inner)
    last = steps.pop()._replace(inside=None) if steps else Step(1, 0, 0)
    window = replace(window, steps=(*steps, last))
    if window.has_zeros:
        return window
    rows, columns = window.sizes
    if window.rows == Pixels(*(columns * each for each in window.columns)):
        return replace(window, sizes=(1, rows * columns))
    if columns == 1:
        return replace(window, sizes=(1, rows), columns=window.rows)
    return window
