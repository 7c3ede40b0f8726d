"""How scf ops become branches of the llvm dialect.

xDSL's `convert-scf-to-cf` is not used: it is quadratic on long sequences of loops.

    %r = scf.for %i = %l to %u step %s iter_args(%a = %x) -> (f32) {...}
        -> llvm.br ^header(%l, %x); ^header(%i, %a): llvm.icmp "slt" %i, %u;
           llvm.cond_br ^body, ^exit; ^body: ...; llvm.br ^header(%next, %y)
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from xdsl.dialects import llvm, scf
from xdsl.ir import Attribute, Block, Operation, Region, SSAValue

from xdsl_bufferization.dialects.common.static_values import OpFoldResult
from xdsl_bufferization.dialects.scf import ForallOp
from xdsl_bufferization.support.errors import fail_at

from ..emission.emitter import Emitter
from ..emission.function import FunctionLowering, Rules
from .cf import lower_blocks


@dataclass(frozen=True)
class Loop:
    """A counted loop whose body is being lowered."""

    header: Block
    exit: Block
    induction: SSAValue
    carried: Sequence[SSAValue]
    """The loop-carried values: of this iteration in the body, final after it."""

    step: SSAValue


def begin_loop(
    f: Emitter,
    bounds: tuple[SSAValue, SSAValue, SSAValue],
    inits: Sequence[SSAValue] = (),
    predicate: str = "slt",
) -> Loop:
    """Start a loop over lower bound, upper bound and step, and go on in its body."""
    lower, upper, step = bounds
    types: list[Attribute] = [lower.type, *(init.type for init in inits)]
    header, body, exit = Block(arg_types=types), Block(), Block()
    f.branch(header, [lower, *inits])
    f.start(header)
    induction, *carried = header.args
    more = f.compare(predicate, induction, upper)
    f.cond_branch(more, body, (), exit, ())
    f.start(body)
    return Loop(header, exit, induction, carried, step)


def end_loop(f: Emitter, loop: Loop, carried: Sequence[SSAValue] = ()) -> None:
    """End the body of `loop` and go on behind it."""
    following = f.integer_op(llvm.AddOp, loop.induction, loop.step)
    f.branch(loop.header, [following, *carried])
    f.start(loop.exit)


def _lower_for(op: scf.ForOp, f: FunctionLowering) -> None:
    predicate = "ult" if "unsignedCmp" in op.properties else "slt"
    bounds = f.scalar(op.lb), f.scalar(op.ub), f.scalar(op.step)
    lower_for(op, op.body.block, bounds, op.iter_args, f, predicate)


def lower_for(
    op: Operation,
    body: Block,
    bounds: tuple[SSAValue, SSAValue, SSAValue],
    initial: Sequence[SSAValue],
    f: FunctionLowering,
    predicate: str = "slt",
) -> None:
    """Lower an op that passes values from iteration to iteration of `body`."""
    types = op.result_types
    inits = f.carry(initial, types, op)
    loop = begin_loop(f, bounds, inits, predicate)
    induction, *carried = body.args
    f.bind(induction, loop.induction)
    f.bind_carried(carried, loop.carried, op)
    f.open_scope()
    terminator = f.lower_ops(body)
    following = f.carry(terminator.operands, types, op)
    f.close_scope()
    end_loop(f, loop, following)
    f.bind_carried(op.results, loop.carried, op)


def _lower_if(op: scf.IfOp, f: FunctionLowering) -> None:
    lower_branches(op, f.scalar(op.cond), op.true_region, op.false_region, f)


def lower_branches(
    op: Operation,
    condition: SSAValue,
    then_region: Region,
    else_region: Region,
    f: FunctionLowering,
) -> None:
    """Lower an op that runs one of two regions, of which the second may be empty."""
    types = op.result_types
    then_block, exit = Block(), Block(arg_types=f.carried_types(types, op))
    has_else = bool(else_region.blocks)
    else_block = Block() if has_else else exit
    f.cond_branch(condition, then_block, (), else_block, ())
    _lower_branch(then_region, then_block, exit, types, op, f)
    if has_else:
        _lower_branch(else_region, else_block, exit, types, op, f)
    f.start(exit)
    f.bind_carried(op.results, exit.args, op)


def _lower_branch(
    region: Region,
    start: Block,
    exit: Block,
    types: Sequence[Attribute],
    op: Operation,
    f: FunctionLowering,
) -> None:
    """Lower a single-block region that yields the results of `op`."""
    f.start(start)
    terminator = f.lower_ops(region.block)
    f.branch(exit, f.carry(terminator.operands, types, op))


def _lower_while(op: scf.WhileOp, f: FunctionLowering) -> None:
    before, after = op.before_region.block, op.after_region.block
    before_types = [arg.type for arg in before.args]
    result_types = op.result_types
    header = Block(arg_types=f.carried_types(before_types, op))
    body, exit = (Block(arg_types=f.carried_types(result_types, op)) for _ in "ab")
    f.branch(header, f.carry(op.arguments, before_types, op))
    f.start(header)
    f.bind_carried(before.args, header.args, op)
    f.open_scope(frees=False, hoists=False)
    condition = f.lower_ops(before)
    if not isinstance(condition, scf.ConditionOp):
        fail_at(condition, "expected scf.condition at the end of 'before'")
    values = f.carry(condition.args, result_types, op)
    f.cond_branch(f.scalar(condition.condition), body, values, exit, values)
    f.start(body)
    f.bind_carried(after.args, body.args, op)
    terminator = f.lower_ops(after)
    f.branch(header, f.carry(terminator.operands, before_types, op))
    f.close_scope()
    f.start(exit)
    f.bind_carried(op.results, exit.args, op)


def _lower_index_switch(op: scf.IndexSwitchOp, f: FunctionLowering) -> None:
    types = op.result_types
    exit = Block(arg_types=f.carried_types(types, op))
    index = f.scalar(op.arg)
    cases = zip(op.cases.get_values(), op.case_regions, strict=True)
    for value, region in cases:
        start, following = Block(), Block()
        hit = f.compare("eq", index, f.integer(value))
        f.cond_branch(hit, start, (), following, ())
        _lower_branch(region, start, exit, types, op, f)
        f.start(following)
    terminator = f.lower_ops(op.default_region.block)
    f.branch(exit, f.carry(terminator.operands, types, op))
    f.start(exit)
    f.bind_carried(op.results, exit.args, op)


def _lower_execute_region(op: scf.ExecuteRegionOp, f: FunctionLowering) -> None:
    types = op.result_types
    exit = Block(arg_types=f.carried_types(types, op))

    def leave(terminator: Operation) -> None:
        if not isinstance(terminator, scf.YieldOp):
            fail_at(terminator, "cannot leave scf.execute_region")
        f.branch(exit, f.carry(terminator.operands, types, op))

    f.open_scope(frees=False, hoists=len(op.region.blocks) == 1)
    lower_blocks(op.region, f, leave)
    f.close_scope()
    f.start(exit)
    f.bind_carried(op.results, exit.args, op)


def _lower_parallel(op: scf.ParallelOp, f: FunctionLowering) -> None:
    """Lower to a sequential loop nest, the last dimension innermost."""
    types = op.result_types
    bounds = zip(op.lowerBound, op.upperBound, op.step, strict=True)
    loops = begin_nest(
        [(f.scalar(a), f.scalar(b), f.scalar(step)) for a, b, step in bounds],
        op.body.block.args,
        f.carry(op.initVals, types, op),
        f,
    )
    f.open_scope()
    terminator = f.lower_ops(op.body.block)
    carried = _reduce(terminator, loops[-1].carried, f)
    f.close_scope()
    f.bind_carried(op.results, end_nest(loops, carried, f), op)


def _lower_forall(op: ForallOp, f: FunctionLowering) -> None:
    """Lower to a sequential loop nest: the iterations may run in any order."""

    def bound(value: OpFoldResult) -> SSAValue:
        return f.integer(value) if isinstance(value, int) else f.scalar(value)

    bounds = [map(bound, values) for values in (op.lower_bounds, op.upper_bounds)]
    loops = begin_nest(
        list(zip(*bounds, map(bound, op.steps), strict=True)),
        op.induction_variables,
        (),
        f,
    )
    f.open_scope()
    f.lower_ops(op.region.block)
    f.close_scope()
    end_nest(loops, (), f)


def begin_nest(
    bounds: Sequence[tuple[SSAValue, SSAValue, SSAValue]],
    arguments: Sequence[SSAValue],
    carried: Sequence[SSAValue],
    f: FunctionLowering,
) -> list[Loop]:
    """Start a loop for each dimension, and go on in the body of the innermost."""
    loops: list[Loop] = []
    for dimension, argument in zip(bounds, arguments, strict=True):
        loops.append(begin_loop(f, dimension, carried))
        carried = loops[-1].carried
        f.bind(argument, loops[-1].induction)
    return loops


def end_nest(
    loops: Sequence[Loop], carried: Sequence[SSAValue], f: FunctionLowering
) -> Sequence[SSAValue]:
    """End the bodies of `loops` and go on behind them, with what they carry."""
    for loop in reversed(loops):
        end_loop(f, loop, carried)
        carried = loop.carried
    return carried


def _reduce(
    op: Operation, carried: Sequence[SSAValue], f: FunctionLowering
) -> Sequence[SSAValue]:
    """Lower the reductions at the end of an scf.parallel."""
    if not isinstance(op, scf.ReduceOp):
        return carried
    f.bind_carried([region.block.args[0] for region in op.reductions], carried, op)
    combined: list[SSAValue] = []
    for value, region in zip(op.args, op.reductions, strict=True):
        f.bind(region.block.args[1], f.values[value])
        combined += f.lower_ops(region.block).operands
    return f.carry(combined, [value.type for value in op.args], op)


RULES: Rules = {
    scf.ForOp: _lower_for,
    scf.IfOp: _lower_if,
    scf.WhileOp: _lower_while,
    scf.IndexSwitchOp: _lower_index_switch,
    scf.ExecuteRegionOp: _lower_execute_region,
    scf.ParallelOp: _lower_parallel,
    ForallOp: _lower_forall,
}
