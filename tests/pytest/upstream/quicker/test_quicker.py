"""What is remembered in xDSL changes no answer and no error."""

import re
from collections.abc import Callable
from typing import Any

import pytest
from xdsl.dialects import arith, func, memref, tensor, test
from xdsl.dialects.builtin import (
    ArrayAttr,
    DenseArrayBase,
    IntegerAttr,
    IntegerType,
    MemRefType,
    StringAttr,
    TensorType,
    f32,
    f64,
    i32,
    i64,
)
from xdsl.ir import Attribute, Block, Operation, Region, SSAValue
from xdsl.irdl import IRDLOperation
from xdsl.traits import IsTerminator, Pure
from xdsl.utils.exceptions import VerifyException
from xdsl.utils.hints import isa

from xdsl_bufferization.upstream.activate import activate
from xdsl_bufferization.upstream.changes import CHANGES
from xdsl_bufferization.upstream.quicker.operations import make_by_plan


@pytest.fixture(autouse=True)
def _activated() -> None:
    activate()


def value(type_: Any = f32) -> SSAValue:
    return test.TestOp(result_types=[type_]).results[0]


# Ops.

BUFFER = MemRefType(f32, [4])
ALLOC = memref.AllocOp
SUBVIEW = memref.SubviewOp

GIVEN: dict[str, tuple[type[IRDLOperation], Callable[[], dict[str, Any]]]] = {
    "lists": (ALLOC, lambda: {"operands": [[], ()], "result_types": [BUFFER]}),
    "none for no operands": (
        ALLOC,
        lambda: {"operands": [None, []], "result_types": [[BUFFER]]},
    ),
    "an op for its result": (
        arith.AddfOp,
        lambda: {
            "operands": [test.TestOp(result_types=[f32]), [value()]],
            "result_types": [f32],
        },
    ),
    "an op in a list": (
        ALLOC,
        lambda: {
            "operands": [[test.TestOp(result_types=[f32])], []],
            "result_types": [BUFFER],
        },
    ),
    "ops for a region": (
        test.TestOp,
        lambda: {
            "operands": [[]],
            "result_types": [[]],
            "regions": [[Region(), [test.TestOp()], Region(Block())]],
            "successors": [[]],
        },
    ),
    "attributes that are none": (
        func.CallOp,
        lambda: {
            "operands": [[value()]],
            "result_types": [[f32, f64]],
            "properties": {"callee": StringAttr("f"), "x": None},
            "attributes": {"y": None, "z": i32},
        },
    ),
    "too few fields": (arith.AddfOp, lambda: {"operands": [value()]}),
    "two for one": (
        arith.AddfOp,
        lambda: {"operands": [[value(), value()], value()], "result_types": [f32]},
    ),
    "none for one": (
        arith.AddfOp,
        lambda: {"operands": [None, value()], "result_types": [f32]},
    ),
    "no result": (
        arith.AddfOp,
        lambda: {"operands": [value()] * 2, "result_types": [None]},
    ),
    "an op with two results": (
        arith.AddfOp,
        lambda: {
            "operands": [test.TestOp(result_types=[f32, f32]), value()],
            "result_types": [f32],
        },
    ),
}


def made(
    init: Callable[..., None], op_type: type[IRDLOperation], given: dict[str, Any]
) -> object:
    """What an op has that was made, or the error."""
    op = op_type.__new__(op_type)
    try:
        init(op, **given)
    except Exception as error:
        return type(error), re.sub("0x[0-9a-f]+", "", str(error)), error.__context__
    assert all(operand.first_use is not None for operand in op.operands)
    return (
        op.operand_types,
        op.result_types,
        op.properties,
        op.attributes,
        len(op.regions),
        [result.index for result in op.results],
    )


@pytest.mark.parametrize("name", GIVEN)
def test_ops_and_errors_are_those_of_xdsl(name: str) -> None:
    op_type, given = GIVEN[name]
    plain = vars(IRDLOperation)["__init__"]
    in_xdsl: Any = next(
        cell.cell_contents for cell in plain.__closure__ if callable(cell.cell_contents)
    )
    expected = made(in_xdsl, op_type, given())
    assert made(make_by_plan(in_xdsl), op_type, given()) == expected


def test_an_operand_knows_its_uses() -> None:
    number = value()
    total = arith.AddfOp(number, number)
    assert {use.index for use in number.uses} == {0, 1}
    total.erase()
    assert number.first_use is None


# Fields.


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
        fields.verify(_slice(DenseArrayBase.from_list(i64, [number])))
    with pytest.raises(VerifyException):
        fields.verify(_slice(DenseArrayBase.from_list(i32, [0])))


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


# Attributes, hints and traits.


def test_equal_arrays_are_one_object() -> None:
    array = DenseArrayBase.from_list(i32, [1, 2])
    assert DenseArrayBase.from_list(i32, (1, 2)) is array
    assert DenseArrayBase.from_list(i64, [1, 2]) != array
    assert array.get_values() == array.get_values() == (1, 2)
    assert array == DenseArrayBase(i32, array.data)


@pytest.mark.parametrize("numbers", ([1.0], ["a"], [1 << 40]))
def test_what_is_no_number_of_the_type_is_refused_each_time(numbers: Any) -> None:
    DenseArrayBase.from_list(i32, [1])
    for _ in range(2):
        with pytest.raises(Exception, match=r"required argument|not support|range"):
            DenseArrayBase.from_list(i32, numbers)


def test_an_attribute_that_is_neither_data_nor_parametrized_is_refused() -> None:
    class Other(Attribute):
        name = "other"

    for _ in range(2):
        with pytest.raises(TypeError, match="should only be Data or"):
            Other()


def test_each_attribute_is_verified() -> None:
    for _ in range(2):
        IntegerAttr(127, IntegerType(8))
        with pytest.raises(VerifyException, match="out of range"):
            IntegerAttr(300, IntegerType(8))


def test_a_hint_that_was_seen_is_still_checked() -> None:
    hint = ArrayAttr[IntegerAttr[IntegerType]]
    for _ in range(2):
        assert isa(ArrayAttr([IntegerAttr(1, i32)]), hint)
        assert not isa(ArrayAttr([StringAttr("a")]), hint)
        assert not isa(ArrayAttr([StringAttr("a")]), ArrayAttr[IntegerAttr])


def test_a_trait_that_is_added_is_found() -> None:
    class Own(Pure):
        pass

    assert test.TestOp.get_trait(Own) is None
    before = test.TestOp.traits.traits
    try:
        test.TestOp.traits.add_trait(Own())
        assert isinstance(test.TestOp.get_trait(Own), Own)
        assert test.TestOp.has_trait(Own())
    finally:
        vars(test.TestOp.traits)["_traits"] = before
    assert test.TestOp.get_trait(Own) is None
    assert test.TestTermOp.has_trait(IsTerminator)


def test_the_list_of_changes_has_all_of_them() -> None:
    names = {change.full_name for change in CHANGES}
    assert {
        "xdsl.irdl.irdl_to_attr_constraint",
        "xdsl.ir.core.Operation.verify",
    } <= names
