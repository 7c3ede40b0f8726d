"""The programs that `one_shot.py` measures, built as IR for any size.

insert_chain(2):  %1 = tensor.insert %f into %t[%i]
                  %2 = tensor.insert %f into %1[%i]
                  return %2

Building IR is many times faster than parsing it, so that large sizes are possible.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from xdsl.dialects import arith, bufferization, cf, func, scf, tensor
from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    AffineMapAttr,
    DenseArrayBase,
    DenseIntOrFPElementsAttr,
    FloatAttr,
    IndexType,
    ModuleOp,
    TensorType,
    f32,
    i1,
    i64,
)
from xdsl.dialects.linalg import ops as linalg
from xdsl.dialects.linalg.attrs import IteratorType, IteratorTypeAttr
from xdsl.ir import Block, Operation, OpResult, Region, SSAValue
from xdsl.ir.affine import AffineMap

from xdsl_bufferization.dialects.scf import ForallOp, InParallelOp
from xdsl_bufferization.dialects.tensor.slices import ParallelInsertSliceOp

_LONG = TensorType(f32, [DYNAMIC_INDEX])
_PIECE = TensorType(f32, [4])
_SQUARE = TensorType(f32, [8, 8])
_ARGUMENTS = (_LONG, _PIECE, _SQUARE, f32, i1, IndexType(), IndexType(), IndexType())


_MOVED_BY_ONE = {
    f"static_{name}": DenseArrayBase.from_list(i64, [number])
    for name, number in (("offsets", 1), ("sizes", DYNAMIC_INDEX), ("strides", 1))
}
"""The slice `[1] [%size] [1]`."""


class Body:
    """Ops one after the other in a block of a function with the usual arguments."""

    def __init__(self, entry: Block, block: Block | None = None):
        self.entry = entry
        self.block = block or entry
        self.long, self.piece, self.square = entry.args[:3]
        self.scalar, self.condition, self.index, self.upper, self.step = entry.args[3:]

    def add(self, op: Operation) -> OpResult:
        """Append `op`; its first result."""
        self.block.add_op(op)
        return op.results[0]

    def inside(self, block: Block) -> "Body":
        """The same arguments, other place."""
        return Body(self.entry, block)

    def insert(self, into: SSAValue) -> OpResult:
        """`tensor.insert` of the scalar."""
        return self.add(tensor.InsertOp(self.scalar, into, [self.index]))

    def extract(self, source: SSAValue) -> OpResult:
        """`tensor.extract` of one element."""
        return self.add(tensor.ExtractOp(source, [self.index], f32))

    def slice(self, source: SSAValue, number: int) -> OpResult:
        """`tensor.extract_slice` of piece `number`."""
        op = tensor.ExtractSliceOp(source, [4 * number], [4], [1], _PIECE)
        return self.add(op)

    def insert_slice(self, piece: SSAValue, into: SSAValue, number: int) -> OpResult:
        """`tensor.insert_slice` of piece `number`."""
        make = tensor.InsertSliceOp.from_static_parameters
        return self.add(make(piece, into, [4 * number], [4], [1]))

    def fill(self, tensor_: SSAValue) -> OpResult:
        """`linalg.fill` with the scalar."""
        return self.add(linalg.FillOp([self.scalar], [tensor_], [tensor_.type]))

    def loop(
        self, inits: Sequence[SSAValue], fill_in: Callable[["Body"], list[SSAValue]]
    ) -> OpResult:
        """`scf.for` over a body that `fill_in` builds, returning what to yield."""
        block = Block(arg_types=[IndexType(), *(init.type for init in inits)])
        inner = self.inside(block)
        block.add_op(scf.YieldOp(*fill_in(inner)))
        return self.add(scf.ForOp(self.index, self.upper, self.step, inits, block))

    def branch(self, *fill_ins: Callable[["Body"], SSAValue]) -> list[Region]:
        """Regions for branches, each ending in a yield of what `fill_in` returns."""
        regions: list[Region] = []
        for fill_in in fill_ins:
            block = Block()
            block.add_op(scf.YieldOp(fill_in(self.inside(block))))
            regions.append(Region(block))
        return regions

    def either(
        self, then: Callable[["Body"], SSAValue], other: Callable[["Body"], SSAValue]
    ) -> OpResult:
        """`scf.if` with one result."""
        true_region, false_region = self.branch(then, other)
        return self.add(scf.IfOp(self.condition, [_LONG], true_region, false_region))


def _function(name: str, build: Callable[[Body], SSAValue]) -> func.FuncOp:
    block = Block(arg_types=_ARGUMENTS)
    result = build(Body(block))
    block.add_op(func.ReturnOp(result))
    return func.FuncOp(name, (_ARGUMENTS, [result.type]), Region(block))


def _program(build: Callable[[Body], SSAValue]) -> ModuleOp:
    return ModuleOp([_function("f", build)])


def insert_slice_chain(n: int) -> ModuleOp:
    """`tensor.insert_slice` n times into one tensor."""

    def build(body: Body) -> SSAValue:
        value: SSAValue = body.long
        for number in range(n):
            value = body.insert_slice(body.piece, value, number)
        return value

    return _program(build)


def tiles(n: int) -> ModuleOp:
    """extract_slice, fill and insert_slice of the same piece, n times."""

    def build(body: Body) -> SSAValue:
        value: SSAValue = body.long
        for number in range(n):
            piece = body.fill(body.slice(value, number))
            value = body.insert_slice(piece, value, number)
        return value

    return _program(build)


def insert_chain(n: int) -> ModuleOp:
    """`tensor.insert` n times into one tensor."""

    def build(body: Body) -> SSAValue:
        value: SSAValue = body.long
        for _ in range(n):
            value = body.insert(value)
        return value

    return _program(build)


def loops(n: int) -> ModuleOp:
    """Loops, n of them, one after the other."""

    def build(body: Body) -> SSAValue:
        value: SSAValue = body.long
        for _ in range(n):
            value = body.loop([value], _insert_into_arguments)
        return value

    return _program(build)


def _insert_into_arguments(inner: Body) -> list[SSAValue]:
    return [inner.insert(argument) for argument in inner.block.args[1:]]


def iter_args(n: int) -> ModuleOp:
    """One loop that carries n tensors."""

    def build(body: Body) -> SSAValue:
        inits = [
            body.add(bufferization.AllocTensorOp(_LONG, copy=body.long))
            for _ in range(n)
        ]
        return body.loop(inits, _insert_into_arguments)

    return _program(build)


def conditionals(n: int) -> ModuleOp:
    """Conditionals, n of them, one after the other."""

    def build(body: Body) -> SSAValue:
        value: SSAValue = body.long
        for _ in range(n):
            before = value
            value = body.either(
                lambda inner, before=before: inner.insert(before),
                lambda inner, before=before: before,
            )
        return value

    return _program(build)


def ladder(n: int) -> ModuleOp:
    """Conditionals, n of them, each in the else branch of the one before."""

    def build(body: Body) -> SSAValue:
        value: SSAValue = body.long
        rungs: list[Operation] = []
        for _ in range(n):
            [then] = body.branch(lambda inner: inner.insert(body.long))
            other = Block([*rungs, scf.YieldOp(value)])
            rungs = [scf.IfOp(body.condition, [_LONG], then, Region(other))]
            value = rungs[0].results[0]
        body.block.add_ops(rungs)
        return value

    return _program(build)


def cases(n: int) -> ModuleOp:
    """One `scf.index_switch` of n cases."""

    def build(body: Body) -> SSAValue:
        def fill_in(inner: Body) -> SSAValue:
            return inner.insert(body.long)

        default, *regions = body.branch(*[fill_in] * (n + 1))
        numbers = DenseArrayBase.from_list(i64, range(n))
        return body.add(
            scf.IndexSwitchOp(body.index, numbers, default, regions, [_LONG])
        )

    return _program(build)


def nest(n: int) -> ModuleOp:
    """Loops nested n deep."""

    def build(body: Body) -> SSAValue:
        bounds = body.index, body.upper, body.step
        level, value = body, body.long
        levels = [level]
        for _ in range(n):
            block = Block(arg_types=[IndexType(), _LONG])
            level.add(scf.ForOp(*bounds, [value], block))
            level, value = body.inside(block), block.args[1]
            levels.append(level)
        result = level.insert(value)
        while level is not body:
            level.block.add_op(scf.YieldOp(result))
            levels.pop()
            level = levels[-1]
            loop = level.block.last_op
            assert loop is not None
            result = loop.results[0]
        return result

    return _program(build)


def _add_layer(body: Body, value: SSAValue, weights: SSAValue) -> SSAValue:
    """empty, fill, matmul, bias and relu."""
    zero = body.fill(body.add(tensor.EmptyOp([], _SQUARE)))
    product = body.add(linalg.MatmulOp([value, weights], [zero], [_SQUARE]))
    biased = body.add(_elementwise(arith.AddfOp, [body.square], product))
    return body.add(_elementwise(arith.MaximumfOp, [], biased))


def _elementwise(
    combine: type[arith.AddfOp | arith.MaximumfOp],
    inputs: list[SSAValue],
    output: SSAValue,
) -> linalg.GenericOp:
    payload = Block(arg_types=[f32] * (len(inputs) + 1))
    combined = combine(payload.args[0], payload.args[-1])
    payload.add_ops([combined, linalg.YieldOp(combined.result)])
    maps = [AffineMapAttr(AffineMap.identity(2))] * (len(inputs) + 1)
    iterators = [IteratorTypeAttr(IteratorType.PARALLEL)] * 2
    return linalg.GenericOp(
        inputs, [output], Region(payload), maps, iterators, [output.type]
    )


def layers(n: int) -> ModuleOp:
    """A perceptron of n layers, five tensor ops each."""

    def build(body: Body) -> SSAValue:
        weights = body.add(
            arith.ConstantOp(DenseIntOrFPElementsAttr.from_list(_SQUARE, [1.0]))
        )
        value: SSAValue = body.square
        for _ in range(n):
            value = _add_layer(body, value, weights)
        return value

    return _program(build)


def gathered_tiles(n: int) -> ModuleOp:
    """All pieces extracted first, then filled, then inserted."""

    def build(body: Body) -> SSAValue:
        pieces = [body.slice(body.long, number) for number in range(n)]
        filled = [body.fill(piece) for piece in pieces]
        value: SSAValue = body.long
        for number, piece in enumerate(filled):
            value = body.insert_slice(piece, value, number)
        return value

    return _program(build)


def nested_slices(n: int) -> ModuleOp:
    """A slice of a slice, n times; a write; and all slices inserted where they were."""

    def build(body: Body) -> SSAValue:
        whole: list[SSAValue] = [body.long]
        for _ in range(n):
            whole.append(
                body.add(
                    tensor.ExtractSliceOp.build(
                        operands=[whole[-1], [], [body.upper], []],
                        result_types=[_LONG],
                        properties=_MOVED_BY_ONE,
                    )
                )
            )
        value: SSAValue = body.insert(whole.pop())
        for container in reversed(whole):
            value = body.add(
                tensor.InsertSliceOp.build(
                    operands=[value, container, [], [body.upper], []],
                    result_types=[_LONG],
                    properties=_MOVED_BY_ONE,
                )
            )
        return value

    return _program(build)


def one_slice(n: int) -> ModuleOp:
    """One piece written n times in place before it is inserted."""

    def build(body: Body) -> SSAValue:
        piece = body.slice(body.long, 0)
        for _ in range(n):
            piece = body.insert(piece)
        return body.insert_slice(piece, body.long, 0)

    return _program(build)


def readers(n: int) -> ModuleOp:
    """One tensor read n times, then written, then read n times."""

    def build(body: Body) -> SSAValue:
        for _ in range(n):
            body.extract(body.long)
        value = body.insert(body.long)
        for _ in range(n):
            body.extract(value)
        return value

    return _program(build)


def copies(n: int) -> ModuleOp:
    """One tensor written n times from scratch: all but one need a copy."""

    def build(body: Body) -> SSAValue:
        return [body.insert(body.long) for _ in range(n)][-1]

    return _program(build)


def calls(n: int) -> ModuleOp:
    """Functions, n of them, each of which calls the one before it."""

    def build(number: int) -> Callable[[Body], SSAValue]:
        def build_function(body: Body) -> SSAValue:
            value = body.insert(body.long)
            if number:
                arguments = [value, *body.entry.args[1:]]
                value = body.add(func.CallOp(f"f{number - 1}", arguments, [_LONG]))
            body.extract(value)
            return body.insert(value)

        return build_function

    return ModuleOp([_function(f"f{number}", build(number)) for number in range(n)])


_OPS_OF_A_ROUND = 26
"""How many ops each step of `large_function` adds, those inside of others counted."""


def large_function(n: int) -> ModuleOp:
    """One function of n ops of all kinds, those inside of others counted."""

    def build(body: Body) -> SSAValue:
        zero = arith.ConstantOp(FloatAttr(0.0, f32))
        body.block.add_op(zero)
        weights = body.add(
            arith.ConstantOp(DenseIntOrFPElementsAttr.from_list(_SQUARE, [1.0]))
        )
        long: SSAValue = body.long
        square: SSAValue = body.square
        for number in range(n // _OPS_OF_A_ROUND):
            long = body.insert_slice(body.fill(body.slice(long, number)), long, number)
            long = body.loop([long], _insert_into_arguments)
            before = long
            long = body.either(
                lambda inner, before=before: inner.insert(before),
                lambda inner, before=before: before,
            )
            body.extract(long)
            long = body.insert(long)
            square = _add_layer(body, square, weights)
        body.add(tensor.ExtractOp(square, [body.index, body.index], f32))
        return long

    return _program(build)


def rounds(n: int) -> ModuleOp:
    """Parallel loops, n of them, one after the other; each iteration fills a piece."""

    def build(body: Body) -> SSAValue:
        value: SSAValue = body.long
        for _ in range(n):
            block = Block(arg_types=[IndexType(), _LONG])
            index, output = block.args
            inner = body.inside(block)
            slice_ = tensor.ExtractSliceOp(output, [index], [4], [1], _PIECE)
            piece = inner.fill(inner.add(slice_))
            put = ParallelInsertSliceOp(piece, output, [index], [4], [1])
            block.add_op(InParallelOp([put]))
            value = body.add(ForallOp([0], [8], [4], [value], Region(block)))
        return value

    return _program(build)


def blocks(n: int) -> ModuleOp:
    """Branches between blocks, n of them, that meet again after each."""
    entry = Block(arg_types=_ARGUMENTS)
    at, value = Body(entry), entry.args[0]
    region = Region(entry)
    for _ in range(n):
        then, join = Block(arg_types=[_LONG]), Block(arg_types=[_LONG])
        condition = at.condition
        at.block.add_op(cf.ConditionalBranchOp(condition, then, [value], join, [value]))
        inner = at.inside(then)
        then.add_op(cf.BranchOp(join, inner.insert(then.args[0])))
        region.add_block([then, join])
        at, value = at.inside(join), join.args[0]
    at.block.add_op(func.ReturnOp(value))
    return ModuleOp([func.FuncOp("f", (_ARGUMENTS, [_LONG]), region)])


def filled_pieces(n: int) -> ModuleOp:
    """A new tensor, filled and inserted, n times into one tensor."""

    def build(body: Body) -> SSAValue:
        value: SSAValue = body.long
        for number in range(n):
            piece = body.fill(body.add(tensor.EmptyOp([], _PIECE)))
            value = body.insert_slice(piece, value, number)
        return value

    return _program(build)


@dataclass(frozen=True)
class Row:
    """A program of the benchmark, and the sizes that it is measured at."""

    name: str
    build: Callable[[int], ModuleOp]
    sizes: tuple[int, ...] = (256, 1024, 4096)
    eliminates_empty_tensors: bool = False
    """Whether it is the pass `eliminate-empty-tensors` that is measured."""


ROWS = (
    Row("insert_slice chain", insert_slice_chain),
    Row("extract/fill/insert", tiles),
    Row("tensor.insert chain", insert_chain, (256, 1024, 4096, 16384)),
    Row("sequential scf.for", loops),
    Row("one scf.for, N iter_args", iter_args),
    Row("sequential scf.if", conditionals),
    Row("else-if ladder", ladder, (32, 64, 128)),
    Row("index_switch, N cases", cases),
    Row("nested scf.for", nest, (12, 25, 50, 100)),
    Row("N layers", layers, (256, 1024, 4096)),
    Row("slices gathered first", gathered_tiles),
    Row("slices of slices", nested_slices),
    Row("one slice, N writes", one_slice),
    Row("N readers", readers),
    Row("N copies", copies),
    Row("N branches of blocks", blocks),
    Row("N scf.forall", rounds),
    Row("eliminate: insert_slice", insert_slice_chain, (256, 1024, 4096), True),
    Row("eliminate: empty/fill", filled_pieces, (256, 1024, 4096), True),
    Row("N functions with calls", calls, (1250, 5000, 20000)),
    Row("function of N ops", large_function, (25_000, 100_000, 400_000)),
)
