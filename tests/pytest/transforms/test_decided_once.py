"""Decisions are used again if nothing has changed, and only then."""

from collections.abc import Callable

import pytest
from xdsl.dialects import tensor
from xdsl.dialects.builtin import ModuleOp, UnitAttr
from xdsl.ir import Operation

from xdsl_bufferization.transforms.fewer_copies.decided import (
    Decider,
    decide,
    keep,
)

Parse = Callable[[str], ModuleOp]

PROGRAM = """
func.func @f(%a: tensor<4xf32>, %x: f32, %y: f32, %i: index) -> (tensor<4xf32>, f32) {
  %b = tensor.insert %x into %a[%i] : tensor<4xf32>
  %c = tensor.extract %a[%i] : tensor<4xf32>
  return %b, %c : tensor<4xf32>, f32
}"""


def swap(op: Operation) -> None:
    """Put an op before the one in front of it."""
    block, before = op.parent, op.prev_op
    assert block is not None and before is not None
    op.detach()
    block.insert_op_before(op, before)


def extraction(module: ModuleOp) -> Operation:
    return next(op for op in module.walk() if isinstance(op, tensor.ExtractOp))


def use_other_number(module: ModuleOp) -> None:
    insertion = next(op for op in module.walk() if isinstance(op, tensor.InsertOp))
    block = insertion.parent
    assert block is not None
    insertion.operands[0] = block.args[2]


def decide_and_keep(module: ModuleOp) -> Decider:
    decider = decide(module, wants_all_reasons=True)
    assert decider is not None
    keep(module, decider)
    return decider


CHANGES: dict[str, Callable[[ModuleOp], None]] = {
    "an op moves": lambda module: swap(extraction(module)),
    "an operand changes": use_other_number,
    "an attribute is added": lambda module: extraction(module).attributes.update(
        a=UnitAttr()
    ),
}


def test_the_next_call_gets_the_same_decisions(parse: Parse):
    module = parse(PROGRAM)
    first = decide_and_keep(module)
    assert decide(module) is first


def test_decisions_serve_one_more_call(parse: Parse):
    module = parse(PROGRAM)
    first = decide_and_keep(module)
    assert decide(module) is first
    assert decide(module) is not first


def test_reasons_are_sought_again(parse: Parse):
    module = parse(PROGRAM)
    first = decide_and_keep(module)
    assert decide(module, wants_all_reasons=True) is not first


@pytest.mark.parametrize("change", CHANGES.values(), ids=CHANGES)
def test_a_changed_module_is_decided_about_anew(
    parse: Parse, change: Callable[[ModuleOp], None]
):
    module = parse(PROGRAM)
    first = decide_and_keep(module)
    change(module)
    assert decide(module) is not first


def test_what_was_moved_there_and_back_has_not_changed(parse: Parse):
    module = parse(PROGRAM)
    first = decide_and_keep(module)
    op = extraction(module)
    swap(op)
    after = op.next_op
    assert after is not None
    swap(after)
    assert decide(module) is first
