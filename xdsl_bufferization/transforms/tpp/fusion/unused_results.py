"""Results of a `linalg.generic` that nobody uses.

    %max, %at = linalg.generic outs(%a, %b)   ->   %max = linalg.generic outs(%a)

The place of a maximum is what torch-mlir computes with each softmax.
"""

from __future__ import annotations

from xdsl.dialects.builtin import AffineMapAttr
from xdsl.dialects.linalg.ops import GenericOp, YieldOp
from xdsl.ir import Block, Operation, Region, SSAValue
from xdsl.rewriter import Rewriter

from xdsl_bufferization.dialects.linalg.structure import structure_of


def drop_unused_results(op: GenericOp) -> GenericOp:
    """Let an op compute what is used of it; returns the op that is then there.

    A result that others depend on stays.
    """
    unused = {i for i, result in enumerate(op.results) if result.first_use is None}
    if not unused or len(unused) == len(op.results) == len(op.outputs):
        return op
    body = op.body.block
    first = len(op.inputs)
    live = _live(body, unused)
    gone = {
        i
        for i in unused
        if not any(u.operation in live for u in body.args[first + i].uses)
    }
    if len(op.results) != len(op.outputs) or gone != unused:
        return op
    return _without(op, gone, live)


def _live(body: Block, unused: set[int]) -> set[Operation]:
    """The ops of a body that other results need."""
    terminator = body.last_op
    assert terminator is not None
    pending = [v for i, v in enumerate(terminator.operands) if i not in unused]
    live: set[Operation] = set()
    while pending:
        owner = pending.pop().owner
        if isinstance(owner, Operation) and owner.parent is body and owner not in live:
            live.add(owner)
            pending += owner.operands
    return live


def _without(op: GenericOp, gone: set[int], live: set[Operation]) -> GenericOp:
    structure = structure_of(op)
    assert structure is not None
    old, first = op.body.block, len(op.inputs)
    kept = [i for i in range(len(op.outputs)) if i not in gone]
    arguments = [*old.args[:first], *(old.args[first + i] for i in kept)]
    block = Block(arg_types=[argument.type for argument in arguments])
    known: dict[SSAValue, SSAValue] = dict(zip(arguments, block.args, strict=True))
    block.add_ops(each.clone(known) for each in old.ops if each in live)
    terminator = old.last_op
    assert terminator is not None
    yielded = [terminator.operands[i] for i in kept]
    block.add_op(YieldOp(*(known.get(value, value) for value in yielded)))
    maps = [*structure.maps[:first], *(structure.maps[first + i] for i in kept)]
    generic = GenericOp(
        op.inputs,
        [op.outputs[i] for i in kept],
        Region(block),
        [AffineMapAttr(map_) for map_ in maps],
        structure.iterator_types,
        [op.results[i].type for i in kept],
    )
    generic.location = op.location
    results = iter(generic.results)
    new = [None if i in gone else next(results) for i in range(len(op.results))]
    Rewriter.replace_op(op, generic, new)
    return generic
