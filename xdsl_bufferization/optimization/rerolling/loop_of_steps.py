"""A loop in place of equal steps.

    %h2 = ... %x1, %h1         %h = scf.for %i = 1 to 32 iter_args(%h = %h1) {
    ...                  ->      %n = ... %x[%i], %h
    %h32 = ... %x31, %h31        scf.yield %n
                               }

The ops of the second step become the body of the loop. What they read of the first step
is nothing else, unlike what the first step starts with.
"""

from collections.abc import Callable, Sequence

from xdsl.dialects import affine, scf, tensor
from xdsl.dialects.builtin import AffineMapAttr, IndexType, TensorType
from xdsl.dialects.linalg.ops import FillOp
from xdsl.ir import Attribute, Block, Operation, Region, SSAValue, Use
from xdsl.ir.affine import AffineExpr, AffineMap
from xdsl.rewriter import InsertPoint, Rewriter
from xdsl.utils.hints import isa

from xdsl_bufferization.dialects.common.static_values import (
    OpFoldResult,
    index_constant,
)
from xdsl_bufferization.dialects.tensor.constraints import ranked_type

from ..common.relayout import reassociation
from ..common.slices import insert_slice, part_offsets
from .steps import Collected, Made, Steps
from .straight_line import inputs_of, is_fixed


def replace_by_loop(steps: Steps) -> None:
    """Replace steps by a loop; their block has its ops in the order of the line."""
    _Loop(steps).replace_steps()


