"""Common subexpressions are found with one hash of each op.

    %0 = arith.addf %a, %b     // hashed, and kept
    %1 = arith.addf %a, %b     // hashed, and found

xDSL 0.74 hashes an op for the look-up, again to keep it, and twice more to compare it.
It also makes a set of effects of each op several times. The rules are xDSL's.
"""

from dataclasses import dataclass, field

from typing_extensions import override
from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp, UnregisteredOp
from xdsl.ir import Block, Operation, Region
from xdsl.rewriter import Rewriter
from xdsl.transforms import common_subexpression_elimination as cse
from xdsl.transforms.common_subexpression_elimination import (
    has_other_side_effecting_op_in_between,
)

from xdsl_bufferization.support.equivalence import are_same_programs

from .effects import Kinds


class CommonSubexpressionElimination(cse.CommonSubexpressionElimination):
    """Eliminates common subexpressions, as xDSL's pass `cse`."""

    @override
    def apply(self, ctx: Context, op: ModuleOp) -> None:
        """Replace and erase ops of a module."""
        _Elimination().run(op)


class _Key:
    """An op that is equal to others with the same operands, attributes and regions."""

    __slots__ = ("_hash", "op")

    def __init__(self, op: Operation):
        self.op = op
        self._hash = hash(
            (
                _name_of(op),
                sum(map(hash, op.attributes.items())),
                sum(map(hash, op.properties.items())),
                tuple(result.type for result in op.results),
                tuple(op.operands),
            )
        )

    @override
    def __hash__(self) -> int:
        return self._hash

    @override
    def __eq__(self, other: object) -> bool:
        if not isinstance(other, _Key) or self._hash != other._hash:
            return False
        op, known = self.op, other.op
        return (
            _name_of(op) == _name_of(known)
            and op.attributes == known.attributes
            and op.properties == known.properties
            and op.operands == known.operands
            and op.result_types == known.result_types
            and all(
                are_same_programs(mine, its, {})
                for mine, its in zip(op.regions, known.regions, strict=True)
            )
        )


def _name_of(op: Operation) -> str:
    return op.op_name.data if isinstance(op, UnregisteredOp) else op.name


@dataclass
class _Elimination:
    """Goes through all ops in their order."""

    known: dict[_Key, Operation] = field(default_factory=dict[_Key, Operation])
    """The ops that can be used in the place of equal ones."""
    found: list[tuple[_Key, Operation | None]] = field(
        default_factory=list[tuple[_Key, Operation | None]]
    )
    """What this region has added to the known ops, and what was known before."""
    dead: dict[Operation, None] = field(default_factory=dict[Operation, None])
    kinds: Kinds = field(default_factory=Kinds)

    def run(self, module: ModuleOp) -> None:
        """Replace and erase ops inside of a module."""
        self._visit_region(module.body)
        for op in self.dead:
            if op.parent is not None:
                Rewriter.erase_op(op)

    def _visit_region(self, region: Region) -> None:
        if len(region.blocks) != 1:
            return
        # xDSL copies the known ops for each region, which costs the square of the ops.
        around, self.found = self.found, []
        self._visit_block(region.block)
        for key, before in reversed(self.found):
            if before is None:
                del self.known[key]
            else:
                self.known[key] = before
        self.found = around

    def _visit_block(self, block: Block) -> None:
        for op in block.ops:
            if op.regions:
                around = self.known
                if self.kinds[type(op)].is_isolated:
                    self.known = {}
                for region in op.regions:
                    self._visit_region(region)
                self.known = around
            self._visit(op)

    def _visit(self, op: Operation) -> None:
        if self.kinds[type(op)].is_terminator:
            return
        if self.kinds.is_dead(op):
            self.dead[op] = None
            return
        if any(len(region.blocks) > 1 for region in op.regions):
            return
        is_free = self.kinds.is_free(op)
        if not is_free and not self.kinds.only_reads(op):
            return
        key = _Key(op)
        known = self.known.get(key)
        if known is not None and (
            is_free
            or (
                op.parent is known.parent
                and not has_other_side_effecting_op_in_between(known, op)
            )
        ):
            self._replace(op, known)
        else:
            self.found.append((key, known))
            self.known[key] = op

    def _replace(self, op: Operation, known: Operation) -> None:
        """Let those use `known` that were not visited yet."""
        for old, new in zip(op.results, known.results, strict=True):
            if not any(_Key(use.operation) in self.known for use in old.uses):
                old.replace_all_uses_with(new)
        if all(result.first_use is None for result in op.results):
            self.dead[op] = None
