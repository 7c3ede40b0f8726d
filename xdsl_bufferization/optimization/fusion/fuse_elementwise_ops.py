"""The pass `fuse-elementwise-ops`: chains of element-wise ops become one op.

    %1 = linalg.generic ins(%a) { math.exp }           %2 = linalg.generic ins(%a, %b) {
    %2 = linalg.generic ins(%1, %b) { arith.addf }  ->   math.exp, arith.addf
                                                       }

The consumer may also be a reduction.

- An op with one user is computed in that user, if it is then computed no more often.
- An op on rows, such as `1 / sqrt(variance)`, is computed in each op on the elements of
  the rows: the innermost loop does not repeat it.
- An op with several users is computed in all of them if it is cheap, and has no more
  bytes to read than to write. No exponential is computed twice.
- The first additions and maxima after a product stay: kernels compute them.
- Results that nobody uses, such as the place of a maximum, go.

MLIR's pass of this kind decides otherwise: it also fuses across reshapes, and folds
constants.
https://mlir.llvm.org/docs/Passes/#-linalg-fuse-elementwise-ops
"""

from __future__ import annotations

from math import prod
from typing import Final

from xdsl.dialects import arith, tensor
from xdsl.dialects.builtin import DYNAMIC_INDEX, AffineMapAttr, ModuleOp
from xdsl.dialects.linalg.ops import GenericOp, ReduceOp, YieldOp
from xdsl.ir import Block, Operation, Region, SSAValue
from xdsl.ir.affine import AffineDimExpr
from xdsl.rewriter import Rewriter

from xdsl_bufferization.bufferization.mlir_pass import TensorPass
from xdsl_bufferization.dialects.common.elementwise import bit_width
from xdsl_bufferization.dialects.linalg.structure import (
    Structure,
    element_type_of,
    known_structure,
    shape_of,
    structure_of,
)
from xdsl_bufferization.support.traversal import ops_inside

from ..common.contractions import reduces_several
from ..common.payloads import only_computes
from .merged_generic import is_plain, knows_indices, loops_of_producer, merge

_CHEAP: Final = frozenset(
    {
        arith.AddfOp,
        arith.SubfOp,
        arith.MulfOp,
        arith.NegfOp,
        arith.MaximumfOp,
        arith.MinimumfOp,
        arith.CmpfOp,
        arith.CmpiOp,
        arith.SelectOp,
        arith.AddiOp,
        arith.SubiOp,
        arith.MuliOp,
        arith.ExtFOp,
        arith.TruncFOp,
        arith.ExtUIOp,
        arith.ExtSIOp,
        arith.ConstantOp,
        YieldOp,
    }
)
_MOST_CHEAP_OPS, _MOST_OPS = 6, 64
"""Of a body that is computed several times, and of one that something is fused into."""

_SHORT = 8
"""A row of so many elements is worth a loop, and is so much more than one number."""

_EPILOGUE = (arith.AddfOp, arith.AddiOp, arith.MaximumfOp, arith.MaxSIOp)
_RESHAPES = (tensor.ExpandShapeOp, tensor.CollapseShapeOp, tensor.CastOp)


def fuse_elementwise_ops(module: ModuleOp) -> None:
    """Fuse element-wise ops into their consumers."""
    fusion = _Fusion()
    for op in ops_inside(module):
        if isinstance(op, GenericOp):
            op = drop_unused_results(op)
        fusion.visit(op)


class _Fusion:
    """Visits the ops of a program in their order."""

    def __init__(self):
        self.epilogues: set[Operation] = set()
        """Additions and maxima that follow a product: kernels compute them."""

    def visit(self, op: Operation) -> None:
        """Fuse the producers of an op into it, as long as there is one to fuse."""
        structure = structure_of(op)
        if structure is None:
            return
        if self._is_epilogue(op, structure):
            self.epilogues.add(op)
            return
        while isinstance(op, GenericOp | ReduceOp) and _may_consume(op, structure):
            merged = self._merge_one(op, structure)
            if merged is None:
                return
            op = merged
            structure = structure_of(op)
            assert structure is not None

    def _merge_one(self, op: Operation, structure: Structure) -> Operation | None:
        for number, value in enumerate(structure.inputs):
            producer = value.owner
            if not isinstance(producer, GenericOp) or producer in self.epilogues:
                continue
            made = _Producer(producer)
            if not made.is_elementwise or producer.parent is not op.parent:
                continue
            loops = made.loops_in(op, structure, number)
            if loops is None or not self._is_worth(made, op, structure, number):
                continue
            merged = merge(made.structure, op, structure, number, loops)
            if producer.results[0].first_use is None:
                Rewriter.erase_op(producer)
            return merged
        return None

    def _is_worth(
        self, made: _Producer, op: Operation, structure: Structure, number: int
    ) -> bool:
        users = {use.operation for use in made.op.results[0].uses}
        if len(users) == 1:
            return made.is_computed_once(structure, number)
        if made.is_row_number(structure, number):
            return True
        return (
            made.is_cheap
            and made.reads_no_more_than_it_writes
            and all(self._may_take(made, user) for user in users)
        )

    def _may_take(self, made: _Producer, user: Operation) -> bool:
        """Whether a user of a result could compute it."""
        structure = structure_of(user)
        if (
            structure is None
            or not isinstance(user, GenericOp | ReduceOp)
            or not _may_consume(user, structure)
            or self._is_epilogue(user, structure)
            or user.parent is not made.op.parent
        ):
            return False
        result = made.op.results[0]
        numbers = [i for i, each in enumerate(structure.inputs) if each is result]
        return result not in structure.outputs and all(
            made.loops_in(user, structure, number) is not None for number in numbers
        )

    def _is_epilogue(self, op: Operation, structure: Structure) -> bool:
        ops = list(structure.body.block.ops)
        if len(ops) != len(("combine", "yield")) or not isinstance(ops[0], _EPILOGUE):
            return False
        return all(structure.parallel) and any(
            self._is_of_product(value) for value in op.operands
        )

    def _is_of_product(self, value: SSAValue) -> bool:
        """Whether a product made a value, or an addition or maximum after one."""
        while isinstance(value.owner, _RESHAPES):
            value = value.owner.operands[0]
        owner = value.owner
        return owner in self.epilogues or (
            isinstance(owner, Operation) and reduces_several(owner)
        )


