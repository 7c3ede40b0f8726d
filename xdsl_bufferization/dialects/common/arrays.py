"""Arrays of numbers are made once, and unpacked in one step.

    static_offsets = array<i64: 0, 4>

Most ops of a class have equal arrays. xDSL 0.74 makes a new one for each op that is
read, and unpacks an array by a check of the type for each number. It unpacks the sizes
of operand lists each time that one of the lists is asked for.
"""

from collections.abc import Sequence
from itertools import accumulate, pairwise
from struct import unpack
from typing import Any, Final, cast

from xdsl.dialects.builtin import DenseArrayBase, IntegerType, Signedness
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.irdl import AttrSizedOperandSegments

from xdsl_bufferization.support.xdsl_releases.operands import operand_values

_MOST: Final = 1 << 12
"""So many arrays are kept."""

_MOST_NUMBERS: Final = 16
"""Longer arrays are not kept."""

_CODES: Final = {8: "b", 16: "h", 32: "i", 64: "q"}
"""How Python calls signed integers of so many bits."""

_arrays: dict[tuple[int, ...], DenseArrayBase[IntegerType]] = {}


def array_of(type_: IntegerType, numbers: Sequence[int]) -> DenseArrayBase[IntegerType]:
    """As `DenseArrayBase.from_list` of signless integers; equal ones are one object."""
    if len(numbers) > _MOST_NUMBERS:
        return DenseArrayBase.from_list(type_, numbers)
    key = (type_.bitwidth, *numbers)
    known = _arrays.get(key)
    if known is None:
        known = DenseArrayBase.from_list(type_, numbers)
        if len(_arrays) >= _MOST:
            _arrays.clear()
        _arrays[key] = known
    return known


def numbers_of(array: DenseArrayBase[Any]) -> tuple[int, ...]:
    """As `get_values` of an array of integers."""
    type_ = cast("Attribute", array.elt_type)
    if type(type_) is not IntegerType or type_.signedness.data is Signedness.UNSIGNED:
        return array.get_values()
    width, data = type_.bitwidth, array.data.data
    if width not in _CODES:
        return array.get_values()
    return unpack(f"<{8 * len(data) // width}{_CODES[width]}", data)


def operand_lists(op: Operation) -> list[Sequence[SSAValue]]:
    """The operands of each field, of an op whose sizes of lists are a property."""
    sizes = op.properties[AttrSizedOperandSegments.attribute_name]
    ends = accumulate(numbers_of(cast("DenseArrayBase[Any]", sizes)), initial=0)
    operands = operand_values(op)
    return [operands[start:end] for start, end in pairwise(ends)]
