"""Changes of a program, after each of which it is a program again, as a rule.

    change(random, function)      True if it has changed anything

An operand becomes another value, an op moves, is copied or is left out, a number
changes, more is returned, and new ops read and write what is there. So one tensor is
often given twice, written while others read it, or read once more at the end.
"""

from collections.abc import Callable, Iterator, Sequence
from random import Random
from typing import Final

from xdsl.dialects import arith
from xdsl.dialects.builtin import (
    FunctionType,
    IntegerAttr,
    IntegerType,
    TensorType,
)
from xdsl.dialects.func import FuncOp, ReturnOp
from xdsl.ir import Attribute, Block, Operation, SSAValue
from xdsl.traits import IsolatedFromAbove, IsTerminator
from xdsl.utils.hints import isa

from xdsl_bufferization import parse

from .forms import form
from .twins import differ

Change = Callable[[Random, FuncOp], bool]


def change(random: Random, function: FuncOp) -> bool:
    """Change a function once; False if the change that was drawn does not fit."""
    return random.choice(_CHANGES)(random, function)


def visible_values(op: Operation) -> list[SSAValue]:
    """The values that `op` may use: those of ops and blocks before and around it."""
    values: list[SSAValue] = []
    at: Operation | None = op
    while at is not None and (block := at.parent) is not None:
        values += block.args
        before = at.prev_op
        while before is not None:
            values += before.results
            before = before.prev_op
        at = block.parent_op()
        if at is not None and at.has_trait(IsolatedFromAbove):
            break
    return values


def is_tensor(value: SSAValue) -> bool:
    """Whether a value is a ranked tensor."""
    return isinstance(value.type, TensorType)


def _other_operand(random: Random, function: FuncOp) -> bool:
    """Let an op use another value of the same type; most often of a tensor."""
    wants_tensor = random.random() < 0.75
    for op in _shuffled(random, function):
        numbers = [
            number
            for number, operand in enumerate(op.operands)
            if is_tensor(operand) or not wants_tensor
        ]
        if not numbers:
            continue
        number = random.choice(numbers)
        old = op.operands[number]
        others = [each for each in _like(old.type, op) if each is not old]
        if others:
            op.operands[number] = random.choice(others)
            return True
    return False


def _more_results(random: Random, function: FuncOp) -> bool:
    """Return one more tensor, which is read after all else so."""
    last = function.body.blocks[-1].last_op
    if not isinstance(last, ReturnOp) or len(function.body.blocks) > 1:
        return False
    tensors = [value for value in visible_values(last) if is_tensor(value)]
    if not tensors:
        return False
    _return_as_well(function, [random.choice(tensors)])
    return True


def _return_as_well(function: FuncOp, values: Sequence[SSAValue]) -> None:
    block = function.body.block
    last = block.last_op
    assert isinstance(last, ReturnOp)
    new = ReturnOp(*last.operands, *values)
    block.insert_op_before(new, last)
    block.erase_op(last)
    function.function_type = FunctionType.from_lists(
        [*function.function_type.inputs], [each.type for each in new.operands]
    )
    function.res_attrs = None


def _twins(random: Random, function: FuncOp) -> bool:
    """Compute something once more, with a difference in a body, and return both."""
    if len(function.body.blocks) > 1:
        return False
    for op in _movable(random, function):
        tensors = [value for value in op.results if is_tensor(value)]
        if not op.regions or not tensors or op.parent is not function.body.block:
            continue
        copy = op.clone()
        _insert_after(copy, op)
        if differ(random, op, copy):
            others = [value for value in copy.results if is_tensor(value)]
            _return_as_well(function, [*tensors, *others])
            return True
        function.body.block.erase_op(copy)
    return False


def _copied_op(random: Random, function: FuncOp) -> bool:
    """Compute something once more, for some of its users."""
    made = [op for op in _movable(random, function) if any(map(is_tensor, op.results))]
    if not made:
        return False
    op = made[0]
    copy = op.clone()
    _insert_after(copy, random.choice([op, *_until_first_user(op, None)]))
    for old, new in zip(op.results, copy.results, strict=True):
        _hand_over(random, old, new, copy)
    return True


def _moved_op(random: Random, function: FuncOp) -> bool:
    """Move an op up or down, as far as values allow."""
    for op in _movable(random, function):
        places = [*_until_first_user(op, op)]
        if places:
            place = random.choice(places)
            op.detach()
            _insert_after(op, place)
            return True
    return False


