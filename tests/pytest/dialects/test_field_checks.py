"""Fields that are checked once are refused as in xDSL."""

from collections.abc import Callable
from typing import Any

import pytest
from harness.running.growth import count_calls
from typing_extensions import override
from xdsl.dialects import arith, func, memref, tensor, test
from xdsl.dialects.builtin import (
    DenseArrayBase,
    MemRefType,
    ModuleOp,
    TensorType,
    f32,
    f64,
    i32,
    i64,
)
from xdsl.ir import Block, Operation, Region, SSAValue
from xdsl.irdl import IRDLOperation, irdl_op_definition
from xdsl.utils.exceptions import VerifyException

from xdsl_bufferization.dialects.common.field_checks import verify_as, verify_itself
from xdsl_bufferization.dialects.xdsl_patches.activate import activate


@pytest.fixture(autouse=True)
def _activated() -> None:
    activate()


def value(type_: Any = f32) -> SSAValue:
    return test.TestOp(result_types=[type_]).results[0]


def test_a_wrong_op_is_refused_after_a_right_one() -> None:
    arith.AddfOp(value(), value()).verify()
    wrong = arith.AddfOp.build(operands=[value(), value(f64)], result_types=[f32])
    for _ in range(2):
        with pytest.raises(VerifyException, match="does not verify"):
            wrong.verify()


def _slice(offsets: DenseArrayBase[Any]) -> Operation:
    op = tensor.ExtractSliceOp.from_static_parameters(
        value(TensorType(f32, [4])), [0], [2], [1]
    )
    op.properties["static_offsets"] = offsets
    return op


def test_the_elements_of_an_array_are_checked() -> None:
    fields = tensor.ExtractSliceOp.get_irdl_definition()
    for number in (0, 1):
        verify_as(_slice(DenseArrayBase.from_list(i64, [number])), fields)
    with pytest.raises(VerifyException):
        verify_as(_slice(DenseArrayBase.from_list(i32, [0])), fields)


def _drop_sizes(op: Operation) -> None:
    del op.properties["static_sizes"]


def _add_property(op: Operation) -> None:
    op.properties["x"] = i32


def _count_wrongly(op: Operation) -> None:
    op.properties["operandSegmentSizes"] = DenseArrayBase.from_list(i32, [1, 0, 1, 0])


@pytest.mark.parametrize(
    ("change", "message"),
    (
        (_drop_sizes, "'static_sizes' expected"),
        (_add_property, "'x' is not defined"),
        (_count_wrongly, "does not match"),
    ),
)
def test_changed_properties_are_seen(
    change: Callable[[Operation], object], message: str
) -> None:
    op = _slice(DenseArrayBase.from_list(i64, [0]))
    op.verify()
    change(op)
    with pytest.raises(VerifyException, match=message):
        op.verify()


def test_the_place_of_an_op_is_checked_for_each_op() -> None:
    function = func.FuncOp("f", ((), ()), Region(Block([func.ReturnOp()])))
    function.verify()
    block = Block([func.ReturnOp(), func.ReturnOp()])
    wrong = func.FuncOp("f", ((), ()), Region(block))
    with pytest.raises(VerifyException, match="must be the last operation"):
        wrong.verify()


def test_equal_sizes_of_lists_in_other_objects_are_checked_once() -> None:
    def calls(ops: list[Operation]) -> int:
        return count_calls(lambda _: [*map(verify_itself, ops)], ModuleOp([]))

    # Each has `operandSegmentSizes` of its own.
    buffer = MemRefType(f32, [4])
    ops = [
        memref.AllocOp.build(operands=[[], []], result_types=[buffer]) for _ in range(4)
    ]
    first = calls([ops[0]])
    assert calls([*ops[1:]]) < first


def test_the_check_of_a_class_is_made_for_each_op() -> None:
    @irdl_op_definition
    class Small(IRDLOperation):
        name = "test.small"

        @override
        def verify_(self) -> None:
            if "large" in self.attributes:
                raise VerifyException("too large")

    op = Small()
    verify_itself(op)
    op.attributes["large"] = i32
    with pytest.raises(VerifyException, match="too large"):
        verify_itself(op)


def test_a_class_that_overrides_the_check_has_its_own() -> None:
    class Narrow(arith.AddfOp):
        @override
        def verify_(self) -> None:
            super().verify_()
            if self.result.type != f32:
                raise VerifyException("too wide")

    verify_itself(Narrow(value(), value()))
    with pytest.raises(VerifyException, match="too wide"):
        verify_itself(Narrow(value(f64), value(f64)))
    with pytest.raises(VerifyException):
        verify_itself(Narrow.build(operands=[value(), value(f64)], result_types=[f32]))
