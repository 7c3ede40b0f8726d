"""Loops, branches and calls.

    stablehlo.while     ->   scf.for if a counter runs up to a bound, else scf.while
    stablehlo.if, case  ->   scf.if
    func.call           ->   the ops of the function, if it is private and small, or
                             called once

What a loop hands on unchanged is not handed on. A tensor of rank 0 is its element.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, cast

from xdsl.dialects import arith, scf
from xdsl.dialects.builtin import IntegerAttr
from xdsl.ir import Attribute, Block, BlockArgument, Operation, Region, SSAValue

from xdsl_bufferization.dialects.stablehlo.control import (
    CaseOp,
    IfOp,
    ReturnOp,
    WhileOp,
)
from xdsl_bufferization.dialects.stablehlo.elementwise import CompareOp
from xdsl_bufferization.dialects.stablehlo.syntax import StableHLOOp
from xdsl_bufferization.support.errors import fail_at

from .element_builder import INDEX, ElementBuilder
from .translation import Translation
from .types import Kind, kind_of
from .writer import Value, Writer


def _carried(value: Value, code: ElementBuilder) -> SSAValue:
    """How a loop hands on a value: as an element if there is only one."""
    return value.as_tensor() if value.shape else value.as_scalar(code)


def _received(writer: Writer, value: SSAValue, old: Value) -> Value:
    return writer.of_tensor(value) if old.shape else writer.of_scalar(value)


def _end(block: Block) -> ReturnOp:
    end = block.last_op
    assert isinstance(end, ReturnOp)
    return end


def write_while(
    op: WhileOp, writer: Writer, translation: Translation
) -> Sequence[Value]:
    """A loop over a counter, or one with a condition."""
    inits = [writer[value] for value in op.values]
    changing = [
        n
        for n, (argument, value) in enumerate(
            zip(op.body.block.args, _end(op.body.block).values, strict=True)
        )
        if argument is not value
    ]
    counted = _counted(op)
    loop = _Loop(op, writer, translation, inits, changing)
    if counted is None:
        return loop.write_while()
    return loop.write_for(counted)


@dataclass(frozen=True)
class _Counter:
    """What a loop counts: operand `number`, up to `bound`."""

    number: int
    bound: SSAValue
    bound_owner: Operation | None
    """The constant of the condition, if the bound is one."""


def _counted(op: WhileOp) -> _Counter | None:
    """The counter of `while (i < bound) { ...; i += 1 }`; None for other loops."""
    ops = [*op.cond.block.ops]
    test = ops[-2] if len(ops) > 1 else None
    if not isinstance(test, CompareOp) or list(ops[-1].operands) != list(test.results):
        return None
    index, bound = test.values
    constants = [each for each in ops[:-2] if each.name == "stablehlo.constant"]
    if (
        str(test.comparison_direction.data) != "LT"
        or len(constants) != len(ops) - 2
        or not isinstance(index, BlockArgument)
        or index.block is not op.cond.block
        or kind_of(test, test.element()) is not Kind.SIGNED
    ):
        return None
    owner = bound.owner
    if isinstance(owner, Block) and owner is op.cond.block:
        number = cast(BlockArgument, bound).index
        if _end(op.body.block).values[number] is not op.body.block.args[number]:
            return None
        bound, owner = op.values[number], None
    else:
        owner = owner if owner in constants else None
    if not _adds_one(op, index.index):
        return None
    return _Counter(index.index, bound, cast("Operation | None", owner))


def _adds_one(op: WhileOp, number: int) -> bool:
    argument = op.body.block.args[number]
    added = _end(op.body.block).values[number].owner
    if not isinstance(added, StableHLOOp) or added.name != "stablehlo.add":
        return False
    a, b = added.values
    step = b if a is argument else a if b is argument else None
    constant = None if step is None else step.owner
    if not isinstance(constant, StableHLOOp) or constant.name != "stablehlo.constant":
        return False
    elements = [*cast(Any, constant.properties["value"]).get_values()]
    return elements == [1]


@dataclass
class _Loop:
    """A loop that is being written."""

    op: WhileOp
    writer: Writer
    translation: Translation
    inits: Sequence[Value]
    changing: list[int]
    """The operands that the body gives other values."""

    def write_while(self) -> Sequence[Value]:
        """A loop with a condition."""
        code = self.writer.code
        values = [_carried(self.inits[n], code) for n in self.changing]
        types = [value.type for value in values]
        before, after = code.inside(types), code.inside(types)
        test = self._enter(before, self.op.cond.block, before.block.args)
        self.translation.write_ops(self.op.cond.block, test)
        goes_on = test[_end(self.op.cond.block).values[0]].as_scalar(before)
        before.insert(scf.ConditionOp(goes_on, *before.block.args))
        body = self._enter(after, self.op.body.block, after.block.args)
        after.insert(scf.YieldOp(*self._body(body)))
        loop = scf.WhileOp(values, types, Region(before.block), Region(after.block))
        return self._results(code.insert(loop).results)

    def write_for(self, counter: _Counter) -> Sequence[Value]:
        """A loop over a counter, which is an index in the new program."""
        code, number = self.writer.code, counter.number
        self.changing.remove(number)
        first = self.inits[number].as_scalar(code)
        if counter.bound_owner is not None:
            element = cast(Any, counter.bound_owner.properties["value"])
            (value,) = element.get_values()
            bound = code.attribute(IntegerAttr(value, cast(Any, first.type)))
        else:
            bound = self.writer[counter.bound].as_scalar(code)
        values = [_carried(self.inits[n], code) for n in self.changing]
        inner = code.inside([INDEX, *(value.type for value in values)])
        index, *inside = inner.block.args
        body = self._enter(inner, self.op.body.block, inside)
        counted = inner.value(arith.IndexCastOp(index, cast(Any, first.type)))
        body[self.op.body.block.args[number]] = body.of_scalar(counted)
        inner.insert(scf.YieldOp(*self._body(body)))
        start, end = (
            code.value(arith.IndexCastOp(each, INDEX)) for each in (first, bound)
        )
        loop = scf.ForOp(start, end, code.index(1), values, Region(inner.block))
        results = self._results(code.insert(loop).results)
        last = code.value(arith.MaxSIOp(first, bound))
        results[number] = self.writer.of_scalar(last)
        return results

    def _enter(
        self, code: ElementBuilder, block: Block, arguments: Sequence[SSAValue]
    ) -> Writer:
        """The writer of a region whose arguments are these, or those from outside."""
        inner = self.writer.child(code)
        for old, init in zip(block.args, self.inits, strict=True):
            inner[old] = init
        for number, new in zip(self.changing, arguments, strict=True):
            inner[block.args[number]] = _received(inner, new, self.inits[number])
        return inner

    def _body(self, inner: Writer) -> list[SSAValue]:
        block = self.op.body.block
        self.translation.write_ops(block, inner)
        returned = _end(block).values
        return [_carried(inner[returned[n]], inner.code) for n in self.changing]

    def _results(self, results: Sequence[SSAValue]) -> list[Value]:
        values = [*self.inits]
        for number, result in zip(self.changing, results, strict=True):
            values[number] = _received(self.writer, result, self.inits[number])
        return values


def write_if(op: IfOp, writer: Writer, translation: Translation) -> Sequence[Value]:
    """One of two branches."""
    condition = writer[op.values[0]].as_scalar(writer.code)
    return _choose(op, writer, translation, [condition], op.branches)


def write_case(op: CaseOp, writer: Writer, translation: Translation) -> Sequence[Value]:
    """A branch for each number from 0, and the last one for all others."""
    code = writer.code
    number = writer[op.values[0]].as_scalar(code)
    conditions = [
        code.compare("eq", number, code.number(n, number.type))
        for n in range(len(op.branches) - 1)
    ]
    return _choose(op, writer, translation, conditions, op.branches)


def _choose(
    op: CaseOp | IfOp,
    writer: Writer,
    translation: Translation,
    conditions: Sequence[SSAValue],
    branches: Sequence[Region],
) -> list[Value]:
    """The first branch whose condition holds, or the last one."""
    block = branches[0].block
    if not conditions:
        translation.write_ops(block, writer)
        return [writer[value] for value in _end(block).values]
    then = writer.child(writer.code.inside([]))
    otherwise = writer.child(writer.code.inside([]))
    translation.write_ops(block, then)
    first = [then[value] for value in _end(block).values]
    rest = _choose(op, otherwise, translation, conditions[1:], branches[1:])
    regions: list[Region] = []
    types: list[Attribute] = []
    for branch, values in ((then, first), (otherwise, rest)):
        new = [_carried(value, branch.code) for value in values]
        types = [value.type for value in new]
        branch.code.insert(scf.YieldOp(*new))
        regions.append(Region(branch.code.block))
    results = writer.code.insert(
        scf.IfOp(conditions[0], types, regions[0], regions[1])
    ).results
    return [
        _received(writer, new, old) for new, old in zip(results, first, strict=True)
    ]


_KEPT_CALLS = ("Sharding", "SPMDFullToShardShape", "SPMDShardToFullShape")
"""Calls that say where a tensor is, and give it back."""


def write_custom_call(op: StableHLOOp, writer: Writer) -> Sequence[Value]:
    """A note on where a tensor is; an error for anything else."""
    target = cast(Any, op.properties["call_target_name"]).data
    if target not in _KEPT_CALLS or op.values.types != op.outputs.types:
        fail_at(
            op,
            f"a call of @{target} is not lowered: the function belongs to the program "
            "that wrote this; compute without it, or in NumPy before or after",
        )
    return [writer[value] for value in op.values]
