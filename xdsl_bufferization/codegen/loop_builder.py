"""Writes loops on buffers, and what is in them.

    code.parallel([n], lambda inner, (i,): inner.store(value, buffer, [i]))
        -> scf.parallel (%i) = (%c0) to (%n) step (%c1) { memref.store ...; scf.reduce }

A function that writes the body of a loop or branch gets the builder of that body.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeAlias

from xdsl.dialects import arith, memref, scf
from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    IndexType,
    MemRefType,
)
from xdsl.ir import Attribute, Block, Region, SSAValue
from xdsl.irdl import Operand

from xdsl_bufferization.dialects.arith.builder import ArithBuilder
from xdsl_bufferization.dialects.linalg.structure import element_type_of, shape_of

Values: TypeAlias = Sequence[SSAValue]
_INDEX = IndexType()


class LoopBuilder(ArithBuilder):
    """Writes loops and branches, and loads and stores of elements."""

    def as_index(self, value: SSAValue) -> SSAValue:
        """An integer as an index."""
        return self.value(arith.IndexCastOp(value, _INDEX))

    # Memory.

    def size(self, buffer: SSAValue, dimension: int) -> SSAValue:
        """The size of a dimension of a buffer, counted from the last if negative."""
        shape = shape_of(buffer.type)
        dimension %= len(shape)
        known = shape[dimension]
        if known != DYNAMIC_INDEX:
            return self.index(known)
        return self.value(memref.DimOp(buffer, self.index(dimension)))

    def sizes(self, buffer: SSAValue) -> list[SSAValue]:
        """The sizes of all dimensions of a buffer."""
        return [self.size(buffer, d) for d in range(len(shape_of(buffer.type)))]

    def load(self, buffer: SSAValue, indices: Values) -> SSAValue:
        """An element."""
        return self.value(memref.LoadOp.get(buffer, indices))

    def store(self, value: SSAValue, buffer: SSAValue, indices: Values) -> None:
        """Write an element."""
        self.insert(memref.StoreOp.get(value, buffer, indices))

    def new_row(self, element: Attribute, like: SSAValue, dimension: int) -> SSAValue:
        """A new buffer of as many elements as `like` has in `dimension`."""
        size = shape_of(like.type)[dimension]
        dynamic = [self.size(like, dimension)] if size == DYNAMIC_INDEX else []
        return self.insert(
            memref.AllocOp(dynamic, [], MemRefType(element, [size]))
        ).memref

    def free(self, buffer: SSAValue) -> None:
        """Free what `new_row` gave."""
        self.insert(memref.DeallocOp.get(buffer))

    # Control.

    def parallel(
        self, bounds: Values, body: Callable[[LoopBuilder, Values], None]
    ) -> None:
        """Independent iterations, from zero up to `bounds`."""
        if not bounds:
            body(self, ())
            return
        inner = self.inside([_INDEX] * len(bounds))
        body(inner, inner.block.args)
        inner.insert(scf.ReduceOp())
        zero, one = self.index(0), self.index(1)
        count = len(bounds)
        self.insert(
            scf.ParallelOp([zero] * count, bounds, [one] * count, Region(inner.block))
        )

    def loop(
        self,
        bounds: tuple[SSAValue, SSAValue, SSAValue],
        body: Callable[[LoopBuilder, SSAValue], None],
    ) -> None:
        """Iterations in order; the bounds are the first, the end and the step."""

        def without_values(inner: LoopBuilder, i: SSAValue, _: Values) -> Values:
            body(inner, i)
            return ()

        self.fold(bounds, (), without_values)

    def fold(
        self,
        bounds: tuple[SSAValue, SSAValue, SSAValue],
        inits: Values,
        body: Callable[[LoopBuilder, SSAValue, Values], Values],
    ) -> Values:
        """Iterations that hand on values; returns the last ones."""
        inner = self.inside([_INDEX, *(init.type for init in inits)])
        i, *carried = inner.block.args
        inner.insert(scf.YieldOp(*body(inner, i, carried)))
        first, end, step = bounds
        loop = self.insert(scf.ForOp(first, end, step, [*inits], Region(inner.block)))
        return loop.results

    def count(
        self, end: SSAValue, body: Callable[[LoopBuilder, SSAValue], None]
    ) -> None:
        """Iterations in order, from zero up to `end`."""
        self.loop((self.index(0), end, self.index(1)), body)

    def repeat(
        self,
        inits: Values,
        condition: Callable[[LoopBuilder, Values], SSAValue],
        body: Callable[[LoopBuilder, Values], Values],
    ) -> Values:
        """Iterations that hand on values as long as a condition holds."""
        types = [init.type for init in inits]
        before, after = self.inside(types), self.inside(types)
        goes_on = condition(before, before.block.args)
        before.insert(scf.ConditionOp(goes_on, *before.block.args))
        after.insert(scf.YieldOp(*body(after, after.block.args)))
        loop = scf.WhileOp(inits, types, Region(before.block), Region(after.block))
        return self.insert(loop).results

    def choose(
        self,
        condition: SSAValue,
        then: Callable[[LoopBuilder], Values],
        otherwise: Callable[[LoopBuilder], Values],
    ) -> Values:
        """The values of one of two branches."""
        branches = self.inside([]), self.inside([])
        values: Values = ()
        for branch, write in zip(branches, (then, otherwise), strict=True):
            values = write(branch)
            branch.insert(scf.YieldOp(*values))
        types = [value.type for value in values]
        true, false = (Region(branch.block) for branch in branches)
        return self.insert(scf.IfOp(condition, types, true, false)).results

    def if_longer(
        self,
        than: int,
        row: tuple[SSAValue, int],
        body: Callable[[LoopBuilder], None],
    ) -> None:
        """What to do if a dimension of a buffer has more elements than this."""
        buffer, dimension = row
        known = shape_of(buffer.type)[dimension]
        if known != DYNAMIC_INDEX:
            if known > than:
                body(self)
            return

        def do_it(inner: LoopBuilder) -> Values:
            body(inner)
            return ()

        is_longer = self.compare("slt", self.index(than), self.size(buffer, dimension))
        self.choose(is_longer, do_it, lambda _: ())

    def inline(self, payload: Block, arguments: Values) -> SSAValue:
        """Add the ops of a region; returns the one value that it yields."""
        mapping: dict[SSAValue, SSAValue] = dict(
            zip(payload.args, arguments, strict=True)
        )
        end = payload.last_op
        assert end is not None
        for op in payload.ops:
            if op is not end:
                self.block.add_op(op.clone(mapping))
        (yielded,) = end.operands
        return mapping.get(yielded, yielded)


def without(indices: Values, dimension: int) -> list[SSAValue]:
    """All but the index of one dimension."""
    return [*indices[:dimension], *indices[dimension + 1 :]]


def within(indices: Values, dimension: int, index: SSAValue) -> list[SSAValue]:
    """The `indices` of the other dimensions, and that of `dimension`."""
    return [*indices[:dimension], index, *indices[dimension:]]


def element_of(buffer: Operand) -> Attribute:
    """The type of the elements of a buffer."""
    return element_type_of(buffer.type)
