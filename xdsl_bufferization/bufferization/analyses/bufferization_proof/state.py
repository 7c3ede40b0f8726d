"""What is known at a point of a program: the domain of the abstract interpretation.

    %1 = tensor.insert %x into %0[%i]   in place: %0 does not hold its own elements at
                                        [%i] any more, because of this op

For each tensor the parts of its buffer that no longer hold its elements, each with the
write that changed them; and which named buffers may be one. All else is as it should
be. Fewer facts are less in the order of the domain; both are joined by union.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import NamedTuple

from xdsl.ir import Block, SSAValue

from ...interfaces.operands import OpOperand
from .locations import Buffer, block_of
from .regions import Region, View, around_all, stands_for

_MOST = 6
"""How many parts are kept apart for one tensor."""

Alignment = tuple[View, View] | None
"""Of two buffers the parts that are the same elements in order, if the two are one.

They share nothing else. None: they may share anything.
"""

Condition = tuple[SSAValue, bool] | None
"""A value and what it has to be, for something to hold. None: it may hold anyhow."""


class Overlap(NamedTuple):
    """How two buffers may overlap."""

    alignment: Alignment = None
    condition: Condition = None

    def turned(self) -> Overlap:
        """The same, with the second buffer as the first one."""
        if self.alignment is None:
            return self
        return self._replace(alignment=(self.alignment[1], self.alignment[0]))

    def united(self, other: Overlap) -> Overlap:
        """What holds if one of both does."""
        return Overlap(
            self.alignment if self.alignment == other.alignment else None,
            self.condition if self.condition == other.condition else None,
        )

    def as_far_as_known(self, is_known: Callable[[Block], bool]) -> Overlap:
        """This, without what names values of blocks that are not known."""
        alignment, condition = self
        if alignment is not None and not all(
            is_known(block) for view in alignment for block in view.region.blocks
        ):
            alignment = None
        if condition is not None and not is_known(block_of(condition[0])):
            condition = None
        return self if self == (alignment, condition) else Overlap(alignment, condition)


Near = Mapping[Buffer, Overlap]
_NO_BUFFERS: Near = {}


class Spoil(NamedTuple):
    """A part of a buffer that holds other elements than those of a tensor."""

    region: Region
    write: OpOperand
    """The operand whose buffer was written."""


Spoils = tuple[Spoil, ...]


def united(first: Spoils, second: Iterable[Spoil]) -> Spoils:
    """All of both; where they are many, one that stands for all."""
    new = [
        spoil
        for spoil in dict.fromkeys(second)
        # Else what many were united to would grow again.
        if not any(
            spoil == known or stands_for(known.region, spoil.region) for known in first
        )
    ]
    if not new:
        return first
    both = (*first, *new)
    if len(both) <= _MOST:
        return both
    return (Spoil(around_all([spoil.region for spoil in both]), both[0].write),)


class State:
    """The facts at one point."""

    def __init__(
        self,
        spoils: dict[SSAValue, Spoils] | None = None,
        near: dict[Buffer, Near] | None = None,
    ):
        self.spoils = {} if spoils is None else spoils
        self.near = {} if near is None else near
        """Which other buffers a buffer may overlap."""

    def copy(self) -> State:
        """A state that changes on its own."""
        return State(dict(self.spoils), dict(self.near))

    def add(self, value: SSAValue, spoils: Iterable[Spoil]) -> None:
        """Note that parts of a tensor do not hold its elements any more."""
        old = self.spoils.get(value, ())
        if is_all(old):
            return
        new = united(old, spoils)
        if new:
            self.spoils[value] = new

    def set(self, value: SSAValue, spoils: Spoils) -> None:
        """Note what is known of a tensor that is defined here."""
        if spoils:
            self.spoils[value] = spoils
        else:
            self.spoils.pop(value, None)

    def near_to(self, buffer: Buffer) -> Near:
        """The other buffers that one may overlap, and how."""
        return self.near.get(buffer, _NO_BUFFERS)

    def connect(self, first: Buffer, second: Buffer, overlap: Overlap) -> None:
        """Note that two buffers may overlap."""
        if first is second:
            return
        old = self.near_to(first)
        if second in old:
            overlap = overlap.united(old[second])
        self.near[first] = {**old, second: overlap}
        self.near[second] = {**self.near_to(second), first: overlap.turned()}

    def forget(self, buffer: Buffer) -> None:
        """Note that a name stands for another buffer from here on."""
        for other in self.near.pop(buffer, _NO_BUFFERS):
            if other in self.near:
                rest = {k: v for k, v in self.near[other].items() if k is not buffer}
                self.near[other] = rest

    def keep_near(self, is_kept: Callable[[Buffer], bool]) -> None:
        """Forget the names that are not to be kept."""
        for buffer in [buffer for buffer in self.near if not is_kept(buffer)]:
            self.forget(buffer)

    def keep_overlaps(self, is_known: Callable[[Block], bool]) -> None:
        """Forget how buffers overlap where that names what is not known."""
        for buffer, near in self.near.items():
            less = {
                other: new
                for other, overlap in near.items()
                if (new := overlap.as_far_as_known(is_known)) is not overlap
            }
            if less:
                self.near[buffer] = {**near, **less}

    def join(self, other: State) -> bool:
        """Take in what holds at another way to this point; whether that is more."""
        changed = False
        for value, spoils in other.spoils.items():
            old = self.spoils.get(value, ())
            if old == spoils or is_all(old):
                continue
            new = united(old, spoils)
            if new != old:
                self.spoils[value] = new
                changed = True
        for buffer, near in other.near.items():
            old_near = self.near_to(buffer)
            if old_near != near:
                new_near = {**near, **old_near}
                for each in near:
                    new_near[each] = new_near[each].united(near[each])
                if new_near != old_near:
                    self.near[buffer] = new_near
                    changed = True
        return changed


def is_all(spoils: Spoils) -> bool:
    """Whether all of a buffer is spoiled already."""
    return (
        len(spoils) == 1
        and spoils[0].region.extents is None
        and (spoils[0].region.key is None and not spoils[0].region.inside)
        and spoils[0].region.frame.around is None
    )
