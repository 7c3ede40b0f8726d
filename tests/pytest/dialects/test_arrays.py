"""Arrays of numbers are those of xDSL."""

from typing import Any

import pytest
from xdsl.dialects import memref, test
from xdsl.dialects.builtin import (
    DenseArrayBase,
    IndexType,
    IntegerType,
    MemRefType,
    Signedness,
    f32,
    i1,
    i8,
    i32,
    i64,
)

from xdsl_bufferization.dialects.common.arrays import (
    array_of,
    numbers_of,
    operand_lists,
)


def test_equal_arrays_are_one_object() -> None:
    array = array_of(i32, [1, 2])
    assert array_of(i32, (1, 2)) is array
    assert array == DenseArrayBase.from_list(i32, [1, 2])
    assert array_of(i64, [1, 2]) == DenseArrayBase.from_list(i64, [1, 2]) != array
    assert array_of(i64, [*range(1000)]) == DenseArrayBase.from_list(i64, range(1000))


@pytest.mark.parametrize("numbers", (["a"], [1 << 40]))
def test_what_is_no_number_of_the_type_is_refused_each_time(numbers: Any) -> None:
    array_of(i32, [1])
    for _ in range(2):
        with pytest.raises(Exception, match=r"not support|range"):
            array_of(i32, numbers)


@pytest.mark.parametrize(
    "type_",
    (
        i1,
        i8,
        i32,
        i64,
        IntegerType(16),
        IntegerType(8, Signedness.UNSIGNED),
    ),
    ids=str,
)
def test_numbers_are_unpacked_as_in_xdsl(type_: IntegerType) -> None:
    low, high = type_.value_range()
    array = DenseArrayBase.from_list(type_, [0, 1, low, high - 1])
    assert numbers_of(array) == array.get_values()


def test_an_array_of_no_numbers_has_none() -> None:
    assert numbers_of(DenseArrayBase.from_list(i64, [])) == ()


def test_operands_are_those_of_each_field() -> None:
    values = test.TestOp(result_types=[IndexType()] * 3).results
    source = test.TestOp(result_types=[MemRefType(f32, [-1, -1])]).results[0]
    op = memref.SubviewOp.get(
        source, [values[0], 0], [4, values[1]], [1, values[2]], source.type
    )
    fields = ((source,), op.offsets, op.sizes, op.strides)
    assert [*map(tuple, operand_lists(op))] == [*map(tuple, fields)]
