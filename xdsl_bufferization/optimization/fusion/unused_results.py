"""Results of a `linalg.generic` that nobody uses.

    %max, %at = linalg.generic outs(%a, %b)   ->   %max = linalg.generic outs(%a)

The place of a maximum is what torch-mlir computes with each softmax.
"""

from __future__ import annotations

from xdsl.dialects.builtin import AffineMapAttr
from xdsl.dialects.linalg.ops import GenericOp, YieldOp
from xdsl.ir import Block, Operation, Region, SSAValue
from xdsl.ir.affine import AffineDimExpr
from xdsl.rewriter import Rewriter

from xdsl_bufferization.dialects.linalg.structure import known_structure

from ..common.payloads import only_computes


def drop_unused_results(op: GenericOp) -> GenericOp:
    """Let an op compute what is used of it; returns the op that is then there.

    A result stays that others depend on, or that alone tells how often a loop runs.
    """
    unused = {i for i, result in enumerate(op.results) if result.first_use is None}
    if not unused or len(unused) == len(op.results) == len(op.outputs):
        return op
    if len(op.results) != len(op.outputs) or not only_computes(op.body):
        return op
    body, first = op.body.block, len(op.inputs)
    needed = _needed(body, unused)
    if any(body.args[first + i] in needed for i in unused):
        return op
    return _without(op, unused, needed) if _has_sizes(op, unused) else op


def _needed(body: Block, unused: set[int]) -> set[SSAValue]:
    """The values of a body that the other results are made of."""
    terminator = body.last_op
    assert terminator is not None
    pending = [v for i, v in enumerate(terminator.operands) if i not in unused]
    needed: set[SSAValue] = set()
    while pending:
        value = pending.pop()
        if value in needed:
            continue
        needed.add(value)
        owner = value.owner
        if isinstance(owner, Operation) and owner.parent is body:
            # Ops inside of the op may read values of the body, too.
            pending += (each for inner in owner.walk() for each in inner.operands)
    return needed


def _has_sizes(op: GenericOp, unused: set[int]) -> bool:
    """Whether an operand that stays has each loop as an index, and so its size."""
    structure = known_structure(op)
    gone = {len(op.inputs) + i for i in unused}
    indices = {
        index
        for number, map_ in enumerate(structure.maps)
        if number not in gone
        for index in map_.results
    }
    return indices.issuperset(map(AffineDimExpr, range(len(structure.parallel))))


def _without(op: GenericOp, gone: set[int], needed: set[SSAValue]) -> GenericOp:
    structure = known_structure(op)
    old, first = op.body.block, len(op.inputs)
    kept = [i for i in range(len(op.outputs)) if i not in gone]
    arguments = [*old.args[:first], *(old.args[first + i] for i in kept)]
    block = Block(arg_types=[argument.type for argument in arguments])
    known: dict[SSAValue, SSAValue] = dict(zip(arguments, block.args, strict=True))
    block.add_ops(
        each.clone(known) for each in old.ops if not needed.isdisjoint(each.results)
    )
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