class _Producer:
    """An op whose result may be computed where it is used."""

    def __init__(self, op: GenericOp):
        self.op = op
        structure = structure_of(op)
        assert structure is not None
        self.structure = structure
        self.ops = list(structure.body.block.ops)

    @property
    def is_elementwise(self) -> bool:
        """Whether each element is computed of elements of inputs alone."""
        structure = self.structure
        return (
            len(self.op.results) == 1
            and all(structure.parallel)
            and not structure.body.block.args[-1].uses
            and all(map(is_plain, structure.maps))
            and not any(op.regions for op in self.ops)
            and only_computes(structure.body)
        )

    def loops_in(self, op: Operation, structure: Structure, number: int):
        """The loops of the producer in those of a consumer; None if it may not be."""
        use = structure.maps[number]
        size = len(self.ops) + len(list(structure.body.block.ops))
        if not is_plain(use) or size > _MOST_OPS:
            return None
        loops = loops_of_producer(self.structure.maps[-1], use)
        if loops is None or not knows_indices(self.structure, loops):
            return None
        known = set[int]()
        maps = [*structure.maps[:number], *structure.maps[number + 1 :]]
        for map_ in maps:
            known |= map_.used_dims()
        for map_ in self.structure.maps[:-1]:
            for each in map_.results:
                known |= each.replace_dims_and_symbols(loops, []).used_dims()
        return loops if len(known) == len(structure.parallel) else None

    def is_computed_once(self, structure: Structure, number: int) -> bool:
        """Whether the consumer computes no element more often, or only cheap ones."""
        if not structure.maps[number].unused_dims():
            return True
        return self.is_cheap or self.is_row_number(structure, number)

    def is_row_number(self, structure: Structure, number: int) -> bool:
        """Whether the consumer needs one number for each of its innermost loops."""
        last = len(structure.parallel) - 1
        size = _loop_size(structure, last)
        return (
            last in structure.maps[number].unused_dims()
            and size is not None
            and size >= _SHORT
        )

    @property
    def is_cheap(self) -> bool:
        """Whether all ops together cost about as much as to load an element."""
        return len(self.ops) <= _MOST_CHEAP_OPS and all(
            type(op) in _CHEAP for op in self.ops
        )

    @property
    def reads_no_more_than_it_writes(self) -> bool:
        """Compares bytes; tensors of few elements do not count."""
        written = _bytes_of(self.op.results[0])
        read = [_bytes_of(value) for value in dict.fromkeys(self.structure.inputs)]
        if written is None or None in read:
            return False
        large = [each for each in read if each is not None and each * _SHORT > written]
        return sum(large) <= written


def _may_consume(op: Operation, structure: Structure) -> bool:
    """Whether something may be fused into an op: products are left to kernels."""
    return (
        bool(structure.inputs)
        and not reduces_several(op)
        and all(map(is_plain, structure.maps[len(structure.inputs) :]))
    )


def _loop_size(structure: Structure, loop: int) -> int | None:
    operands = (*structure.inputs, *structure.outputs)
    for value, map_ in zip(operands, structure.maps, strict=True):
        for size, expression in zip(shape_of(value.type), map_.results, strict=True):
            if expression.used_dims() == {loop} and size != DYNAMIC_INDEX:
                return size
    return None


def _bytes_of(value: SSAValue) -> int | None:
    shape = shape_of(value.type)
    if DYNAMIC_INDEX in shape:
        return None
    return prod(shape) * -(-bit_width(element_type_of(value.type)) // 8)


# Results of a `linalg.generic` that nobody uses.
#
#     %max, %at = linalg.generic outs(%a, %b)   ->   %max = linalg.generic outs(%a)
#
# The place of a maximum is what torch-mlir computes with each softmax.


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


class FuseElementwiseOpsPass(TensorPass):
    """Compute element-wise ops where their results are used."""

    name = "fuse-elementwise-ops"
    rewrite = staticmethod(fuse_elementwise_ops)
