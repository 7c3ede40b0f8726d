"""Signatures of ops: what a check of an op is about, if its place does not matter.

    arith.addf : (f32, f32) -> f32      // checked
    arith.addf : (f32, f32) -> f32      // the same signature: fine

A signature has the types of operands, results and arguments of regions, and the
attributes. Attributes never change, so that a signature which was fine is fine. Nothing
is remembered of an op with large attributes.
"""

from collections.abc import Callable, Collection
from enum import Enum
from typing import Final, TypeVar, cast

from xdsl.dialects.builtin import (
    AffineMapAttr,
    ArrayAttr,
    BytesAttr,
    DenseArrayBase,
    FloatAttr,
    IntegerAttr,
    StringAttr,
    SymbolRefAttr,
    UnitAttr,
)
from xdsl.ir import Attribute, Data, Operation, Region, TypeAttribute

_MOST: Final = 1 << 12
"""So many signatures are remembered for one check."""

_MOST_BYTES: Final = 128
_MOST_ELEMENTS: Final = 16

_SMALL: Final = (AffineMapAttr, FloatAttr, IntegerAttr, SymbolRefAttr, UnitAttr)

_Op = TypeVar("_Op", bound=Operation)


class Signatures:
    """The signatures of ops that have passed a check."""

    def __init__(
        self, attributes: Collection[str] = (), *, apart: Collection[str] = ()
    ) -> None:
        self._attributes = attributes
        self._apart = apart
        self._sound: dict[tuple[object, ...], tuple[Attribute, ...]] = {}
        """With the attributes, so that no others get their identities."""

    def check(self, op: _Op, check: Callable[[_Op], None]) -> bool:
        """Call `check` unless an op with this signature has passed it; say whether.

        The check looks at no attributes but those that the signatures have, and at no
        property that is kept apart.
        """
        about: list[Attribute] = []
        signature = self._signature(op, about)
        if signature is None:
            check(op)
            return True
        if signature in self._sound:
            return False
        check(op)
        if len(self._sound) >= _MOST:
            self._sound.clear()
        self._sound[signature] = tuple(about)
        return True

    def _signature(
        self, op: Operation, about: list[Attribute]
    ) -> tuple[object, ...] | None:
        """By identity, of the attributes that go into `about`; None if too large."""
        about += [value.type for value in op.operands]
        num_operands = len(about)
        about += [value.type for value in op.results]
        num_results = len(about)
        regions = [_shape(region, about) for region in op.regions]
        names: list[str] = []
        for name, attribute in op.properties.items():
            names.append(name)
            if name not in self._apart:
                if not _is_small(attribute):
                    return None
                about.append(attribute)
        for name in self._attributes:
            if (attribute := op.attributes.get(name)) is not None:
                if not _is_small(attribute):
                    return None
                names += ("", name)
                about.append(attribute)
        counts = type(op), num_operands, num_results, len(op.successors), len(regions)
        return (*counts, *regions, *names, *map(id, about))


def _shape(region: Region, about: list[Attribute]) -> int:
    """How many arguments a region has, and whether it has one block; -1 for none."""
    block = region.first_block
    if block is None:
        return -1
    arguments = block.args
    about += [argument.type for argument in arguments]
    return 2 * len(arguments) + (block is region.last_block)


def _is_small(attribute: Attribute) -> bool:
    kind = type(attribute)
    if kind in _SMALL:
        return True
    if kind is DenseArrayBase:
        data = cast("BytesAttr", vars(attribute)["data"])
        return len(data.data) <= _MOST_BYTES
    if kind is StringAttr:
        return len(cast("StringAttr", attribute).data) <= _MOST_BYTES
    if kind is ArrayAttr:
        elements = cast("ArrayAttr[Attribute]", attribute).data
        return len(elements) <= _MOST_ELEMENTS and all(map(_is_small, elements))
    return isinstance(attribute, TypeAttribute) or _is_small_set(attribute)


def _is_small_set(attribute: Attribute) -> bool:
    """Whether an attribute is a name, or some names, of an enumeration."""
    if not isinstance(attribute, Data):
        return False
    names = cast("Data[object]", attribute).data
    if isinstance(names, tuple | frozenset):
        members = cast("Collection[object]", names)
        return len(members) <= _MOST_ELEMENTS and all(
            isinstance(each, Enum) for each in members
        )
    return isinstance(names, Enum)
