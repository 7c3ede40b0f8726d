"""Numbers that are known, and values, as ops hold them."""

import pytest
from xdsl.dialects import arith
from xdsl.dialects.builtin import DYNAMIC_INDEX, i1
from xdsl.ir import Block

from xdsl_bufferization.dialects.common.static_values import (
    constant_integer,
    decompose_mixed_values,
    fold_constants,
    index_constant,
    mixed_values,
)
from xdsl_bufferization.dialects.index import ConstantOp


def test_numbers_are_taken_apart_and_put_together() -> None:
    value = index_constant(7).result
    numbers = [0, value, 4]
    assert decompose_mixed_values(numbers) == ([0, DYNAMIC_INDEX, 4], [value])
    assert mixed_values([0, DYNAMIC_INDEX, 4], [value]) == numbers


def test_constants_of_two_dialects_are_known() -> None:
    assert constant_integer(index_constant(4).result) == 4
    five = ConstantOp.create(
        result_types=index_constant(5).result_types,
        properties={"value": index_constant(5).value},
    )
    assert constant_integer(five.result) == 5
    assert constant_integer(6) == 6
    assert constant_integer(Block(arg_types=[i1]).args[0]) is None


@pytest.mark.parametrize(
    ("number", "negative", "zero", "is_folded"),
    [
        (4, False, True, True),
        (0, False, True, True),
        (0, True, False, False),
        (-1, False, True, False),
        (-1, True, True, True),
        # The mark of what is not known can be no known number.
        (DYNAMIC_INDEX, True, True, False),
    ],
)
def test_constants_are_folded_where_they_may_be(
    number: int, negative: bool, zero: bool, is_folded: bool
) -> None:
    value = index_constant(number).result
    (folded,) = fold_constants([value], negative=negative, zero=zero)
    assert folded == (number if is_folded else value)


def test_an_index_constant_is_what_the_constructor_makes() -> None:
    made, other = index_constant(3), arith.ConstantOp(index_constant(3).value)
    assert made.is_structurally_equivalent(other)
