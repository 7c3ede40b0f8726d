"""Signatures of ops: what a check of an op is about, if its place does not matter.

    arith.addf : (f32, f32) -> f32      // checked
    arith.addf : (f32, f32) -> f32      // the same signature: fine

A signature has the types of operands, results and arguments of regions, and the
attributes. Attributes never change, so that a signature which was fine is fine. Nothing
is remembered of an op with large attributes, or of one that defines a symbol: no other
op has its name.
"""

from collections.abc import Callable, Collection
from enum import Enum
from typing import Any, Final, TypeVar, cast

from xdsl.dialects.builtin import (
    AffineMapAttr,
    ArrayAttr,
    DenseArrayBase,
    FloatAttr,
    IntegerAttr,
    StringAttr,
    SymbolRefAttr,
    UnitAttr,
)
from xdsl.ir import Attribute, Data, Operation, Region, TypeAttribute
from xdsl.irdl import AnyAttr, AttrConstraint, ParamAttrConstraint

_MOST: Final = 1 << 12
"""So many signatures are remembered for one check."""

_MOST_BYTES: Final = 128
_MOST_ELEMENTS: Final = 16

_SMALL: Final = (AffineMapAttr, FloatAttr, IntegerAttr, SymbolRefAttr, UnitAttr)

_Op = TypeVar("_Op", bound=Operation)


class Signatures:
    """The signatures of ops that have passed a check."""

    def __init__(
        self, attributes: Collection[str] = (), *, arrays: Collection[str] = ()
    ) -> None:
        self._attributes = attributes
        self._arrays = arrays
        self._sound: dict[tuple[object, ...], tuple[Attribute, ...]] = {}
        """With the attributes, so that no others get their identities."""

    def check(self, op: _Op, check: Callable[[_Op], None]) -> None:
        """Call `check` unless an op with this signature has passed it.

        The check looks at no attributes but those that the signatures have, and of the
        properties `arrays` at the type of the elements only.
        """
        about: list[Attribute] = []
        signature = self._signature(op, about)
        if signature is None:
            check(op)
            return
        if signature in self._sound:
            return
        check(op)
        if len(self._sound) >= _MOST:
            self._sound.clear()
        self._sound[signature] = tuple(about)

    def _signature(
        self, op: Operation, about: list[Attribute]
    ) -> tuple[object, ...] | None:
        """By identity, of the attributes that go into `about`; None if not kept."""
        if "sym_name" in op.properties:
            return None
        about += [value.type for value in op.operands]
        num_operands = len(about)
        about += [value.type for value in op.results]
        num_results = len(about)
        regions = [_shape(region, about) for region in op.regions]
        names: list[str] = []
        numbers: list[bytes] = []
        for name, attribute in op.properties.items():
            names.append(name)
            if name in self._arrays and is_array(attribute):
                names.append("")
                about.append(element_type(attribute))
            elif is_array(attribute) and is_small(attribute):
                # Builders of xDSL make a new array for each op.
                names.append("#")
                numbers.append(cast("DenseArrayBase[Any]", attribute).data.data)
                about.append(element_type(attribute))
            elif is_small(attribute):
                about.append(attribute)
            else:
                return None
        for name in self._attributes:
            if (attribute := op.attributes.get(name)) is not None:
                if not is_small(attribute):
                    return None
                names += ("", name)
                about.append(attribute)
        counts = type(op), num_operands, num_results, len(op.successors), len(regions)
        return (*counts, *regions, *names, *numbers, *map(id, about))


def _shape(region: Region, about: list[Attribute]) -> int:
    """How many arguments a region has, and whether it has one block; -1 for none."""
    block = region.first_block
    if block is None:
        return -1
    arguments = block.args
    about += [argument.type for argument in arguments]
    return 2 * len(arguments) + (block is region.last_block)


def is_array(attribute: Attribute) -> bool:
    """Whether an attribute is an array of numbers."""
    return type(attribute) is DenseArrayBase


def element_type(array: Attribute) -> Attribute:
    """The type of the elements of an array of numbers."""
    return cast("DenseArrayBase[Any]", array).elt_type


def is_about_elements(constraint: AttrConstraint) -> bool:
    """Whether all arrays of numbers with elements of one type fit, or none does."""
    if not isinstance(constraint, ParamAttrConstraint) or constraint.variables():
        return False
    of = cast("ParamAttrConstraint[Any]", constraint)
    return of.base_attr is DenseArrayBase and of.param_constrs[1:] == (AnyAttr(),)


def is_small(attribute: Attribute) -> bool:
    """Whether an attribute takes little memory, so that it may be kept."""
    kind = type(attribute)
    if kind in _SMALL:
        return True
    if kind is DenseArrayBase:
        array = cast("DenseArrayBase[Any]", attribute)
        return len(array.data.data) <= _MOST_BYTES
    if kind is StringAttr:
        return len(cast("StringAttr", attribute).data) <= _MOST_BYTES
    if kind is ArrayAttr:
        elements = cast("ArrayAttr[Attribute]", attribute).data
        return len(elements) <= _MOST_ELEMENTS and all(map(is_small, elements))
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
