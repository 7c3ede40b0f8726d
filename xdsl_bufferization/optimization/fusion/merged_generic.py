"""Two structured ops as one: the first computes an element where the second reads it.

%1 = linalg.generic ins(%a) { math.exp }           %2 = linalg.generic ins(%a, %b) {
%2 = linalg.generic ins(%1, %b) { arith.addf }  ->   math.exp, arith.addf
                                                   }
"""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects.builtin import AffineMapAttr
from xdsl.dialects.linalg.ops import GenericOp, IndexOp, YieldOp
from xdsl.ir import Block, Operation, Region, SSAValue
from xdsl.ir.affine import AffineConstantExpr, AffineDimExpr, AffineExpr, AffineMap
from xdsl.rewriter import Rewriter

from xdsl_bufferization.dialects.linalg.structure import Structure, element_type_of

Input = tuple[SSAValue, AffineMap]


def loops_of_producer(output: AffineMap, use: AffineMap) -> list[AffineExpr] | None:
    """What each loop of a producer is in the loops of its consumer.

    `output` is how the producer indexes its result, and `use` how the consumer does.
    None if the result does not tell the iteration that computes it.
    """
    loops: list[AffineExpr | None] = [None] * output.num_dims
    for written, read in zip(output.results, use.results, strict=True):
        if not isinstance(written, AffineDimExpr):
            return None
        loops[written.position] = read
    known = [loop for loop in loops if loop is not None]
    return known if len(known) == len(loops) else None


def merge(
    producer: Structure,
    consumer: Operation,
    structure: Structure,
    number: int,
    loops: Sequence[AffineExpr],
) -> GenericOp:
    """Replace the consumer, which no longer reads its input `number`, by one op.

    `loops` are those of the producer, in the loops of the consumer.
    """
    own = list(zip(structure.inputs, structure.maps, strict=False))
    count = structure.maps[0].num_dims
    foreign = [
        (
            value,
            AffineMap(
                count,
                0,
                tuple(e.replace_dims_and_symbols(loops, []) for e in map_.results),
            ),
        )
        for value, map_ in zip(producer.inputs, producer.maps, strict=False)
    ]
    inputs = list(dict.fromkeys([*own[:number], *own[number + 1 :], *foreign]))
    outputs = list(structure.outputs)
    block = Block(
        arg_types=[
            element_type_of(value.type)
            for value in (*(value for value, _ in inputs), *outputs)
        ]
    )
    arguments: dict[Input, SSAValue] = dict(zip(inputs, block.args, strict=False))
    element = _copy_producer(producer, foreign, arguments, loops, block)
    known: dict[SSAValue, SSAValue] = {}
    old = structure.body.block
    for position, (argument, input_) in enumerate(zip(old.args, own, strict=False)):
        known[argument] = element if position == number else arguments[input_]
    known.update(zip(old.args[len(own) :], block.args[len(inputs) :], strict=True))
    block.add_ops(op.clone(known) for op in old.ops)
    generic = GenericOp(
        [value for value, _ in inputs],
        outputs,
        Region(block),
        [
            AffineMapAttr(map_)
            for map_ in (*(map_ for _, map_ in inputs), *structure.maps[len(own) :])
        ],
        structure.iterator_types,
        consumer.result_types,
    )
    generic.location = consumer.location
    Rewriter.replace_op(consumer, generic)
    return generic


def _copy_producer(
    producer: Structure,
    inputs: Sequence[Input],
    arguments: dict[Input, SSAValue],
    loops: Sequence[AffineExpr],
    block: Block,
) -> SSAValue:
    """Add the body of the producer to `block`, and return the element it computes."""
    body = producer.body.block
    known: dict[SSAValue, SSAValue] = {
        argument: arguments[input_]
        for argument, input_ in zip(body.args, inputs, strict=False)
    }
    for op in body.ops:
        if isinstance(op, YieldOp):
            (result,) = op.operands
            return known.get(result, result)
        copy = op.clone(known)
        if isinstance(copy, IndexOp):
            loop = loops[copy.dim.value.data]
            assert isinstance(loop, AffineDimExpr)
            copy.dim = type(copy.dim)(loop.position, copy.dim.type)
        block.add_op(copy)
    raise AssertionError("a body ends with linalg.yield")


def knows_indices(producer: Structure, loops: Sequence[AffineExpr]) -> bool:
    """Whether each loop that the body asks the index of is a loop of the consumer."""
    return all(
        isinstance(loops[op.dim.value.data], AffineDimExpr)
        for op in producer.body.block.ops
        if isinstance(op, IndexOp)
    )


def is_plain(map_: AffineMap) -> bool:
    """Whether each index is a loop or a constant, and loops come in their order."""
    last = -1
    for expression in map_.results:
        if isinstance(expression, AffineConstantExpr):
            continue
        if not isinstance(expression, AffineDimExpr) or expression.position <= last:
            return False
        last = expression.position
    return True