class _Loop:
    """A loop that is made of steps."""

    def __init__(self, steps: Steps):
        self._steps = steps
        self._first = _first_index(steps)
        self._indices: dict[tuple[int, int], SSAValue] = {}
        self._moved: dict[int, Operation] = {}
        self._filled: dict[Operation, Operation] = {}
        self._weights: dict[Sequence[SSAValue], SSAValue] = {}
        self._passed = [made for made in steps.carried if made not in steps.collected]
        behind = steps.ops_of(steps.count - 1)[-1].next_op
        assert behind is not None, "a terminator is no step"
        self._behind = behind
        """What the loop is put in front of."""
        collected = steps.collected.values()
        types = [
            *(steps.carried[made].type for made in self._passed),
            *(each.concat.result.type for each in collected),
        ]
        self._body = Block(arg_types=[IndexType(), *types])
        self._values = dict(zip(self._passed, self._body.args[1:], strict=False))
        """What an iteration gets of the one before it."""
        wholes = self._body.args[1 + len(self._passed) :]
        self._wholes = dict(zip(steps.collected, wholes, strict=True))
        """The tensors with what was collected before an iteration."""

    def replace_steps(self) -> None:
        """Put the loop where the steps are."""
        steps = self._steps
        read_behind = {made: self._uses_behind(made) for made in steps.carried}
        starts = [
            *(steps.carried[made] for made in self._passed),
            *map(self._start, steps.collected.values()),
        ]
        self._fill_body()
        lower, upper, step = self._bounds()
        loop = scf.ForOp(lower, upper, step, starts, Region(self._body))
        self._insert(loop)
        results = dict(zip((*self._passed, *steps.collected), loop.res, strict=True))
        for made, uses in read_behind.items():
            if uses:
                value = self._last(made, results[made])
                for use in uses:
                    use.operation.operands[use.index] = value
        for made, each in steps.collected.items():
            self._finish(each, results[made])
        self._erase_others()

    def _uses_behind(self, made: Made) -> list[Use]:
        """The uses of what the last step made, but for those that collect it."""
        steps = self._steps
        each = steps.collected.get(made)
        return [
            use
            for use in steps.result(made, steps.count - 1).uses
            if steps.line.place_of_user(use.operation) >= steps.stop
            and (each is None or use.operation is not each.concat)
        ]

    def _last(self, made: Made, result: SSAValue) -> SSAValue:
        """What the last iteration made, of the result of the loop."""
        each = self._steps.collected.get(made)
        if each is None:
            return result
        last = each.offset + each.distance * (self._steps.count - 1)
        type_ = self._steps.carried[made].type
        return self._insert(_extract_part(each.concat, type_, result, last)).results[0]

    def _insert(self, op: Operation) -> Operation:
        """Insert an op behind the steps, and behind what was inserted before."""
        op.location = self._steps.ops_of(0)[0].location
        Rewriter.insert_op(op, InsertPoint.before(self._behind))
        return op

    def _bounds(self) -> list[Operation]:
        numbers = (self._first, self._first + self._steps.count, 1)
        return [self._insert(index_constant(number)) for number in numbers]

    # The body.

    def _fill_body(self) -> None:
        steps, body = self._steps, self._body
        for made in steps.carried:
            self._pass_on(made)
        weights = {each: steps.read(each) for each in steps.differing}
        for op in steps.ops_of(1):
            op.detach()
            body.add_op(op)
            self._take_starts(op)
        for (number, place), values in weights.items():
            op = steps.ops_of(1)[number]
            _replace_input(op, place, self._weight(values, op))
        for number, distances in steps.distances.items():
            self._move_slice(number, distances)
        body.add_op(
            scf.YieldOp(
                *map(self._result, self._passed),
                *map(self._collect, steps.collected),
            )
        )

    def _pass_on(self, made: Made) -> None:
        """Let the second step read what the iteration before made."""
        steps = self._steps
        value = self._values.get(made)
        if value is None:
            each = steps.collected[made]
            before = self._index(each.offset - each.distance, each.distance)
            type_, whole = steps.carried[made].type, self._wholes[made]
            part = _extract_part(each.concat, type_, whole, before)
            self._body.add_op(part)
            value = part.result
        ops = {*steps.ops_of(1)}
        find = steps.line.block.find_ancestor_op_in_block
        steps.result(made, 0).replace_uses_with_if(
            value, lambda use: find(use.operation) in ops
        )

    def _weight(self, values: Sequence[SSAValue], reader: Operation) -> SSAValue:
        """The one of some weights that an iteration reads."""
        part = self._weights.get(tuple(values))
        if part is None:
            stack = stacked(values, self._insert)
            type_ = ranked_type(values[0])
            op = part_of_stack(stack, self._index(0, 1), type_)
            Rewriter.insert_op(op, InsertPoint.before(reader))
            part = self._weights[tuple(values)] = op.result
        return part

    def _take_starts(self, op: Operation) -> None:
        """Let the body have empty tensors of its own, and filled ones.

        A tensor that is filled in front of the loop would be copied. In the loop, the
        fill becomes part of the product that starts from it.
        """
        for number, operand in enumerate(op.operands):
            owner = operand.owner
            if isinstance(owner, FillOp | tensor.EmptyOp) and is_fixed(owner):
                own = self._filled.get(owner)
                if own is None:
                    own = owner.clone()
                    Rewriter.insert_op(own, InsertPoint.before(op))
                    self._take_starts(own)
                if isinstance(owner, FillOp):
                    self._filled[owner] = own
                op.operands[number] = own.results[0]

    def _move_slice(self, number: int, distances: Sequence[int]) -> None:
        """Let a slice be elsewhere in each iteration."""
        op = self._steps.ops_of(1)[number]
        assert isinstance(op, tensor.ExtractSliceOp | tensor.InsertSliceOp)
        offsets = [
            self._index(offset, distance) if distance else offset
            for offset, distance in zip(
                self._steps.offsets(number), distances, strict=True
            )
        ]
        sizes, strides = op.static_sizes.get_values(), op.static_strides.get_values()
        if isinstance(op, tensor.InsertSliceOp):
            moved = insert_slice(op.source, op.dest, offsets, sizes, strides)
        else:
            moved = tensor.ExtractSliceOp(
                op.source, offsets, sizes, strides, op.result.type
            )
        moved.location = op.location
        Rewriter.replace_op(op, moved)
        self._moved[number] = moved

    def _collect(self, made: Made) -> SSAValue:
        """Insert what an iteration makes, and return the tensor that it is part of."""
        each, value = self._steps.collected[made], self._result(made)
        place = self._index(each.offset, each.distance)
        part = _insert_part(each.concat, value, self._wholes[made], place)
        assert isinstance(value.owner, Operation)
        Rewriter.insert_op(part, InsertPoint.after(value.owner))
        return part.result

    def _result(self, made: Made) -> SSAValue:
        """What an iteration makes."""
        moved = self._moved.get(made.op)
        return self._steps.result(made, 1) if moved is None else moved.results[0]

    def _index(self, offset: int, distance: int) -> SSAValue:
        """An offset that starts somewhere, and is further with each iteration."""
        factor, number = distance, offset - distance * self._first
        if (factor, number) == (1, 0):
            return self._body.args[0]
        index = self._indices.get((factor, number))
        if index is None:
            map_ = AffineMap(1, 0, (AffineExpr.dimension(0) * factor + number,))
            op = affine.ApplyOp([self._body.args[0]], AffineMapAttr(map_))
            Rewriter.insert_op(op, InsertPoint.at_start(self._body))
            index = self._indices[factor, number] = op.result
        return index

    # What is collected.

    def _start(self, each: Collected) -> SSAValue:
        """A tensor with the parts that are there before the steps."""
        whole = self._insert(tensor.EmptyOp([], each.concat.result.type)).results[0]
        for part, offset in self._other_parts(each):
            if self._is_before(part):
                insertion = _insert_part(each.concat, part, whole, offset)
                whole = self._insert(insertion).results[0]
        return whole

    def _finish(self, each: Collected, whole: SSAValue) -> None:
        """Insert the parts that are there behind the steps, for the concatenation."""
        for part, offset in self._other_parts(each):
            if not self._is_before(part):
                insertion = _insert_part(each.concat, part, whole, offset)
                Rewriter.insert_op(insertion, InsertPoint.before(each.concat))
                whole = insertion.result
        Rewriter.replace_op(each.concat, [], [whole])

    def _other_parts(self, each: Collected) -> list[tuple[SSAValue, int]]:
        """The parts of a concatenation that steps do not make, and where they are."""
        start, stop = self._steps.start, self._steps.stop
        return [
            (part, offset)
            for part, offset in zip(
                each.concat.inputs, part_offsets(each.concat), strict=True
            )
            if not start <= self._steps.line.place_of(part) < stop
        ]

    def _is_before(self, value: SSAValue) -> bool:
        owner = value.owner
        if isinstance(owner, Block) or is_fixed(owner):
            return True
        # What is in no line is a loop that was made behind these steps.
        return self._steps.line.places.get(owner, self._steps.stop) < self._steps.start

    def _erase_others(self) -> None:
        """Erase the steps but for the second, the last first."""
        for step in reversed(range(self._steps.count)):
            if step != 1:
                for op in reversed(self._steps.ops_of(step)):
                    Rewriter.erase_op(op)


