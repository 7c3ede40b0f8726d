"""lower-concats: the parts of a concatenation are computed in their place in it.

    %1 = ... -> tensor<4xf32>
    %2 = ... %1 ... -> tensor<4xf32>
    %3 = tensor.concat dim(0) %1, %2

    %0 = tensor.empty() : tensor<8xf32>
    %1 = ... -> tensor<4xf32>
    %a = tensor.insert_slice %1 into %0[0] [4] [1]
    %b = tensor.extract_slice %a[0] [4] [1]
    %2 = ... %b ... -> tensor<4xf32>
    %3 = tensor.insert_slice %2 into %a[4] [4] [1]

Runs after tiling, right before bufferization. A part is put into the whole right behind
the op that computes it. So `eliminate-empty-tensors` lets that op write to its place.
What else reads the part reads it in the whole, as it is when that op runs: no later
part is in its way. A part that nothing computes here, such as an argument, is copied.
If a pad is all that reads the whole, the parts are put inside of its border.

Sizes have to be known. Other concatenations stay as they are.
"""

from bisect import bisect_left
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from operator import add

from xdsl.dialects import tensor
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Block, Operation, SSAValue
from xdsl.rewriter import InsertPoint, Rewriter

from xdsl_bufferization.bufferization.mlir_pass import TensorPass
from xdsl_bufferization.dialects.tensor.constraints import ranked_type
from xdsl_bufferization.support.traversal import ops_inside

from ..common.destinations import starts_from_empty
from ..common.pads import border_of
from ..common.slices import insert_slice, part_offsets
from .lower_pads import bordered, is_known_before


def lower_concats(module: ModuleOp) -> None:
    """Let the parts of concatenations in `module` be computed in place."""
    ops = ops_inside(module)
    order = {op: number for number, op in enumerate(ops)}
    for op in ops:
        if isinstance(op, tensor.ConcatOp) and _has_known_sizes(op):
            _Lowering(op, order).run()


def _has_known_sizes(op: tensor.ConcatOp) -> bool:
    return all(ranked_type(v).has_static_shape() for v in (*op.inputs, op.result))


@dataclass(frozen=True)
class _Part:
    value: SSAValue
    offsets: Sequence[int]

    @property
    def sizes(self) -> Sequence[int]:
        """How large the part is."""
        return ranked_type(self.value).get_shape()

    def moved(self, distances: Sequence[int]) -> "_Part":
        """The part further inside."""
        return _Part(self.value, list(map(add, self.offsets, distances)))


class _Lowering:
    """Puts the parts of one concatenation into the whole."""

    def __init__(self, op: tensor.ConcatOp, order: Mapping[Operation, int]):
        self._op = op
        self._order = order
        self._wholes: list[SSAValue] = []
        """The whole with one part more each time."""
        self._places: list[int] = []
        """Behind which op each of these is."""

    def run(self) -> None:
        """Replace the op, and a pad behind it."""
        op = self._op
        parts = _parts(op)
        early = sorted(filter(self._is_computed, parts), key=self._place_of)
        first = op if not early else early[0].value.owner
        assert isinstance(first, Operation)
        replaced, whole, inside = self._empty(first)
        for part in early:
            whole = self._insert(part.moved(inside), whole, self._place_of(part))
        done = {part.value for part in early}
        for part in parts:
            if part.value not in done:
                whole = self._insert(part.moved(inside), whole, self._order[op])
        inserted = {each.owner for each in self._wholes}
        for part in early:
            self._read_from_whole(part.moved(inside), inserted)
        Rewriter.replace_op(replaced, [], [whole])
        if replaced is not op:
            Rewriter.erase_op(op)

    def _place_of(self, part: _Part) -> int:
        assert isinstance(part.value.owner, Operation)
        return self._order[part.value.owner]

    def _is_computed(self, part: _Part) -> bool:
        """Whether ops of the block compute a part, for no other concatenation.

        A part that is there twice is copied.
        """
        owner = part.value.owner
        if isinstance(owner, Block) or owner.parent is not self._op.parent:
            return False
        users = [use.operation for use in part.value.uses]
        count = sum(isinstance(user, tensor.ConcatOp) for user in users)
        return owner in self._order and count == 1 and starts_from_empty(part.value)

    def _empty(self, first: Operation) -> tuple[Operation, SSAValue, Sequence[int]]:
        """What to replace, its tensor in front of `first`, and where parts begin."""
        op = self._op
        users = [use.operation for use in op.result.uses]
        pad = users[0] if len(users) == 1 else None
        if isinstance(pad, tensor.PadOp) and pad.parent is op.parent:
            border = border_of(pad)
            if (
                border is not None
                and 0 not in op.result.type.get_shape()
                and pad.result.type.has_static_shape()
                and is_known_before(border.value, first)
            ):
                return pad, bordered(pad, border, first), border.low
        empty = tensor.EmptyOp([], op.result.type)
        empty.location = op.location
        Rewriter.insert_op(empty, InsertPoint.before(first))
        return op, empty.tensor, [0] * len(op.result.type.get_shape())

    def _insert(self, part: _Part, whole: SSAValue, place: int) -> SSAValue:
        op = self._op
        insertion = insert_slice(part.value, whole, part.offsets, part.sizes)
        insertion.location = op.location
        if place == self._order[op]:
            point = InsertPoint.before(op)
        else:
            # One op may compute several parts.
            is_next = self._places[-1:] == [place]
            owner = self._wholes[-1].owner if is_next else part.value.owner
            assert isinstance(owner, Operation)
            point = InsertPoint.after(owner)
        Rewriter.insert_op(insertion, point)
        self._wholes.append(insertion.result)
        self._places.append(place)
        return insertion.result

    def _read_from_whole(
        self, part: _Part, inserted: Collection[Operation | Block]
    ) -> None:
        """Let users of a part read it in the whole, as it is at that time.

        All but the concatenation, and the ops that were inserted for it.
        """
        assert self._op.parent is not None
        views: dict[int, SSAValue] = {}
        for use in list(part.value.uses):
            user = use.operation
            if user is self._op or user in inserted:
                continue
            ancestor = self._op.parent.find_ancestor_op_in_block(user)
            place = None if ancestor is None else self._order.get(ancestor)
            if place is None:
                continue
            number = bisect_left(self._places, place) - 1
            if number not in views:
                views[number] = self._view(part, self._wholes[number])
            user.operands[use.index] = views[number]

    def _view(self, part: _Part, whole: SSAValue) -> SSAValue:
        slice_ = tensor.ExtractSliceOp(
            whole,
            list(part.offsets),
            list(part.sizes),
            [1] * len(part.offsets),
            ranked_type(part.value),
        )
        slice_.location = self._op.location
        assert isinstance(whole.owner, Operation)
        Rewriter.insert_op(slice_, InsertPoint.after(whole.owner))
        return slice_.result


def _parts(op: tensor.ConcatOp) -> list[_Part]:
    """The parts that have elements: nothing is a place for another one."""
    dim = op.dim.value.data
    rank = len(op.result.type.get_shape())
    return [
        _Part(value, [start if d == dim else 0 for d in range(rank)])
        for value, start in zip(op.inputs, part_offsets(op), strict=True)
        if 0 not in ranked_type(value).get_shape()
    ]


class LowerConcatsPass(TensorPass):
    """Compute the parts of concatenations in their place."""

    name = "lower-concats"
    rewrite = staticmethod(lower_concats)
