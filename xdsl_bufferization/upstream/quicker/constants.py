"""Arrays of numbers are made and unpacked once.

    operandSegmentSizes = array<i32: 1, 2>

xDSL 0.74 unpacks this array whenever one of the operand lists is asked for. It makes a
new array for each op, although most ops of a class have equal ones.
"""

from collections.abc import Callable, Sequence
from typing import Any, Final, cast

from xdsl.dialects.builtin import AnyFloat, DenseArrayBase, IntegerType

_MOST: Final = 1 << 12
"""So many arrays are kept."""

_MOST_NUMBERS: Final = 16
"""Longer arrays are not kept."""

_VALUES: Final = "_values"
"""Where an array keeps its numbers: none of its fields, so that equality is as ever."""

_arrays: dict[tuple[object, ...], DenseArrayBase[Any]] = {}


def make_once(
    in_xdsl: Callable[..., DenseArrayBase[Any]],
) -> Callable[..., DenseArrayBase[Any]]:
    """`DenseArrayBase.from_list`, which returns the same array for equal integers."""

    def from_list(
        data_type: IntegerType | AnyFloat, data: Sequence[int] | Sequence[float]
    ) -> DenseArrayBase[Any]:
        is_usual = type(data_type) is IntegerType and type(data) in (list, tuple)
        if not is_usual or len(data) > _MOST_NUMBERS:
            return in_xdsl(data_type, data)
        assert isinstance(data_type, IntegerType)
        # True and 1.0 are equal to 1, and 1.0 is refused.
        key = (data_type.width.data, data_type.signedness.data, *data)
        known = _arrays.get(key)
        if known is None or not all(type(number) is int for number in data):
            known = in_xdsl(data_type, data)
            if len(_arrays) >= _MOST:
                _arrays.clear()
            _arrays[key] = known
        return known

    return from_list


def unpack_once(
    in_xdsl: Callable[[DenseArrayBase[Any]], tuple[Any, ...]],
) -> Callable[..., Any]:
    """`DenseArrayBase.get_values`, which keeps the numbers in the array."""

    def get_values(self: DenseArrayBase[Any]) -> tuple[Any, ...]:
        try:
            return cast("tuple[Any, ...]", vars(self)[_VALUES])
        except KeyError:
            values = in_xdsl(self)
            if len(values) <= _MOST_NUMBERS:
                vars(self)[_VALUES] = values
            return values

    return get_values
