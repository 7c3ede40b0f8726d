"""Iterations that may run at once: what one writes while another one reads.

    scf.forall (%i) in (4) {
      %1 = tensor.extract_slice %0[4 * %i] [4] [1]     // no other iteration is here
      %2 = tensor.extract_slice %0[0] [4] [1]          // all iterations are

Two iterations differ in an index. If both name the same expression of the index as
where their parts start, the parts are as far from each other as the index says.

Where nothing tells parts apart, iterations are believed to insert into parts that do
not overlap: `scf.forall` leaves open what an element is that two of them insert.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from xdsl.dialects.arith import ConstantOp
from xdsl.dialects.builtin import IndexType, IntegerAttr
from xdsl.dialects.scf import ParallelOp
from xdsl.ir import Block, Operation, SSAValue

from xdsl_bufferization.dialects.common.static_values import OpFoldResult
from xdsl_bufferization.dialects.scf import ForallOp

from ...interfaces.boxes import Extent, Linear
from .locations import Buffer
from .regions import Region, anywhere_in, is_inside
from .state import Spoil

Insertions = Sequence[tuple[Buffer, Sequence[Region]]]
"""For each tensor that iterations insert into at their end: its buffer, and where."""

_MOST = 64
"""How many writes to one buffer are kept apart."""


class _Index(NamedTuple):
    """An index that tells iterations apart."""

    value: SSAValue
    step: int


@dataclass(eq=False)
class ParallelWrites:
    """What any iteration of a region writes to buffers from outside of it."""

    body: Block
    is_outside: Callable[[Block], bool]
    """Whether a block is one around the region."""

    insertions: Insertions = ()

    written: dict[Buffer, dict[Spoil, None]] = field(
        default_factory=dict[Buffer, dict[Spoil, None]]
    )

    def __post_init__(self) -> None:
        op = self.body.parent_op()
        assert op is not None
        self._indices = list(_indices(op, self.body))
        self._believed = [
            (buffer, [each for each in regions if not self._is_computed(each)])
            for buffer, regions in self.insertions
        ]

    def _is_computed(self, region: Region) -> bool:
        """Whether indices tell whether iterations have parts that overlap."""
        if all(map(self.is_outside, region.blocks)):
            return True
        return region.extents is not None and all(
            extent.start is not None
            and extent.span is not None
            and self._names_one_index(extent.start)
            for extent in region.extents
        )

    def _names_one_index(self, start: Linear) -> bool:
        """Whether a sum has no index, or one, and else what is from outside."""
        indices = [each.value for each in self._indices]
        inside = [v for v, _ in start.terms if not self._is_from_outside(v)]
        return len(inside) <= 1 and all(value in indices for value in inside)

    def add(self, buffer: Buffer, spoil: Spoil) -> bool:
        """Note a write; whether it is a new one."""
        if not self.is_outside(buffer.block):
            return False
        written = self.written.setdefault(buffer, {})
        if len(written) >= _MOST:
            frame = spoil.region.frame
            while frame.around is not None:
                frame = frame.around.frame
            everything = anywhere_in(frame)
            if any(each.region == everything for each in written):
                return False
            spoil = Spoil(everything, spoil.write)
        if spoil in written:
            return False
        written[spoil] = None
        return True

    def meet(
        self, buffer: Buffer, region: Region, *, is_inserted: bool = False
    ) -> Iterator[Spoil]:
        """The writes of other iterations that may change `region` of a buffer.

        `is_inserted`: the iteration inserts what is there, and does not read it. An
        element that other iterations insert too is that of any of them.
        """
        insertions = self.insertions if is_inserted else self._believed
        for spoil in self.written.get(buffer, ()):
            if not self._is_apart(region, spoil.region) and not _are_inserted(
                insertions, buffer, region, spoil.region
            ):
                yield spoil

    def _is_apart(self, first: Region, second: Region) -> bool:
        """Whether these parts of two different iterations share no element."""
        first, second = self._in_shared_frame(first), self._in_shared_frame(second)
        while first.frame is not second.frame and first.frame.around is not None:
            first = first.frame.around
        while first.frame is not second.frame and second.frame.around is not None:
            second = second.frame.around
        if first.extents is None or second.extents is None:
            return False
        pairs = list(zip(first.extents, second.extents, strict=True))
        if any(self._is_constant(a) and a.is_disjoint(b) for a, b in pairs):
            return True
        return bool(self._indices) and all(
            any(self._tells_apart(index, a, b) for a, b in pairs)
            for index in self._indices
        )

    def _in_shared_frame(self, region: Region) -> Region:
        """What is around a part, in a frame that is the same for all iterations."""
        outer = region
        while outer.frame.around is not None:
            outer = outer.frame.around
            if not all(map(self.is_outside, outer.blocks)):
                region = outer
        return region

    def _is_constant(self, extent: Extent) -> bool:
        return extent.start is not None and all(
            self._is_from_outside(value) for value, _ in extent.start.terms
        )

    def _is_from_outside(self, value: SSAValue) -> bool:
        block = value.owner if isinstance(value.owner, Block) else value.owner.parent
        return block is not None and self.is_outside(block)

    def _tells_apart(self, index: _Index, first: Extent, second: Extent) -> bool:
        if first.start is None or second.start is None:
            return False
        if first.start.terms != second.start.terms:
            return False
        if first.span is None or second.span is None:
            return False
        factor = _factor_of(index.value, first.start)
        rest = (value for value, _ in first.start.terms if value is not index.value)
        if factor == 0 or not all(map(self._is_from_outside, rest)):
            return False
        distance = abs(factor * index.step)
        between = abs(first.start.constant - second.start.constant)
        return distance - between >= max(first.span, second.span)


def _are_inserted(insertions: Insertions, buffer: Buffer, *parts: Region) -> bool:
    """Whether each part is in what its iteration inserts, all into one tensor."""
    return any(
        at is buffer
        and all(any(is_inside(part, each) for each in inserted) for part in parts)
        for at, inserted in insertions
    )


def _factor_of(value: SSAValue, number: Linear) -> int:
    return next((n for term, n in number.terms if term is value), 0)


def _indices(op: Operation, body: Block) -> Iterator[_Index]:
    """The indices of a loop that takes more than one value."""
    if isinstance(op, ForallOp):
        bounds = zip(op.lower_bounds, op.upper_bounds, op.steps, strict=True)
        indices = op.induction_variables
    elif isinstance(op, ParallelOp):
        bounds = zip(op.lowerBound, op.upperBound, op.step, strict=True)
        indices = body.args
    else:
        # Nothing is known of the steps: two values differ by one at least.
        yield from (_Index(a, 1) for a in body.args if isinstance(a.type, IndexType))
        return
    for value, (lower, upper, step) in zip(indices, bounds, strict=True):
        if not _is_one_value(_known(lower), _known(upper), _known(step)):
            yield _Index(value, _known(step) or 1)


def _is_one_value(lower: int | None, upper: int | None, step: int | None) -> bool:
    if lower is None or upper is None or step is None:
        return False
    return lower + step >= upper


def _known(number: OpFoldResult) -> int | None:
    if isinstance(number, int):
        return number
    owner = number.owner
    if isinstance(owner, ConstantOp) and isinstance(owner.value, IntegerAttr):
        return owner.value.value.data
    return None
