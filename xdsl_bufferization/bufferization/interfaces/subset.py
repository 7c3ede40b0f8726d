"""Ops that take a part out of a tensor, or put one in: MLIR's `SubsetOpInterface`.

The analysis only asks whether two subsets are the same or disjoint. It never looks
into an op, so that vector transfers and slices of any dialect take part alike.
"""

from abc import abstractmethod
from collections.abc import Callable, Hashable, Iterable, Sequence
from typing import NamedTuple

from xdsl.ir import Operation, SSAValue
from xdsl.traits import OpTrait

from .boxes import Box
from .operands import OpOperand

WHOLE = "whole"
"""The key of the subset that is all of its container.

Every tensor is this subset of itself: no op extracts it.
"""


class SubsetExtraction(NamedTuple):
    """A part of a tensor, and what has to be inserted to have it."""

    value: SSAValue
    op: Operation | None
    """The new op that defines `value`; None if it is there already."""


class SubsetOpInterface(OpTrait):
    """Which part of its container tensor an op works on."""

    @abstractmethod
    def get_container(self, op: Operation) -> OpOperand:
        """The operand with the tensor that the subset is a part of."""

    @abstractmethod
    def get_subset(self, op: Operation) -> Hashable:
        """A key that describes the subset within its container.

        Two ops with equal keys and equivalent containers work on the same elements, in
        the same order; one of them may leave out dimensions of size 1. When unsure: the
        op itself.
        """

    def get_box(self, op: Operation) -> Box | None:
        """The elements that the subset is in, or None if nothing is known of them.

        What `op` reads or writes of its container must be inside, and the subset of an
        extraction with a tensor as its result must be exactly that. When unsure: None.
        """
        del op
        return None

    def overwrites_box(self, op: Operation) -> bool:
        """Whether `op` writes every element of its box, and keeps all others.

        When unsure: False.
        """
        del op
        return False

    def operates_on_equivalent_subset(self, op: Operation, other: Operation) -> bool:
        """Whether two ops with equivalent containers work on the same elements."""
        model = other.get_trait(SubsetOpInterface)
        return model is not None and self.get_subset(op) == model.get_subset(other)


class SubsetExtractionOpInterface(SubsetOpInterface):
    """An op whose one result is a part of its container."""


class SubsetInsertionOpInterface(SubsetOpInterface):
    """An op that overwrites a part of its container, the destination."""

    @abstractmethod
    def get_source(self, op: Operation) -> OpOperand:
        """The operand with the tensor that is put into the destination."""

    def get_values_needed_to_build_subset_extraction(
        self, op: Operation
    ) -> Sequence[SSAValue]:
        """The values that the op of `build_subset_extraction` uses."""
        del op
        return ()

    def build_subset_extraction(self, op: Operation) -> SubsetExtraction | None:
        """The part of the destination that `op` overwrites, or None.

        What computes its source in place of that part spares a copy. When unsure: None.
        """
        del op
        return None


_FAR = 64
"""How many values `comes_as` goes through before it gives up."""


def comes_as(
    value: SSAValue,
    is_container: Callable[[SSAValue], bool],
    is_subset: Callable[[SSAValue], bool],
    get_origins: Callable[[SSAValue], Iterable[SSAValue]],
) -> bool:
    """Whether `value` is a certain subset wherever it comes from a container.

    The answer is also True if `value` never comes from a container: `value` is in
    another buffer then, even if one alias set holds both. `get_origins` tells what a
    value may be, or be part of. When unsure: False.
    """
    seen = {value}
    todo = [value]
    while todo:
        current = todo.pop()
        if is_container(current) or len(seen) > _FAR:
            return False
        if is_subset(current):
            continue
        for origin in get_origins(current):
            if origin not in seen:
                seen.add(origin)
                todo.append(origin)
    return True