def _replace_input(op: Operation, place: int, value: SSAValue) -> None:
    """Let an op read something else as one of its inputs."""
    if place < len(op.operands):
        op.operands[place] = value
    else:
        inputs_of(op)[place].replace_uses_with_if(
            value, lambda use: op.is_ancestor(use.operation)
        )


def _first_index(steps: Steps) -> int:
    """The number of the first iteration, with which offsets are simple."""
    for number, distances in steps.distances.items():
        for offset, distance in zip(steps.offsets(number), distances, strict=True):
            if distance > 0 and offset % distance == 0:
                return offset // distance
    for each in steps.collected.values():
        if each.distance > 0 and each.offset % each.distance == 0:
            return each.offset // each.distance
    return 0


def _insert_part(
    concat: tensor.ConcatOp, part: SSAValue, whole: SSAValue, offset: OpFoldResult
) -> tensor.InsertSliceOp:
    """Put a part into what becomes a concatenation."""
    sizes = ranked_type(part).get_shape()
    op = insert_slice(part, whole, _offsets(concat, offset), sizes)
    op.location = concat.location
    return op


def _extract_part(
    concat: tensor.ConcatOp, type_: Attribute, whole: SSAValue, offset: OpFoldResult
) -> tensor.ExtractSliceOp:
    """Take a part of what becomes a concatenation."""
    assert isa(type_, TensorType)
    sizes = type_.get_shape()
    op = tensor.ExtractSliceOp(
        whole, _offsets(concat, offset), sizes, [1] * len(sizes), type_
    )
    op.location = concat.location
    return op


def _offsets(concat: tensor.ConcatOp, offset: OpFoldResult) -> list[OpFoldResult]:
    rank, dim = len(concat.result.type.get_shape()), concat.dim.value.data
    return [offset if number == dim else 0 for number in range(rank)]


# Tensors of one type, one behind the other in one tensor, and each of them again.
#
# %0 = tensor.expand_shape %a                  // 8 -> 1x8
# %1 = tensor.expand_shape %b
# %s = tensor.concat dim(0) %0, %1             // a stack of %a and %b
# %p = tensor.extract_slice %s[%i, 0]          // %a or %b


def stacked(
    values: Sequence[SSAValue], insert: Callable[[Operation], Operation]
) -> SSAValue:
    """A tensor with all of `values`, which have one type with known sizes."""
    type_ = ranked_type(values[0])
    groups = [[number + 1] for number in range(type_.get_num_dims())]
    if groups:
        groups[0] = [0, 1]
    shape = (1, *type_.get_shape())
    parts = [
        insert(
            tensor.ExpandShapeOp(
                value, [], reassociation(groups), shape, _with_shape(type_, shape)
            )
        )
        for value in values
    ]
    whole = _with_shape(type_, (len(values), *type_.get_shape()))
    return insert(tensor.ConcatOp(parts, 0, whole)).results[0]


def part_of_stack(
    stack: SSAValue, number: SSAValue, type_: TensorType
) -> tensor.ExtractSliceOp:
    """One of the tensors of a stack; nothing holds the op yet."""
    shape = type_.get_shape()
    offsets = [number, *(0 for _ in shape)]
    strides = [1] * len(offsets)
    return tensor.ExtractSliceOp(stack, offsets, [1, *shape], strides, type_)


def _with_shape(
    type_: TensorType[Attribute], shape: Sequence[int]
) -> TensorType[Attribute]:
    return TensorType(type_.element_type, shape, type_.encoding)
