"""Writes the loops of a nest: outer loops as they are, the innermost over vectors.

for d0: for d1 in steps of 32: 32 elements at once;  then what is left, masked
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from xdsl.dialects import affine, arith, memref, scf, vector
from xdsl.dialects.builtin import (
    AffineMapAttr,
    AnyFloat,
    ArrayAttr,
    DenseIntOrFPElementsAttr,
    FloatAttr,
    IndexType,
    IntegerAttr,
    IntegerType,
    VectorType,
    i1,
    i64,
)
from xdsl.dialects.linalg.ops import IndexOp
from xdsl.ir import Attribute, Block, Operation, Region, SSAValue
from xdsl.ir.affine import AffineConstantExpr, AffineDimExpr, AffineExpr, AffineMap
from xdsl.rewriter import InsertPoint
from xdsl.utils.hints import isa

from xdsl_bufferization.dialects.arith.builder import ArithBuilder
from xdsl_bufferization.dialects.common.static_values import (
    OpFoldResult,
)
from xdsl_bufferization.dialects.vector.slices import ExtractStridedSliceOp

from .bodies import VectorBody, splat
from .nest import Access, Nest
from .reductions import Reduction


@dataclass(frozen=True)
class Plan:
    """A nest, and how it is vectorized."""

    nest: Nest
    innermost: int
    """The loop over vectors."""

    width: int
    """How many elements a vector has."""

    reductions: Sequence[Reduction]
    """Of each output if the innermost loop is a reduction."""

    at_once: int = 1
    """How many iterations of the loop around the innermost one are computed together.

    That loop is then a reduction. Outputs stay in registers in the meantime.
    """

    @property
    def around(self) -> int | None:
        """The loop around the innermost one."""
        others = [i for i in range(len(self.nest.loops)) if i != self.innermost]
        return others[-1] if others else None


@dataclass(frozen=True)
class _Chunk:
    """The elements that one iteration of the innermost loop computes."""

    start: SSAValue
    width: int
    mask: SSAValue | None = None


def write_loops(plan: Plan) -> None:
    """Write the loops before the op of the nest, which is then to be erased."""
    build = ArithBuilder(InsertPoint.before(plan.nest.op))
    for view in plan.nest.views:
        build.insert(view)
    _Writer(plan, build).write(build)


class _Writer:
    def __init__(self, plan: Plan, build: ArithBuilder):
        self.plan = plan
        self.nest = plan.nest
        self.zero = build.index(0)
        self.sizes = [
            loop.size if loop.size is not None else self._dynamic_size(number, build)
            for number, loop in enumerate(plan.nest.loops)
        ]
        self.ivs: list[SSAValue] = [self.zero] * len(self.sizes)

    def _dynamic_size(self, loop: int, build: ArithBuilder) -> SSAValue:
        for access in self.nest.accesses:
            if access.type is not None and AffineDimExpr(loop) in access.where:
                place = build.index(access.where.index(AffineDimExpr(loop)))
                return build.insert(memref.DimOp(access.value, place)).result
        raise AssertionError("a dynamic size is that of an operand")

    # Loops.

    def write(self, build: ArithBuilder, loop: int = 0) -> None:
        """Write the loops from `loop` on, then the innermost one."""
        if loop == self.plan.innermost:
            self.write(build, loop + 1)
        elif loop < len(self.sizes):
            self._write_outer(build, loop)
        elif self.plan.reductions:
            self._write_reduction(build)
        else:
            self._write_parallel(build)

    def _write_outer(self, build: ArithBuilder, loop: int) -> None:
        """Write a loop around others, some of its iterations at once if planned."""
        size, start = self.sizes[loop], self.zero
        many = self.plan.at_once if loop == self.plan.around else 1
        if many > 1 and isinstance(size, int):
            whole = size - size % many
            body = self._loop(build, (start, build.index(whole)), many, ())
            inside = ArithBuilder(InsertPoint.at_end(body))
            self._write_parallel(inside, self._following(body.args[0], many, inside))
            body.add_op(scf.YieldOp())
            start = build.index(whole)
        if not isinstance(size, int) or size % many or many == 1:
            end = build.index(size)
            body = self._loop(build, (start, end), 1, ())
            self.ivs[loop] = body.args[0]
            self.write(ArithBuilder(InsertPoint.at_end(body)), loop + 1)
            body.add_op(scf.YieldOp())

    def _following(
        self, first: SSAValue, many: int, build: ArithBuilder
    ) -> list[SSAValue]:
        """An index and those that follow."""
        return [build.add(first, build.index(number)) for number in range(many)]

    def _loop(
        self,
        build: ArithBuilder,
        range_: tuple[SSAValue, SSAValue],
        step: int,
        carried: Sequence[SSAValue],
    ) -> Block:
        """Write a loop without a terminator, and return its body."""
        body = Block(arg_types=[IndexType(), *(each.type for each in carried)])
        by = build.index(step)
        build.insert(scf.ForOp(*range_, by, carried, Region(body)))
        return body

    def _write_parallel(
        self, build: ArithBuilder, around: Sequence[SSAValue | None] = (None,)
    ) -> None:
        """Write the innermost loop, for some iterations of the loop around it."""
        uniform: list[dict[SSAValue, SSAValue]] = []
        for iteration in around:
            self._enter(iteration)
            uniform.append(self._uniform(build))

        def write(chunk: _Chunk, build: ArithBuilder, _: Sequence[SSAValue]):
            outputs: Sequence[SSAValue] | None = None
            for iteration, known in zip(around, uniform, strict=True):
                self._enter(iteration)
                outputs = self._elements(chunk, known, outputs, build)
            for access, value in zip(self.nest.results, outputs or (), strict=True):
                self._store(access, value, chunk, build)
            return ()

        self._write_chunks(build, (), write)

    def _enter(self, iteration: SSAValue | None) -> None:
        """Let what is written be an iteration of the loop around the innermost one."""
        if iteration is not None and self.plan.around is not None:
            self.ivs[self.plan.around] = iteration

    def _write_reduction(self, build: ArithBuilder) -> None:
        uniform = self._uniform(build)
        plan = self.plan
        starts = [
            build.insert(splat(each.neutral, plan.width)).result
            for each in plan.reductions
        ]

        def write(chunk: _Chunk, build: ArithBuilder, totals: Sequence[SSAValue]):
            return self._combine_elements(chunk, uniform, totals, build)

        totals = self._write_chunks(build, starts, write)
        for access, reduction, total in zip(
            self.nest.results, plan.reductions, totals, strict=True
        ):
            element = _reduced(reduction.combiner, total, plan.width, build)
            indices = self._indices(access, build)
            before = build.insert(memref.LoadOp.get(access.value, indices)).res
            after = _like(reduction.combiner, (before, element), build)
            build.insert(memref.StoreOp.get(after, access.value, indices))

    def _write_chunks(
        self,
        build: ArithBuilder,
        carried: Sequence[SSAValue],
        write: Callable[[_Chunk, ArithBuilder, Sequence[SSAValue]], Sequence[SSAValue]],
    ) -> Sequence[SSAValue]:
        """Write a loop over whole vectors, and what is left over after it."""
        size, width = self.sizes[self.plan.innermost], self.plan.width
        whole, rest = _split(size, width, build)
        if not isinstance(whole, int) or whole > width:
            end = build.index(whole)
            body = self._loop(build, (self.zero, end), width, carried)
            inside = ArithBuilder(InsertPoint.at_end(body))
            results = write(_Chunk(body.args[0], width), inside, body.args[1:])
            body.add_op(scf.YieldOp(*results))
            loop = body.parent_op()
            assert loop is not None
            carried = loop.results
        elif whole == width:
            carried = write(_Chunk(self.zero, width), build, carried)
        if isinstance(rest, int) and rest == 0:
            return carried
        start = build.index(whole)
        rest_width = width
        if isinstance(rest, int) and not carried:
            rest_width = _next_power_of_two(rest)
        if isinstance(rest, SSAValue) and not carried:
            build = _where_not_zero(rest, build)
        mask = None if rest == rest_width else _mask(rest, rest_width, build)
        return write(_Chunk(start, rest_width, mask), build, carried)

    # Elements.

    def _uniform(self, build: ArithBuilder) -> dict[SSAValue, SSAValue]:
        """What the arguments of the body are that are the same in all iterations."""
        known: dict[SSAValue, SSAValue] = {}
        inputs = self.nest.accesses[: -self.nest.outputs]
        for access, argument in zip(inputs, self.nest.body.args, strict=False):
            if access.uses(self.plan.innermost) or not argument.uses:
                continue
            if access.type is None:
                known[argument] = access.value
            else:
                indices = self._indices(access, build)
                load = memref.LoadOp.get(access.value, indices)
                known[argument] = build.insert(load).res
        return known

    def _body(
        self,
        chunk: _Chunk,
        uniform: dict[SSAValue, SSAValue],
        build: ArithBuilder,
        outputs: Sequence[SSAValue] | None = None,
    ) -> VectorBody:
        """A body whose arguments are loaded, but for outputs that are known."""
        innermost = self.plan.innermost
        self.ivs[innermost] = chunk.start
        body = VectorBody(build, chunk.width, self._body_indices(chunk, build))
        body.values.update(uniform)
        last = self.nest.body.args[len(self.nest.accesses) - self.nest.outputs :]
        known: dict[SSAValue, SSAValue] = dict(zip(last, outputs or (), strict=False))
        for access, argument in zip(
            self.nest.accesses, self.nest.body.args, strict=True
        ):
            if argument in known:
                body.values[argument] = known[argument]
            elif access.uses(innermost) and argument.uses:
                body.values[argument] = self._load(access, chunk, build)
        return body

    def _body_indices(self, chunk: _Chunk, build: ArithBuilder) -> dict[int, SSAValue]:
        """What `linalg.index` is, for the loops that the body asks for."""
        found: dict[int, SSAValue] = {}
        for op in self.nest.body.ops:
            if not isinstance(op, IndexOp):
                continue
            asked = op.dim.value.data
            found[asked] = self.zero
            for number, loop in enumerate(self.nest.loops):
                if asked in loop.origins:
                    found[asked] = self.ivs[number]
                    if number == self.plan.innermost:
                        found[asked] = _counted(chunk, build)
        return found

    def _elements(
        self,
        chunk: _Chunk,
        uniform: dict[SSAValue, SSAValue],
        outputs: Sequence[SSAValue] | None,
        build: ArithBuilder,
    ) -> list[SSAValue]:
        """What the outputs become; `outputs` are what they are if not in memory."""
        body = self._body(chunk, uniform, build, outputs)
        block = self.nest.body
        body.write(list(block.ops))
        terminator = block.last_op
        assert terminator is not None
        return [body.vector_of(value) for value in terminator.operands]

    def _combine_elements(
        self,
        chunk: _Chunk,
        uniform: dict[SSAValue, SSAValue],
        totals: Sequence[SSAValue],
        build: ArithBuilder,
    ) -> list[SSAValue]:
        body = self._body(chunk, uniform, build)
        combiners = {each.combiner for each in self.plan.reductions}
        body.write([op for op in self.nest.body.ops if op not in combiners])
        results: list[SSAValue] = []
        for reduction, total in zip(self.plan.reductions, totals, strict=True):
            element = body.vector_of(reduction.element)
            combined = _like(reduction.combiner, (total, element), build)
            if chunk.mask is not None:
                choice = arith.SelectOp(chunk.mask, combined, total)
                combined = build.insert(choice).result
            results.append(combined)
        return results

    def _load(self, access: Access, chunk: _Chunk, build: ArithBuilder) -> SSAValue:
        assert access.type is not None
        type_ = VectorType(access.type.element_type, [chunk.width])
        indices = self._indices(access, build)
        if chunk.mask is None:
            return build.insert(vector.LoadOp(access.value, indices, type_)).result
        zeros = build.insert(splat(_zero(access.type.element_type), chunk.width)).result
        load = vector.MaskedLoadOp(access.value, indices, chunk.mask, zeros)
        return build.insert(load).result

    def _store(
        self, access: Access, value: SSAValue, chunk: _Chunk, build: ArithBuilder
    ) -> None:
        indices = self._indices(access, build)
        if chunk.mask is None:
            build.insert(vector.StoreOp(value, access.value, indices))
            return
        build.insert(vector.MaskedStoreOp(access.value, indices, chunk.mask, value))

    def _indices(self, access: Access, build: ArithBuilder) -> list[SSAValue]:
        """The place of the first element, by the loops that run."""
        return [self._expression(each, build) for each in access.where]

    def _expression(self, expression: AffineExpr, build: ArithBuilder) -> SSAValue:
        match expression:
            case AffineDimExpr():
                return self.ivs[expression.position]
            case AffineConstantExpr():
                return build.index(expression.value)
            case _:
                # The index of another loop may be one of before, which is out of scope.
                used = sorted(expression.used_dims())
                dims = [AffineExpr.constant(0)] * len(self.ivs)
                for number, loop in enumerate(used):
                    dims[loop] = AffineExpr.dimension(number)
                of_used = expression.replace_dims_and_symbols(dims, [])
                map_ = AffineMapAttr(AffineMap(len(used), 0, (of_used,)))
                indices = [self.ivs[loop] for loop in used]
                return build.insert(affine.ApplyOp(indices, map_)).result


# Numbers.


def _where_not_zero(count: SSAValue, build: ArithBuilder) -> ArithBuilder:
    """Where to write what runs only if a number is not zero."""
    body = Block()
    is_some = build.insert(arith.CmpiOp(count, build.index(0), "ne")).result
    build.insert(scf.IfOp(is_some, [], Region(body)))
    end = scf.YieldOp()
    body.add_op(end)
    return ArithBuilder(InsertPoint.before(end))


def _next_power_of_two(number: int) -> int:
    return 1 << (number - 1).bit_length()


def _zero(type_: Attribute) -> Attribute:
    if isa(type_, IndexType | IntegerType):
        return IntegerAttr(0, type_)
    assert isinstance(type_, AnyFloat)
    return FloatAttr(0.0, type_)


def _split(
    size: OpFoldResult, width: int, build: ArithBuilder
) -> tuple[OpFoldResult, OpFoldResult]:
    """How many elements are in whole vectors, and how many are left over."""
    if isinstance(size, int):
        return size - size % width, size % width
    rest = build.insert(arith.RemUIOp(size, build.index(width))).result
    return build.subtract(size, rest), rest


def _mask(count: OpFoldResult, width: int, build: ArithBuilder) -> SSAValue:
    """Whether each element is one of the first `count`."""
    type_ = VectorType(i1, [width])
    if isinstance(count, int):
        bits = [int(number < count) for number in range(width)]
        dense = DenseIntOrFPElementsAttr.from_list(type_, bits)
        return build.insert(arith.ConstantOp(dense)).result
    return build.insert(vector.CreateMaskOp([count], type_)).mask_vector


def _counted(chunk: _Chunk, build: ArithBuilder) -> SSAValue:
    """The index of each element along the innermost loop."""
    type_ = VectorType(IndexType(), [chunk.width])
    numbers = DenseIntOrFPElementsAttr.from_list(type_, range(chunk.width))
    counted = build.insert(arith.ConstantOp(numbers)).result
    start = build.insert(vector.BroadcastOp(chunk.start, type_)).vector
    return build.add(start, counted)


# Combining.


def _like(
    combiner: Operation, operands: Sequence[SSAValue], build: ArithBuilder
) -> SSAValue:
    """What `combiner` is of other operands, in this order and no other."""
    properties = dict(combiner.properties)
    if "fastmath" in properties:
        properties["fastmath"] = arith.FastMathFlagsAttr("none")
    op = type(combiner).create(
        operands=operands, result_types=[operands[0].type], properties=properties
    )
    op.location = combiner.location
    return build.insert(op).results[0]


def _reduced(
    combiner: Operation, total: SSAValue, width: int, build: ArithBuilder
) -> SSAValue:
    """The elements of a vector, combined pairwise."""
    while width > 1:
        width //= 2
        halves = [_part(total, start, width, build) for start in (0, width)]
        total = _like(combiner, halves, build)
    type_ = combiner.results[0].type
    return build.insert(vector.ExtractOp(total, [0], type_)).result


def _part(value: SSAValue, start: int, width: int, build: ArithBuilder) -> SSAValue:
    assert isa(value.type, VectorType)
    numbers = [ArrayAttr([IntegerAttr(each, i64)]) for each in (start, width, 1)]
    op = ExtractStridedSliceOp.create(
        operands=[value],
        result_types=[VectorType(value.type.element_type, [width])],
        properties=dict(zip(("offsets", "sizes", "strides"), numbers, strict=True)),
    )
    return build.insert(op).results[0]