def _other_number(random: Random, function: FuncOp) -> bool:
    """Change a constant: a size, an index, a number of iterations, a condition."""
    constants = [
        op
        for op in _shuffled(random, function)
        if isinstance(op, arith.ConstantOp) and isinstance(op.value, IntegerAttr)
    ]
    if not constants:
        return False
    op = constants[0]
    assert isinstance(op.value, IntegerAttr)
    value, type_ = op.value.value.data, op.value.type
    others = [0, 1, 2, 3, 4, value + 1, value - 1]
    if isinstance(type_, IntegerType) and type_.width.data == 1:
        others = [0 if value else 1]
    op.value = IntegerAttr(random.choice(others), type_)
    return True


def _op_left_out(random: Random, function: FuncOp) -> bool:
    """Use older values of the same types in the place of what an op computes."""
    for op in _movable(random, function):
        others = [_like(result.type, op) for result in op.results]
        if all(others):
            for result, values in zip(op.results, others, strict=True):
                result.replace_all_uses_with(random.choice(values))
            parent = op.parent
            assert parent is not None
            parent.erase_op(op)
            return True
    return False


def _new_ops(random: Random, function: FuncOp) -> bool:
    """Compute a tensor of two others, for some of those who use one of them."""
    for op in _shuffled(random, function):
        tensors = [value for value in visible_values(op) if is_tensor(value)]
        block, around = op.parent, op.parent_op()
        if not tensors or block is None or around is None:
            continue
        if around.name.startswith("linalg"):
            continue  # A body computes elements.
        x = random.choice(tensors)
        y = random.choice(_like(x.type, op))
        assert function.parent is not None
        new = _ops_of(random, x, y, function.parent)
        for each in new:
            each.detach()
            block.insert_op_before(each, op)
        results = [each for each in new[-1].results if each.type == x.type]
        for value in dict.fromkeys((x, y)):
            _hand_over(random, value, random.choice(results), new[-1])
        return True
    return False


def _ops_of(random: Random, x: SSAValue, y: SSAValue, around: Block) -> list[Operation]:
    """New ops in a block of their own, of which the last one gives a tensor.

    The functions that are called are in `around` then, which is the block of a module.
    """
    assert isa(x.type, TensorType)
    function, *called = parse(form(random, x.type)).ops
    assert isinstance(function, FuncOp)
    block = function.body.block
    for argument, value in zip(block.args, (x, y), strict=True):
        argument.replace_all_uses_with(value)
    for each in called:
        each.detach()
        around.add_op(each)
    return [op for op in block.ops if not isinstance(op, ReturnOp)]


_CHANGES: Final[tuple[Change, ...]] = (
    *(_other_operand,) * 6,
    *(_new_ops,) * 5,
    *(_more_results,) * 4,
    *(_moved_op,) * 4,
    *(_copied_op,) * 3,
    *(_twins,) * 3,
    *(_other_number,) * 2,
    *(_op_left_out,) * 2,
)


def _shuffled(random: Random, function: FuncOp) -> list[Operation]:
    ops = [op for op in function.walk() if op is not function]
    random.shuffle(ops)
    return ops


def _movable(random: Random, function: FuncOp) -> Iterator[Operation]:
    """Ops with results that end no block."""
    for op in _shuffled(random, function):
        if op.results and not op.has_trait(IsTerminator):
            yield op


def _like(type_: Attribute, op: Operation) -> list[SSAValue]:
    return [value for value in visible_values(op) if value.type == type_]


def _until_first_user(op: Operation, user_of: Operation | None) -> Iterator[Operation]:
    """The ops after `op` up to the end; only those before the users of `user_of`."""
    users = {
        use.operation
        for result in (user_of.results if user_of is not None else ())
        for use in result.uses
    }
    at = op.next_op
    while at is not None and not at.has_trait(IsTerminator):
        if users and not users.isdisjoint(at.walk()):
            return
        yield at
        at = at.next_op


def _hand_over(random: Random, old: SSAValue, new: SSAValue, after: Operation) -> None:
    """Give some of those that use a value behind an op another value."""
    behind: set[Operation] = set()
    at = after.next_op
    while at is not None:
        behind.update(at.walk())
        at = at.next_op
    for use in list(old.uses):
        if use.operation in behind and random.random() < 0.5:
            use.operation.operands[use.index] = new


def _insert_after(op: Operation, place: Operation) -> None:
    block = place.parent
    assert block is not None
    block.insert_op_after(op, place)
