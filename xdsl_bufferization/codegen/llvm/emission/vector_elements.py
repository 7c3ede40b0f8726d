"""A vector while its function is being lowered, and how its elements are rearranged.

LLVM's vectors have one dimension. As in MLIR, one of several is made of rows along its
last dimension; here the rows stay apart, as the fields of a buffer do. A vector of no
dimension is a row of one element.

    vector<2x3xf32>  -> Vector(shape=(2, 3), rows=(<3 x f32>, <3 x f32>))
    vector<f32>      -> Vector(shape=(), rows=(<1 x f32>,))

An element is named by its number in row-major order: whatever moves elements around
without looking at them says where each comes from, and is one call of `rearrange`.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate, product

from xdsl.dialects import llvm
from xdsl.dialects.builtin import (
    VectorType,
    i32,
)
from xdsl.ir import Attribute, SSAValue
from xdsl.utils.hints import isa
from xdsl.utils.type import get_element_type_or_self

from xdsl_bufferization.dialects.common.arrays import array_of

from .blocks import dense_row
from .emitter import Emitter


@dataclass(frozen=True)
class Vector:
    """A vector as its rows, which are vectors of the llvm dialect."""

    shape: tuple[int, ...]
    rows: tuple[SSAValue, ...]

    @property
    def width(self) -> int:
        """The number of elements of a row."""
        return row_width(self.shape)

    @property
    def element(self) -> Attribute:
        """The type of the elements in the llvm dialect."""
        return get_element_type_or_self(self.rows[0].type)


def row_width(shape: Sequence[int]) -> int:
    """Return how many elements a row of a vector of `shape` has."""
    return shape[-1] if shape else 1


def outer_indices(shape: Sequence[int]) -> Iterator[tuple[int, ...]]:
    """Return the indices of the rows of a vector of `shape`, in order."""
    return product(*map(range, shape[:-1]))


def all_indices(shape: Sequence[int]) -> Iterator[tuple[int, ...]]:
    """Return the indices of all elements, in order."""
    return product(*map(range, shape))


def number_of(index: Sequence[int], shape: Sequence[int]) -> int:
    """Return which element, in row-major order, has `index`."""
    number = 0
    for position, size in zip(index, shape, strict=True):
        number = number * size + position
    return number


# Rows.


def undefined(element: Attribute, width: int, f: Emitter) -> SSAValue:
    """Return a row without contents."""
    return f.create(llvm.UndefOp, (), VectorType(element, [width]))


def shuffle(
    first: SSAValue, second: SSAValue, lanes: Sequence[int], f: Emitter
) -> SSAValue:
    """Return the elements of `first`, then `second`, that `lanes` name."""
    type = VectorType(get_element_type_or_self(first.type), [len(lanes)])
    mask = {"mask": array_of(i32, lanes)}
    return f.create(llvm.ShuffleVectorOp, (first, second), type, mask)


def splat(value: SSAValue, width: int, f: Emitter) -> SSAValue:
    """Return a row of `width` times the scalar `value`."""
    first = set_lane(undefined(value.type, width, f), value, f.integer(0), f)
    return first if width == 1 else shuffle(first, first, [0] * width, f)


def lane(row: SSAValue, number: int, f: Emitter) -> SSAValue:
    """Return one element of a row; xDSL's llvm dialect has no `extractelement`."""
    single = row if lanes_of(row) == 1 else shuffle(row, row, [number], f)
    return f.cast(llvm.BitcastOp, single, get_element_type_or_self(row.type))


def set_lane(row: SSAValue, value: SSAValue, number: SSAValue, f: Emitter) -> SSAValue:
    """Return a row with one element replaced."""
    return f.create(llvm.InsertElementOp, (row, value, number), row.type)


def lanes_of(row: SSAValue) -> int:
    """Return the number of elements of a row."""
    assert isa(row.type, VectorType)
    return row.type.get_shape()[0]


def row_of(values: Sequence[SSAValue], f: Emitter) -> SSAValue:
    """Return the row of the scalars `values`."""
    row = undefined(values[0].type, len(values), f)
    for number, value in enumerate(values):
        row = set_lane(row, value, f.integer(number), f)
    return row


def rows_of(values: Sequence[SSAValue], width: int, f: Emitter) -> list[SSAValue]:
    """Return the rows, of `width` each, of the scalars `values`."""
    starts = range(0, len(values), width)
    return [row_of(values[at : at + width], f) for at in starts]


def iota(width: int, f: Emitter) -> SSAValue:
    """Return the row of the indices 0, 1, 2, ..."""
    type = VectorType(f.types.index, [width])
    return f.constant(dense_row(range(width), type), type)


# Rearranging.


def rearrange(
    sources: Sequence[Vector], numbers: Sequence[int], shape: Sequence[int], f: Emitter
) -> Vector:
    """Return the vector of `shape` whose elements are those of `sources` named.

    `numbers` counts on through the sources.
    """
    rows = [row for source in sources for row in source.rows]
    starts = list(accumulate(map(lanes_of, rows[:-1]), initial=0))
    width = row_width(shape)
    chunks = [numbers[at : at + width] for at in range(0, len(numbers), width)]
    gathered = [_gather_row(rows, starts, chunk, f) for chunk in chunks]
    return Vector(tuple(shape), tuple(gathered))


def _gather_row(
    rows: Sequence[SSAValue], starts: Sequence[int], numbers: Sequence[int], f: Emitter
) -> SSAValue:
    """Return a row of the elements `numbers`; row `i` begins with `starts[i]`."""
    lanes_by_row: dict[int, dict[int, int]] = {}
    for target, number in enumerate(numbers):
        row = bisect_right(starts, number) - 1
        lanes_by_row.setdefault(row, {})[target] = number - starts[row]
    result: SSAValue | None = None
    for row, lanes in lanes_by_row.items():
        part = _spread(rows[row], lanes, len(numbers), f)
        result = part if result is None else _blend(result, part, lanes, f)
    assert result is not None
    return result


def _spread(
    row: SSAValue, lanes: Mapping[int, int], width: int, f: Emitter
) -> SSAValue:
    """Return a row of `width` with elements of `row`: to each place, from which."""
    chosen = [lanes.get(target, 0) for target in range(width)]
    if chosen == [*range(lanes_of(row))]:
        return row
    return shuffle(row, row, chosen, f)


def _blend(
    first: SSAValue, second: SSAValue, targets: Iterable[int], f: Emitter
) -> SSAValue:
    """Return `first` with the elements at `targets` from `second`."""
    width = lanes_of(first)
    lanes = [*range(width)]
    for target in targets:
        lanes[target] = width + target
    return shuffle(first, second, lanes, f)


def element(vector: Vector, index: Sequence[int], f: Emitter) -> SSAValue:
    """Return one element."""
    number = number_of(index, vector.shape)
    return lane(vector.rows[number // vector.width], number % vector.width, f)
