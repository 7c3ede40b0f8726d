"""The programs that `deallocation.py` measures, built as IR for any size.

chain(2):  %0 = memref.alloc()
           %1 = memref.alloc()
           linalg.add ins(%0, %arg) outs(%1)
           %2 = memref.alloc()
           linalg.add ins(%1, %arg) outs(%2)
           return %2

Building IR is many times faster than parsing it, so that large sizes are possible.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from random import Random

from xdsl.dialects import arith, cf, func, memref, scf
from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    IndexType,
    MemRefType,
    ModuleOp,
    f32,
    i1,
)
from xdsl.dialects.linalg import ops as linalg
from xdsl.ir import Block, Operation, Region, SSAValue

from xdsl_bufferization.dialects.bufferization import DeallocOp
from xdsl_bufferization.dialects.memref.allocation import ReallocOp

_BUFFER = MemRefType(f32, [4])
_ARGUMENTS = (_BUFFER, i1, IndexType(), IndexType(), IndexType())


class Body:
    """Ops one after the other in the blocks of a function with the usual arguments."""

    def __init__(self) -> None:
        self.region = Region(Block(arg_types=_ARGUMENTS))
        self.block = self.region.blocks[0]
        self.argument, self.condition, self.lower, self.upper, self.step = (
            self.block.args
        )

    def add(self, op: Operation) -> None:
        """Append an op to the current block."""
        self.block.add_op(op)

    def alloc(self) -> SSAValue:
        """A new buffer."""
        op = _alloc()
        self.block.add_op(op)
        return op.memref

    def read(self, buffer: SSAValue) -> None:
        """Copy `buffer` to the argument of the function."""
        self.block.add_op(memref.CopyOp(buffer, self.argument))

    def new_block(self, *, has_buffer: bool = False) -> Block:
        """A block at the end of the function, with a buffer as argument or without."""
        block = Block(arg_types=[_BUFFER] if has_buffer else [])
        self.region.add_block(block)
        return block

    def branch(self, target: Block, *operands: SSAValue) -> None:
        """End the current block."""
        self.block.add_op(cf.BranchOp(target, *operands))

    def either(
        self,
        first: Block,
        first_operands: Sequence[SSAValue],
        second: Block,
        second_operands: Sequence[SSAValue],
    ) -> None:
        """End the current block, with a choice."""
        op = cf.ConditionalBranchOp(
            self.condition, first, first_operands, second, second_operands
        )
        self.block.add_op(op)


def _alloc() -> memref.AllocOp:
    return memref.AllocOp([], [], _BUFFER)


def _program(build: Callable[[Body], SSAValue | None]) -> ModuleOp:
    body = Body()
    result = build(body)
    results = [] if result is None else [result]
    body.add(func.ReturnOp(*results))
    types = [value.type for value in results]
    return ModuleOp([func.FuncOp("f", (_ARGUMENTS, types), body.region)])


def independent(n: int) -> ModuleOp:
    """Allocations that have nothing to do with each other."""

    def build(body: Body) -> None:
        for _ in range(n):
            body.alloc()

    return _program(build)


def across_a_block(n: int) -> ModuleOp:
    """Allocations of one block that are used in the next."""

    def build(body: Body) -> None:
        buffers = [body.alloc() for _ in range(n)]
        following = body.new_block()
        body.branch(following)
        body.block = following
        for buffer in buffers:
            body.read(buffer)

    return _program(build)


def across_blocks(n: int) -> ModuleOp:
    """N allocations that live across N blocks, each of which uses one of them."""

    def build(body: Body) -> None:
        buffers = [body.alloc() for _ in range(n)]
        for buffer in buffers:
            block, following = body.new_block(), body.new_block()
            body.either(block, [], following, [])
            body.block = block
            body.read(buffer)
            body.branch(following)
            body.block = following
        for buffer in buffers:
            body.read(buffer)

    return _program(build)


def chain(n: int) -> ModuleOp:
    """Each buffer is computed from the one before it."""

    def build(body: Body) -> SSAValue:
        buffer = body.alloc()
        for _ in range(n):
            inputs, buffer = [buffer, body.argument], body.alloc()
            body.add(linalg.AddOp(inputs, [buffer], []))
        return buffer

    return _program(build)


def loops(n: int) -> ModuleOp:
    """Loops one after the other, each with the buffer of the one before it."""

    def build(body: Body) -> SSAValue:
        buffer = body.alloc()
        for _ in range(n):
            new = _alloc()
            block = Block([new, scf.YieldOp(new)], arg_types=[IndexType(), _BUFFER])
            op = scf.ForOp(body.lower, body.upper, body.step, [buffer], block)
            body.add(op)
            buffer = op.results[0]
        return buffer

    return _program(build)


def private_loops(n: int) -> ModuleOp:
    """Loops that allocate a buffer of their own in each iteration."""

    def build(body: Body) -> None:
        for _ in range(n):
            new = _alloc()
            copy = memref.CopyOp(body.argument, new)
            block = Block([new, copy, scf.YieldOp()], arg_types=[IndexType()])
            body.add(scf.ForOp(body.lower, body.upper, body.step, [], block))

    return _program(build)


def conditionals(n: int) -> ModuleOp:
    """Conditionals, each of which replaces a buffer or does not."""

    def build(body: Body) -> SSAValue:
        buffer = body.alloc()
        for _ in range(n):
            new = _alloc()
            op = scf.IfOp(
                body.condition,
                [_BUFFER],
                [new, scf.YieldOp(new)],
                [scf.YieldOp(buffer)],
            )
            body.add(op)
            buffer = op.results[0]
        return buffer

    return _program(build)


def ladder(n: int) -> ModuleOp:
    """Blocks as an else-if ladder leaves them: each case allocates and joins."""

    def build(body: Body) -> SSAValue:
        join = Block(arg_types=[_BUFFER])
        for _ in range(n):
            then, otherwise = body.new_block(), body.new_block()
            body.either(then, [], otherwise, [])
            body.block = then
            body.branch(join, body.alloc())
            body.block = otherwise
        body.branch(join, body.alloc())
        body.region.add_block(join)
        body.block = join
        return join.args[0]

    return _program(build)


def nested_ladder(n: int) -> ModuleOp:
    """An else-if ladder of `scf.if`, each inside of the one before it."""

    def build(body: Body) -> SSAValue:
        last = _alloc()
        inner: list[Operation] = [last, scf.YieldOp(last)]
        for _ in range(n):
            new = _alloc()
            op = scf.IfOp(body.condition, [_BUFFER], [new, scf.YieldOp(new)], inner)
            inner = [op, scf.YieldOp(op)]
        body.add(outer := inner[0])
        inner[1].erase()
        return outer.results[0]

    return _program(build)


def diamonds(n: int) -> ModuleOp:
    """Two ways, one of which replaces the buffer, n times one after the other."""

    def build(body: Body) -> SSAValue:
        buffer = body.alloc()
        for _ in range(n):
            then, following = body.new_block(), body.new_block(has_buffer=True)
            body.either(then, [], following, [buffer])
            body.block = then
            body.branch(following, body.alloc())
            body.block, buffer = following, following.args[0]
        return buffer

    return _program(build)


def block_loops(n: int) -> ModuleOp:
    """Loops between blocks, each of which replaces its buffer."""

    def build(body: Body) -> SSAValue:
        head = body.new_block(has_buffer=True)
        body.branch(head, body.alloc())
        for _ in range(n):
            inside, following = body.new_block(), body.new_block(has_buffer=True)
            body.block, buffer = head, head.args[0]
            body.either(inside, [], following, [buffer])
            body.block = inside
            body.branch(head, body.alloc())
            head = following
        body.block = head
        return head.args[0]

    return _program(build)


def reallocs(n: int) -> ModuleOp:
    """Buffers that get another size each."""

    def build(body: Body) -> None:
        for _ in range(n):
            vector = MemRefType(f32, [DYNAMIC_INDEX])
            alloc = memref.AllocOp([body.lower], [], vector)
            body.add(alloc)
            body.add(
                ReallocOp.build(
                    operands=[alloc.memref, [body.upper]], result_types=[vector]
                )
            )

    return _program(build)


def one_dealloc(n: int) -> ModuleOp:
    """One `bufferization.dealloc` of n buffers, some of which it retains."""

    def build(body: Body) -> None:
        always = arith.ConstantOp.from_int_and_width(1, 1)
        body.add(always)
        buffers = [body.alloc() for _ in range(n)]
        body.add(DeallocOp(buffers, [always.result] * n, buffers[::8]))

    return _program(build)


def shuffled(n: int) -> ModuleOp:
    """Buffers of many sizes, up to n / 8 at a time, freed in an order of chance."""

    def build(body: Body) -> None:
        numbers, living = Random(0), list[SSAValue]()
        for _ in range(n):
            size = numbers.choice((16, 64, 256, numbers.randrange(1, 4096)))
            alloc = memref.AllocOp([], [], MemRefType(f32, [size]))
            body.add(alloc)
            living.append(alloc.memref)
            while len(living) > n // 8 or (living and numbers.random() < 0.4):
                last = numbers.randrange(len(living))
                living[last], living[-1] = living[-1], living[last]
                body.add(memref.DeallocOp.get(living.pop()))
        for buffer in living:
            body.add(memref.DeallocOp.get(buffer))

    return _program(build)


@dataclass(frozen=True)
class Program:
    """A row of the benchmark."""

    name: str
    build: Callable[[int], ModuleOp]
    has_deallocs: bool = False
    """Whether the program itself says what to free."""

    is_freed: bool = False
    """Whether it does so with `memref.dealloc`."""

    depths: tuple[int, ...] = ()
    """The sizes, for programs that are nested as deep as that."""


PROGRAMS = (
    Program("independent allocations", independent),
    Program("across a block", across_a_block),
    Program("across N blocks", across_blocks),
    Program("chain", chain),
    Program("scf.for", loops),
    Program("scf.for, own buffers", private_loops),
    Program("scf.if", conditionals),
    Program("ladder of blocks", ladder),
    Program("ladder of scf.if", nested_ladder, depths=(32, 64, 128)),
    Program("diamonds of blocks", diamonds),
    Program("loops of blocks", block_loops),
    Program("reallocs", reallocs),
    Program("one dealloc", one_dealloc, has_deallocs=True),
    Program("freed by chance", shuffled, has_deallocs=True, is_freed=True),
)
