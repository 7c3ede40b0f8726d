"""Moving definitions of values up in their block, with all that they are made of.

    use                               %1 = arith.addi %n, %n
    %1 = arith.addi %n, %n            use

Only ops without side effects move, and only within a block. Source of the rule: MLIR's
`moveValueDefinitions`.
"""

from collections.abc import Iterator, Sequence

from xdsl.dialects.builtin import AffineMapAttr
from xdsl.dialects.linalg.ops import YieldOp
from xdsl.ir import Block, Operation, SSAValue
from xdsl.ir.affine import (
    AffineBinaryOpExpr,
    AffineBinaryOpKind,
    AffineConstantExpr,
    AffineExpr,
)
from xdsl.traits import IsTerminator, is_side_effect_free

from xdsl_bufferization.support.traversal import ops_inside

from ..interfaces.destination_style import DestinationStyleOpInterface
from ..models.slices import constant_value
from .op_order import OpOrder

_DIVISIONS = frozenset(
    f"{dialect}.{name}"
    for dialect in ("arith", "index")
    for name in (
        "ceildivsi", "ceildivui", "divsi", "divui", "floordivsi", "remsi", "remui",
        "ceildivs", "ceildivu", "divs", "divu", "floordivs", "rems", "remu",
    )
)  # fmt: skip
"""Ops that are undefined for some operands, so that not running them matters."""

_MAY_NOT_END = frozenset({"scf.while"})

_GO_ON = frozenset({
    "affine", "arith", "bufferization", "complex", "index", "linalg", "math", "memref",
    "scf", "tensor", "vector",
})  # fmt: skip
"""Dialects whose ops go on to the next op, unless they are undefined."""

_AFFINE_MAPS = frozenset({"affine.apply", "affine.min", "affine.max"})
_AFFINE_DIVISIONS = (
    AffineBinaryOpKind.Mod,
    AffineBinaryOpKind.FloorDiv,
    AffineBinaryOpKind.CeilDiv,
)

_MAX_MOVES = 8
"""How often one op is moved: each time, all that it is made of moves as well."""


class MovableDefinitions:
    """Moves definitions; knows for each op what it cannot be moved over."""

    def __init__(self, order: OpOrder):
        self._order = order
        self._barriers: dict[Operation, Operation | None] = {}
        self._moves: dict[Operation, int] = {}

    def move(self, values: Sequence[SSAValue], place: Operation) -> bool:
        """Move the definitions of `values` to `place`, or do nothing and say False."""
        needed = [v for v in values if not self._order.is_visible(v, place)]
        if not self._order.is_place(place):
            return not needed
        definitions: list[Operation] = []
        for value in needed:
            owner = value.owner
            if isinstance(owner, Block) or owner.parent_block() != place.parent_block():
                return False
            barrier = self._find_barrier(owner)
            if barrier is not None and not self._order.comes_before(barrier, place):
                return False
            definitions.append(owner)
        found = self._collect(definitions, place)
        if found is None:
            return False
        self._order.move(self._order.sort(found), place)
        for op in found:
            self._moves[op] = self._moves.get(op, 0) + 1
        return True

    def _collect(
        self, definitions: Sequence[Operation], place: Operation
    ) -> list[Operation] | None:
        """All behind `place` that `definitions` need; None if it cannot be moved."""
        found = dict.fromkeys(definitions)
        todo = list(found)
        while todo:
            op = todo.pop()
            if op is place or self._moves.get(op, 0) == _MAX_MOVES:
                return None
            for used in _used_in_block(op):
                if used not in found and not self._order.comes_before(used, place):
                    found[used] = None
                    todo.append(used)
        return list(found)

    def _find_barrier(self, op: Operation) -> Operation | None:
        """The last op with side effects among those that `op` is made of."""
        todo = [op]
        while todo:
            at = todo[-1]
            if at in self._barriers:
                todo.pop()
                continue
            if not is_movable(at):
                self._barriers[at] = at
                continue
            used = list(_used_in_block(at))
            unknown = [other for other in used if other not in self._barriers]
            todo += unknown
            if not unknown:
                barriers = [b for b in map(self._barriers.get, used) if b is not None]
                self._barriers[at] = (
                    self._order.sort(barriers)[-1] if barriers else None
                )
        return self._barriers[op]


def _used_in_block(op: Operation) -> Iterator[Operation]:
    """The ops in the block of `op` whose results `op` or its regions use."""
    block = op.parent_block()
    for user in op.walk():
        for operand in user.operands:
            owner = operand.owner
            if isinstance(owner, Operation) and owner.parent_block() is block:
                yield owner


def is_movable(op: Operation) -> bool:
    """Whether running `op` earlier, or for nothing, makes no difference."""
    return all(_is_pure(inner) for inner in op.walk())


def _is_pure(op: Operation) -> bool:
    if op.name in _MAY_NOT_END:
        return False
    if op.name in _DIVISIONS:
        divisor = constant_value(op.operands[1])
        # By -1, the least number of a type has no quotient of the type.
        return divisor is not None and divisor > 0
    if op.name in _AFFINE_MAPS:
        map_ = op.properties["map"]
        assert isinstance(map_, AffineMapAttr)
        return all(map(_divides_by_constants, map_.data.results))
    if op.has_trait(DestinationStyleOpInterface):
        # On tensors it has no effects but its results.
        return len(op.results) > 0
    return (
        isinstance(op, YieldOp)
        or op.has_trait(IsTerminator)
        or (is_side_effect_free(op))
    )


def _divides_by_constants(expr: AffineExpr) -> bool:
    return all(
        isinstance(each.rhs, AffineConstantExpr) and each.rhs.value > 0
        for each in expr.dfs()
        if isinstance(each, AffineBinaryOpExpr) and each.kind in _AFFINE_DIVISIONS
    )


def may_stop(op: Operation) -> bool:
    """Whether `op` may end the program, or not come to an end itself."""
    return not all(map(_goes_on, ops_inside(op)))


def _goes_on(op: Operation) -> bool:
    dialect = op.name.partition(".")[0]
    return dialect in _GO_ON and op.name not in _MAY_NOT_END
