"""Iterations of a parallel loop, and whether the parts that two of them use overlap.

    scf.forall (%i) in (4) {
      %1 = tensor.extract_slice %0[4 * %i] [4] [1]     // no other iteration is here
      %2 = tensor.extract_slice %0[0] [4] [1]          // all iterations are

Two iterations differ in an index. If both name the same expression of the index as
where their parts start, the parts are as far from each other as the index says.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

from xdsl.dialects.builtin import DYNAMIC_INDEX, IndexType
from xdsl.dialects.scf import ParallelOp
from xdsl.ir import Block, SSAValue

from xdsl_bufferization.dialects.common.static_values import constant_integer
from xdsl_bufferization.dialects.scf import ForallOp

from .boxes import Extent, Linear
from .operands import is_ranked_tensor_type
from .subset import SubsetOpInterface


class ParallelIndex(NamedTuple):
    """An index that tells iterations apart."""

    value: SSAValue
    step: int

    reach: int | None
    """How far two of its values are from each other at most, if that is known."""


@dataclass(frozen=True, eq=False)
class Iterations:
    """The iterations of a loop with this body; several may run at once."""

    body: Block
    is_outside: Callable[[Block], bool]
    """Whether a block, of a value that can be used in the body, is one around it."""

    @cached_property
    def indices(self) -> Sequence[ParallelIndex]:
        """The indices that take more than one value."""
        return tuple(_indices(self.body))

    def are_apart(self, first: Sequence[Extent], second: Sequence[Extent]) -> bool:
        """Whether boxes of two different iterations share no element for sure."""
        pairs = list(zip(first, second, strict=True))
        if any(self._is_constant(a) and a.is_disjoint(b) for a, b in pairs):
            return True
        return bool(self.indices) and all(
            any(self._tells_apart(index, a, b) for a, b in pairs)
            for index in self.indices
        )

    def is_computed(self, extents: Sequence[Extent] | None) -> bool:
        """Whether the indices say whether boxes of two iterations overlap."""
        return extents is not None and all(
            extent.start is not None
            and extent.span is not None
            and self._names_one_index(extent.start)
            for extent in extents
        )

    def _names_one_index(self, start: Linear) -> bool:
        """Whether a sum has no index, or one, and else what is from outside."""
        indices = [each.value for each in self.indices]
        inside = [value for value, _ in start.terms if not self._is_from_outside(value)]
        return len(inside) <= 1 and all(value in indices for value in inside)

    def _is_constant(self, extent: Extent) -> bool:
        return extent.start is not None and all(
            self._is_from_outside(value) for value, _ in extent.start.terms
        )

    def _is_from_outside(self, value: SSAValue) -> bool:
        block = value.owner if isinstance(value.owner, Block) else value.owner.parent
        return block is not None and self.is_outside(block)

    def _tells_apart(self, index: ParallelIndex, first: Extent, second: Extent) -> bool:
        if first.start is None or second.start is None:
            return False
        if first.start.terms != second.start.terms:
            return False
        if first.span is None or second.span is None:
            return False
        factors = dict(first.start.terms)
        factor = abs(factors.pop(index.value, 0))
        if not factor or not all(map(self._is_from_outside, factors)):
            return False
        # Equal values of the index are `between` apart, others as much more or less as
        # their distance says: it is `step` at least, and `reach` at most.
        between = abs(first.start.constant - second.start.constant)
        span = max(first.span, second.span)
        return factor * index.step - between >= span or (
            index.reach is not None and between - factor * index.reach >= span
        )


def _indices(body: Block) -> Iterator[ParallelIndex]:
    op = body.parent_op()
    if isinstance(op, ForallOp):
        bounds = zip(op.lower_bounds, op.upper_bounds, op.steps, strict=True)
        indices = op.induction_variables
    elif isinstance(op, ParallelOp):
        bounds = zip(op.lowerBound, op.upperBound, op.step, strict=True)
        indices = body.args
    else:
        # Nothing is known of the steps: two values differ by one at least.
        for argument in body.args:
            if isinstance(argument.type, IndexType):
                yield ParallelIndex(argument, 1, None)
        return
    ranges = _ranges_by_insertions(body) if isinstance(op, ForallOp) else {}
    for value, bound in zip(indices, bounds, strict=True):
        lower, upper, step = map(constant_integer, bound)
        if lower is None or upper is None or step is None or lower + step < upper:
            least, most = ranges.get(value, (None, None))
            least = max((n for n in (lower, least) if n is not None), default=None)
            last = None if upper is None else upper - 1
            most = min((n for n in (last, most) if n is not None), default=None)
            reach = None if least is None or most is None else most - least
            yield ParallelIndex(value, step or 1, reach)


def _ranges_by_insertions(
    body: Block,
) -> dict[SSAValue, tuple[int | None, int | None]]:
    """The least and largest values of indices, as insertions are within bounds.

    tensor.parallel_insert_slice %s into %o[%i + 4] [1] [1]      // %i is -4 at least
        : tensor<1xf32> into tensor<8xf32>                       // and 3 at most
    """
    ranges: dict[SSAValue, tuple[int | None, int | None]] = {}
    end = body.last_op
    assert end is not None
    for op in end.regions[0].block.ops:
        part = op.get_trait(SubsetOpInterface)
        box = None if part is None else part.get_box(op)
        type_ = None if part is None else part.get_container(op).value.type
        if box is None or not is_ranked_tensor_type(type_):
            continue
        for extent, size in zip(box.extents(), type_.get_shape(), strict=True):
            if extent.start is None or len(extent.start.terms) != 1:
                continue
            ((value, factor),) = extent.start.terms
            if factor <= 0:
                continue
            least, most = ranges.get(value, (None, None))
            low = -(extent.start.constant // factor)
            least = low if least is None else max(least, low)
            if size != DYNAMIC_INDEX:
                last = size - (extent.span or 0)
                high = (last - extent.start.constant) // factor
                most = high if most is None else min(most, high)
            ranges[value] = (least, most)
    return ranges
