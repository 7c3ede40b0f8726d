"""Iterations that may run at once: what one writes while another one reads.

    scf.forall (%i) in (4) {
      %1 = tensor.extract_slice %0[4 * %i] [4] [1]     // no other iteration is here
      %2 = tensor.extract_slice %0[0] [4] [1]          // all iterations are

`interfaces/iterations.py` tells whether parts of two iterations are apart.

Where nothing tells parts apart, iterations are believed to insert into parts that do
not overlap: `scf.forall` leaves open what an element is that two of them insert.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field

from xdsl.ir import Block

from ...interfaces.iterations import Iterations
from .locations import Buffer
from .regions import Region, anywhere_in, is_inside
from .state import Spoil

Insertions = Sequence[tuple[Buffer, Sequence[Region]]]
"""For each tensor that iterations insert into at their end: its buffer, and where."""

_MOST = 64
"""How many writes to one buffer, and insertions into one tensor, are kept apart."""


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
        self._iterations = Iterations(self.body, self.is_outside)
        self._believed = [
            (buffer, self._apart_from_each_other(regions))
            for buffer, regions in self.insertions
        ]

    def _apart_from_each_other(self, regions: Sequence[Region]) -> list[Region]:
        """Those into which no other iteration inserts."""
        if len(regions) > _MOST:
            return []
        return [
            region
            for region in regions
            if not any(self._may_be_shared(region, other) for other in regions)
        ]

    def _may_be_shared(self, first: Region, second: Region) -> bool:
        """Whether indices tell that parts of two iterations may overlap."""
        return all(
            all(map(self.is_outside, each.blocks))
            or self._iterations.is_computed(each.extents)
            for each in (first, second)
        ) and not self._is_apart(first, second)

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
        return self._iterations.are_apart(first.extents, second.extents)

    def _in_shared_frame(self, region: Region) -> Region:
        """What is around a part, in a frame that is the same for all iterations."""
        outer = region
        while outer.frame.around is not None:
            outer = outer.frame.around
            if not all(map(self.is_outside, outer.blocks)):
                region = outer
        return region


def _are_inserted(insertions: Insertions, buffer: Buffer, *parts: Region) -> bool:
    """Whether each part is in what its iteration inserts, all into one tensor."""
    return any(
        at is buffer
        and all(any(is_inside(part, each) for each in inserted) for part in parts)
        for at, inserted in insertions
    )
