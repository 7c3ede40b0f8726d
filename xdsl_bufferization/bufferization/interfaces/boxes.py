"""Boxes of elements, as far as they are known, to tell that two do not meet.

    tensor.extract_slice %t[%i, 0] [4, 8] [1, 1]         // rows %i .. %i + 3
    tensor.insert_slice %s into %t[%j, 0] [4, 8] [1, 1]  // %j = %i + 4: none of them

An offset is a sum of values and a number. Two offsets can be compared if they are made
from the same values, and if these are the same when both boxes are used.
"""

from __future__ import annotations

from collections.abc import Mapping
from math import gcd
from typing import NamedTuple

from xdsl.ir import SSAValue


class Linear(NamedTuple):
    """A number that is known but for some values: `constant + sum(factor * value)`."""

    constant: int
    terms: frozenset[tuple[SSAValue, int]] = frozenset()

    @staticmethod
    def of(terms: Mapping[SSAValue, int], constant: int = 0) -> Linear:
        """The sum of `constant` and every value times its factor."""
        return Linear(constant, frozenset((v, n) for v, n in terms.items() if n))

    def plus(self, other: Linear) -> Linear:
        """The sum of two."""
        if not self.terms or not other.terms:
            return Linear(self.constant + other.constant, self.terms or other.terms)
        factors = dict(self.terms)
        for value, factor in other.terms:
            factors[value] = factors.get(value, 0) + factor
        return Linear.of(factors, self.constant + other.constant)

    def times(self, number: int) -> Linear:
        """The product with a number."""
        if number == 1:
            return self
        factors = {value: factor * number for value, factor in self.terms}
        return Linear.of(factors, self.constant * number)


class Extent(NamedTuple):
    """Where a box is in one dimension."""

    start: Linear | None
    """The first index, or None if nothing is known about it."""

    span: int | None
    """How far it is from the first index to after the last, if that is known."""

    step: int = 1
    """The distance of indices; 0 if there is but one."""

    def is_disjoint(self, other: Extent) -> bool:
        """Whether the two share no index for sure."""
        if (
            self.start is None
            or other.start is None
            or self.start.terms != other.start.terms
        ):
            return False
        distance = other.start.constant - self.start.constant
        if self.span is not None and distance >= self.span:
            return True
        if other.span is not None and -distance >= other.span:
            return True
        common = gcd(self.step, other.step)
        return common > 1 and distance % common != 0

    def is_inside(self, other: Extent) -> bool:
        """Whether every index of this is one of `other` for sure."""
        if (
            self.start is None
            or other.start is None
            or self.start.terms != other.start.terms
            or self.span is None
            or other.span is None
            or other.step > 1
        ):
            return False
        distance = self.start.constant - other.start.constant
        return distance >= 0 and distance + self.span <= other.span


class Box(NamedTuple):
    """The elements `offset + stride * (0 .. size - 1)` of a container, by dimension."""

    offsets: tuple[Linear, ...]
    sizes: tuple[int | None, ...]
    strides: tuple[int | None, ...]

    kept: tuple[int, ...] | None = None
    """The dimensions of the container that are those of the result, if it has any."""

    def is_disjoint(self, other: Box) -> bool:
        """Whether the two share no element, whatever values their offsets hinge on."""
        return any(
            a.start is not None and not a.start.terms and a.is_disjoint(b)
            for a, b in zip(self.extents(), other.extents(), strict=True)
        )

    def extents(self) -> tuple[Extent, ...]:
        """The box in each dimension of its container."""
        return tuple(
            extent_of(offset, size, stride)
            for offset, size, stride in zip(
                self.offsets, self.sizes, self.strides, strict=True
            )
        )


def extent_of(start: Linear | None, size: int | None, stride: int | None) -> Extent:
    """So many indices from `start` on, `stride` apart."""
    if stride is None or stride < 0:
        return Extent(None, None)
    if size is None:
        return Extent(start, None, stride)
    if size == 0:
        return Extent(start, 0)
    return Extent(start, (size - 1) * stride + 1, stride if size > 1 else 0)
