"""Ops that are made by a plan are those of xDSL, and so are the errors."""

import re
from collections.abc import Callable
from typing import Any

import pytest
from xdsl.dialects import arith, func, memref, scf, test
from xdsl.dialects.builtin import MemRefType, StringAttr, f32, f64, i32
from xdsl.ir import Block, Operation, Region, SSAValue
from xdsl.irdl import IRDLOperation

from xdsl_bufferization.dialects.common.making import create, make
from xdsl_bufferization.dialects.xdsl_patches.activate import activate


@pytest.fixture(autouse=True)
def _activated() -> None:
    activate()


def value(type_: Any = f32) -> SSAValue:
    return test.TestOp(result_types=[type_]).results[0]


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


Build = Callable[..., Operation]


def made(
    build: Build, op_type: type[IRDLOperation], given: dict[str, Any]
) -> tuple[object, ...]:
    """What an op has that was made, or the error."""
    try:
        op = build(op_type, **given)
    except Exception as error:  # The two ways to make an op raise the same.
        return type(error), re.sub("0x[0-9a-f]+", "", str(error)), error.__context__
    assert all(operand.first_use is not None for operand in op.operands)
    assert all(region.parent is op for region in op.regions)
    return (
        op.operand_types,
        op.result_types,
        [*op.properties.items()],
        [*op.attributes.items()],
        len(op.regions),
        [*op.successors],
        [result.index for result in op.results],
        op.parent,
        op.location,
    )


def built(op_type: type[IRDLOperation], **given: Any) -> Operation:
    """What xDSL makes."""
    return op_type.build(**given)


@pytest.mark.parametrize("name", GIVEN)
def test_ops_and_errors_are_those_of_xdsl(name: str) -> None:
    op_type, given = GIVEN[name]
    expected = made(built, op_type, given())
    assert made(make, op_type, given()) == expected


def test_an_op_gets_the_properties_of_its_class_behind_those_given() -> None:
    given: dict[str, Any] = {"operands": [value(i32)] * 2, "result_types": [i32]}
    op = make(arith.AddiOp, **given)
    assert op.properties == arith.AddiOp.build(**given).properties
    assert op.properties


def test_an_op_that_completes_itself_is_made_by_its_class() -> None:
    class Own(arith.AddfOp):
        def __post_init__(self) -> None:
            super().__post_init__()
            self.attributes["own"] = i32

    op = make(Own, operands=[value(), value()], result_types=[f32])
    assert op.attributes == {"own": i32}


def test_successors_know_their_branches() -> None:
    block = Block()
    branch = make(
        test.TestTermOp,
        operands=[[]],
        result_types=[[]],
        regions=[[]],
        successors=[[block, block]],
    )
    assert [use.operation for use in block.uses] == [branch] * 2


def test_an_operand_knows_its_uses() -> None:
    number = value()
    total = make(arith.AddfOp, operands=[number, number], result_types=[f32])
    assert {use.index for use in number.uses} == {0, 1}
    total.erase()
    assert number.first_use is None


def test_regions_belong_to_their_op() -> None:
    region = Region(Block([scf.YieldOp()]))
    op = make(scf.ExecuteRegionOp, result_types=[[]], regions=[region])
    assert region.parent is op


def test_an_op_of_parts_is_that_of_xdsl() -> None:
    parts: dict[str, Any] = {
        "operands": [value(), value()],
        "result_types": [f32],
        "attributes": {"x": i32},
    }
    expected = arith.AddfOp.create(**parts)
    op = create(arith.AddfOp, **parts)
    assert [*op.operands] == [*expected.operands]
    assert op.properties == expected.properties
    assert op.attributes == expected.attributes
    assert op.result_types == expected.result_types
    assert op.properties is not create(arith.AddfOp, **parts).properties


def test_an_op_without_fields_is_made_by_its_class() -> None:
    class Plain(Operation):
        name = "test.plain"

    assert create(Plain, result_types=[f32]).result_types == (f32,)
