"""Which kernel sums over a window as a structured op on buffers does.

    C[p, q, k] += A[c1, 2 * p + r, 2 * q + s, c] * B[c1, r, s, c, k]     product
    C[p, q, k] += A[p + r, q + s, k] * B[r, s, k]                        depthwise
    C[p, q, k]  = max(C[p, q, k], A[p + r, q + s, k])                    max

Only distances count: how far an operand moves with each step of a loop. So any form of
convolution or pooling has a kernel under these conditions:

- its sizes are known
- its channels lie without gaps in B and C
- at most two loops are over pixels, and four over the window
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import prod
from typing import Final, NamedTuple

from xdsl.dialects.builtin import DYNAMIC_INDEX
from xdsl.ir import Operation, SSAValue
from xdsl.ir.affine import (
    AffineMap,
)

from xdsl_bufferization.dialects.linalg.structure import Structure, element_type_of
from xdsl_bufferization.dialects.linalg.trip_counts import trip_counts
from xdsl_bufferization.dialects.xsmm.attributes import DataType, WindowKind
from xdsl_bufferization.optimization.common.contractions import factors_of
from xdsl_bufferization.optimization.common.reductions import reduction_kind
from xdsl_bufferization.optimization.common.rows_of_zeros import (
    dimension_of_rows,
    noted_rows,
)
from xdsl_bufferization.optimization.tiling.tile_convolutions import CACHE_BYTES
from xdsl_bufferization.support import abi

from .product_kernels import multiplies_and_adds
from .strided_matrices import as_buffer

MOST_PIXEL_LOOPS: Final = 2

Distances = Mapping[int, int]
"""How far an operand moves with a step of each loop; 0 for loops that are left out."""

NOWHERE: Final[Distances] = {}
"""Of an operand that is not there."""


class Step(NamedTuple):
    """A loop of the window."""

    iterations: int
    a: int
    """How far A moves with each iteration."""
    b: int


@dataclass(frozen=True)
class Window:
    """A sum over a window, in the terms of a kernel."""

    kind: WindowKind
    a: SSAValue
    b: SSAValue | None
    c: SSAValue
    counts: Sequence[int]
    """The iterations of each loop."""

    channels: int | None
    """The loop over channels; None for a single one."""

    pixels: Sequence[int]
    """The loops over pixels, at most two, with the larger distance first."""

    steps: Sequence[Step]
    """The loops of the window, from the outermost one to the innermost."""

    distances: tuple[Distances, Distances, Distances]
    """In A, B and C."""

    def pixel_distances(self, distances: Distances) -> tuple[int, int]:
        """How far an operand moves with a row and with a column of pixels."""
        numbers = [distances.get(loop, 0) for loop in self.pixels]
        first, second = [*[0] * (MOST_PIXEL_LOOPS - len(numbers)), *numbers]
        return first, second

    def inputs(self, e: Distances) -> list[int]:
        """What the dispatch says; `e` are the distances in E."""
        counts, (a, _, c) = self.counts, self.distances
        sizes = [counts[loop] for loop in self.pixels]
        missing = abi.XSMM_WINDOW_STEPS - len(self.steps)
        return [
            *[1] * (MOST_PIXEL_LOOPS - len(sizes)),
            *sizes,
            1 if self.channels is None else counts[self.channels],
            *self.pixel_distances(a),
            *self.pixel_distances(c),
            *self.pixel_distances(e),
            *[1, 0, 0] * missing,
            *(number for step in self.steps for number in step),
        ]


def window_of(structure: Structure) -> Window | None:
    """`structure` on buffers in the terms of a kernel; None if it has none."""
    if len(structure.outputs) != 1 or not 1 <= len(structure.inputs) <= 2:
        return None
    output = structure.outputs[0]
    kinds = _kinds(structure)
    if not kinds or output in structure.inputs or all(structure.parallel):
        return None
    counts = trip_counts(structure)
    distances = [
        distances_in(value, map_)
        for value, map_ in zip((*structure.inputs, output), structure.maps, strict=True)
    ]
    if DYNAMIC_INDEX in counts or 0 in counts or distances[-1] is None:
        return None
    orders = ((0, 1), (1, 0)) if kinds[0] is WindowKind.PRODUCT else ((0, None),)
    for kind in kinds:
        for a, b in orders:
            found = _match(kind, structure, counts, distances, (a, b))
            if found is not None:
                return found
    return None


def _kinds(structure: Structure) -> Sequence[WindowKind]:
    """What the body may be, best first."""
    block = structure.body.block
    if len(structure.inputs) == 2 and multiplies_and_adds(block):
        values = (*structure.inputs, *structure.outputs)
        f32 = DataType.F32.element_type
        is_f32 = all(element_type_of(value.type) == f32 for value in values)
        return (WindowKind.PRODUCT, WindowKind.DEPTHWISE) if is_f32 else ()
    kind = reduction_kind(block)
    return () if kind is None else (kind,)


def distances_in(value: SSAValue, map_: AffineMap) -> Distances | None:
    """How far an operand moves with each loop; None if that is not known."""
    buffer = as_buffer(value.type)
    strides = None if buffer is None else buffer.get_strides()
    if strides is None or len(strides) != len(map_.results):
        return None
    total: dict[int, int] = {}
    for expr, stride in zip(map_.results, strides, strict=True):
        factors = factors_of(expr)
        if factors is None or (factors and (stride is None or stride < 0)):
            return None
        for loop, factor in factors.items():
            total[loop] = total.get(loop, 0) + factor * (stride or 0)
    return total


def _match(
    kind: WindowKind,
    structure: Structure,
    counts: Sequence[int],
    distances: Sequence[Distances | None],
    numbers: tuple[int, int | None],
) -> Window | None:
    first, second = numbers
    a, c = distances[first], distances[-1]
    b = NOWHERE if second is None else distances[second]
    if a is None or b is None or c is None:
        return None
    loops = [loop for loop, count in enumerate(counts) if count > 1]
    kept = [loop for loop in loops if structure.parallel[loop]]
    summed = [loop for loop in loops if not structure.parallel[loop]]
    steps = _merged(Step(counts[at], a.get(at, 0), b.get(at, 0)) for at in summed)
    channels = next((loop for loop in kept if c.get(loop) == 1), None)
    pixels = sorted(
        (loop for loop in kept if loop != channels), key=lambda loop: -c.get(loop, 0)
    )
    if channels is not None:
        wanted = (int(kind is not WindowKind.PRODUCT), int(second is not None))
        if (a.get(channels, 0), b.get(channels, 0)) != wanted:
            return None
    is_kernel = (
        len(pixels) <= MOST_PIXEL_LOOPS
        and len(steps) <= abi.XSMM_WINDOW_STEPS
        and all(c.get(loop, 0) and not b.get(loop) for loop in pixels)
        and not any(c.get(loop) for loop in summed)
    )
    if not is_kernel or not _lie_apart(counts, channels, pixels, c):
        return None
    return Window(
        kind,
        structure.inputs[first],
        None if second is None else structure.inputs[second],
        structure.outputs[0],
        counts,
        channels,
        pixels,
        steps,
        (a, b, c),
    )


def _merged(steps: Iterable[Step]) -> list[Step]:
    """One loop for neighbours of which the outer goes on where the inner ends."""
    merged: list[Step] = []
    for inner in steps:
        outer = merged[-1] if merged else None
        if outer is not None and (outer.a, outer.b) == (
            inner.iterations * inner.a,
            inner.iterations * inner.b,
        ):
            merged[-1] = Step(outer.iterations * inner.iterations, inner.a, inner.b)
        else:
            merged.append(inner)
    return merged


def _lie_apart(
    counts: Sequence[int], channels: int | None, pixels: Sequence[int], c: Distances
) -> bool:
    """Whether the pixels of C do not overlap."""
    end = 1 if channels is None else counts[channels]
    for loop in reversed(pixels):
        if c[loop] < end:
            return False
        end += (counts[loop] - 1) * c[loop]
    return True


# What a kernel for windows is told of rows of zeros, so that it leaves them out.
#
#     linalg.generic ins(%a, %b) outs(%c) {xsmm.image_rows = array<i64: 3, 10>}
#         // 13x13x16, 7x7x16x16, 7x7x16
#         ->
#     xsmm.window.dispatch product [..., 2, 624, 2080] flags = (beta_0) data_type = f32
#
# For `convert-windows-to-xsmm`. Loop 2 of the kernel is over rows of the window. Rows
# of %a are 208 elements apart: the first one that is not zeros is at 624, and the first
# one behind at 2080. So the first row of pixels is summed over four rows of the window.


LEAST_LEFT_OUT: Final = 0.0625
"""The share of products with zeros that is worth the code that leaves them out."""

_F32_BYTES: Final = 4


def zeros_of(op: Operation, structure: Structure, window: Window) -> Sequence[int]:
    """The inputs `loop`, `first` and `end` of a dispatch; none if all rows are summed.

    `op` computes `window`.
    """
    rows, dimension = noted_rows(op), dimension_of_rows(structure)
    if rows is None or dimension is None or not _is_small_product(window):
        return ()
    factors = factors_of(structure.maps[0].results[dimension]) or {}
    stride = _stride(structure, window, dimension)
    of_a, pixels = window.distances[0], window.pixels[0]
    others = [loop for loop in factors if loop != pixels]
    if stride is None or pixels not in factors or len(others) != 1:
        return ()
    if any(of_a.get(loop) != by * stride for loop, by in factors.items()):
        return ()
    (loop,) = others
    step = Step(window.counts[loop], of_a[loop], window.distances[1].get(loop, 0))
    met = [
        row * factors[pixels] + iteration * factors[loop]
        for row in range(window.counts[pixels])
        for iteration in range(step.iterations)
    ]
    left_out = sum(not rows[0] <= row < rows[1] for row in met)
    if left_out < LEAST_LEFT_OUT * len(met) or step not in window.steps:
        return ()
    number = window.steps.index(step) + abi.XSMM_WINDOW_STEPS - len(window.steps)
    return number, rows[0] * stride, rows[1] * stride


def _is_small_product(window: Window) -> bool:
    """Whether a row of pixels may be summed alone.

    Each row then reads the weights from the second-level cache. Otherwise several rows
    share what is read.
    """
    channels = 1 if window.channels is None else window.counts[window.channels]
    weights = channels * prod(step.iterations for step in window.steps)
    return (
        window.kind is WindowKind.PRODUCT
        and len(window.pixels) == MOST_PIXEL_LOOPS
        and weights * _F32_BYTES <= CACHE_BYTES
    )


def _stride(structure: Structure, window: Window, dimension: int) -> int | None:
    """How far neighbours in a dimension of the image are apart, if the image is A."""
    buffer = as_buffer(window.a.type)
    if buffer is None or window.a is not structure.inputs[0]:
        return None
    strides = buffer.get_strides()
    return None if strides is None else strides[dimension]
