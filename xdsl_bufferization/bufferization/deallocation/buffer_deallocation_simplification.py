"""Decide about `bufferization.dealloc` ops before running, as far as possible.

Runs between deallocation and its lowering, so that few comparisons are left:

- A memref that is certainly retained is not freed.
- A memref disappears if its condition is false, or if it is given twice.
- A retained memref disappears if it is certainly none of the freed ones.
- Memrefs that cannot share an allocation get a `bufferization.dealloc` each.

    %o:2 = bufferization.dealloc (%a, %b : ...) if (%true, %c) retain (%a, %x : ...)

    bufferization.dealloc (%b : ...) if (%c)          // %o#0 is %true, %o#1 is %false

Source of the rules: the patterns of MLIR's pass of this name. MLIR compares all pairs
of operands; here they are grouped by the allocations that may reach them.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import combinations

from typing_extensions import override
from xdsl.builder import Builder
from xdsl.context import Context
from xdsl.dialects import func, memref
from xdsl.dialects.builtin import ModuleOp, i1
from xdsl.ir import Operation, OpResult, SSAValue
from xdsl.passes import ModulePass
from xdsl.rewriter import InsertPoint

from xdsl_bufferization.dialects.bufferization import DeallocOp
from xdsl_bufferization.support.algorithms.disjoint_sets import DisjointSets
from xdsl_bufferization.support.garbage import without_garbage_collection
from xdsl_bufferization.support.traversal import ops_inside

from ..analyses.buffers.buffer_aliases import (
    AliasIndex,
    BufferAliases,
    analyze_buffer_aliases,
)
from ..analyses.buffers.buffer_flow import walk_group
from ..interfaces.deallocation import (
    Allocated,
    get_deallocation_model,
    is_buffer_scope,
    is_memref,
)
from .conditions import Condition, Constants, constant_condition, disjoin

_MAX_PAIRS = 64
"""Groups with at most so many pairs are compared pair by pair, which is more exact."""


@without_garbage_collection()
def simplify_all_deallocations(module: ModuleOp) -> None:
    """Simplify all `bufferization.dealloc` ops in the functions of a module."""
    for op in ops_inside(module):
        if is_buffer_scope(op):
            simplify_deallocations(op)


def simplify_deallocations(scope: Operation) -> None:
    """Simplify all `bufferization.dealloc` ops in a function with a body."""
    ops = [
        op
        for op in walk_group(scope)
        if isinstance(op, DeallocOp) and not _frees_one_allocation(op)
    ]
    if ops:
        aliases = analyze_buffer_aliases(scope, _may_return_arguments)
        for op in ops:
            _Simplification(op, aliases).run()


def _frees_one_allocation(op: DeallocOp) -> bool:
    """Whether an op frees one allocation that is at hand, and retains nothing.

    Nothing about other buffers can make it simpler, so that nothing needs to be known.
    """
    if len(op.operands) != 2 or op.results:
        return False
    value, flag = op.operands
    if not isinstance(value, OpResult) or constant_condition(flag) is False:
        return False
    model = get_deallocation_model(value.op)
    return model is not None and isinstance(
        model.get_buffer_origin(value.op, value), Allocated
    )


def _may_return_arguments(op: Operation) -> bool:
    """Whether a call may be one that says who owns its results.

    `private-function-dynamic-ownership` gives calls an i1 result for each memref, which
    then may be an argument of the call.
    """
    memrefs = sum(is_memref(result) for result in op.results)
    flags = sum(result.type == i1 for result in op.results)
    return isinstance(op, func.CallOp) and flags >= memrefs


@dataclass
class _Group:
    """Roots that may share allocations, with the values and conditions they have."""

    memrefs: dict[SSAValue, tuple[SSAValue, SSAValue]]
    retained: dict[SSAValue, SSAValue]

    def certain(self) -> dict[SSAValue, SSAValue]:
        """The retained roots that are due in any case, with their conditions."""
        return {
            root: flag
            for root, (_, flag) in self.memrefs.items()
            if root in self.retained and constant_condition(flag) is True
        }


class _Simplification:
    """Simplifies one op."""

    def __init__(self, op: DeallocOp, aliases: BufferAliases):
        self.op = op
        self.aliases = aliases
        self.builder = Builder(InsertPoint.before(op))
        self.constants = Constants(op)
        self.owned: dict[SSAValue, Condition] = {}
        """For each retained root, whether its allocation was to be freed."""

        self.wanted = {
            aliases.root(value)
            for value, result in zip(op.retained, op.updated_conditions, strict=True)
            if result.uses
        }
        """The retained roots whose condition is used."""

    def run(self) -> None:
        """Put simpler ops into the place of the op, if there are any."""
        op = self.op
        memrefs = self._due_memrefs()
        retained = {self.aliases.root(value): value for value in op.retained}
        groups = [
            _Group(
                {root: memrefs[root] for root in roots if root in memrefs},
                {root: retained[root] for root in roots if root in retained},
            )
            for roots in self._split(memrefs, retained)
        ]
        if len(groups) == 1 and self._is_as_simple(groups[0]):
            return
        for group in groups:
            self._decide(group)
        for value, result in zip(op.retained, op.updated_conditions, strict=True):
            if result.uses:
                condition = self.owned.get(self.aliases.root(value), False)
                result.replace_all_uses_with(self.constants.get(condition))
        operands = list(op.memrefs)
        op.detach()
        op.erase()
        _erase_unused_metadata(operands)

    def _is_as_simple(self, group: _Group) -> bool:
        """Whether the op would be replaced by an equal op."""
        return (
            bool(group.memrefs)
            and not self._find_kept(group)
            and self.wanted.isdisjoint(group.certain())
            and [value for value, _ in group.memrefs.values()] == list(self.op.memrefs)
            and len(group.retained) == len(self.op.retained)
        )

    def _due_memrefs(self) -> dict[SSAValue, tuple[SSAValue, SSAValue]]:
        """The memrefs that are freed under some condition, each root once."""
        due: dict[SSAValue, tuple[SSAValue, SSAValue]] = {}
        for value, flag in zip(self.op.memrefs, self.op.conditions, strict=True):
            condition = constant_condition(flag)
            if condition is False:
                continue
            root = self.aliases.root(value)
            if root in due:
                earlier = constant_condition(due[root][1])
                either = disjoin(self.builder, earlier, condition)
                due[root] = (due[root][0], self.constants.get(either))
            else:
                due[root] = (self._allocation(root, value), flag)
        return due

    def _allocation(self, root: SSAValue, value: SSAValue) -> SSAValue:
        """The allocation of `root` if it is at hand, else `value`."""
        origin = self.aliases.flow.origins.get(root)
        is_base = isinstance(origin, Allocated) and origin.is_base_buffer
        return root if is_base else value

    # --- splitting -------------------------------------------------------------------

    def _split(
        self,
        memrefs: Iterable[SSAValue],
        retained: Iterable[SSAValue],
    ) -> Iterable[list[SSAValue]]:
        """Groups of roots that may share allocations with each other only."""
        roots = list(dict.fromkeys((*memrefs, *retained)))
        for group in self._split_by_sites(roots):
            if len(group) * len(group) > _MAX_PAIRS:
                yield group
            else:
                yield from self._split_by_pairs(group)

    def _split_by_sites(self, roots: Sequence[SSAValue]) -> Iterable[list[SSAValue]]:
        sites = self.aliases.sites
        if any(root in self.aliases.unknown for root in roots):
            return [list(roots)]
        unlisted = {self.aliases.classes[r] for r in roots if sites[r] is None}
        sets = DisjointSets[SSAValue]()
        first: dict[SSAValue | int, SSAValue] = {}
        for root in roots:
            for site in sites[root] or ():
                sets.unite(first.setdefault(site, root), root)
            if (class_ := self.aliases.classes[root]) in unlisted:
                sets.unite(first.setdefault(class_, root), root)
        return sets.groups(roots)

    def _split_by_pairs(self, roots: Sequence[SSAValue]) -> Iterable[list[SSAValue]]:
        sets = DisjointSets[SSAValue]()
        for first, second in combinations(roots, 2):
            if self._may_alias(first, second):
                sets.unite(first, second)
        return sets.groups(roots)

    def _may_alias(self, first: SSAValue, second: SSAValue) -> bool:
        aliases = self.aliases
        return (
            aliases.may_alias(first, second)
            and not aliases.is_new_after(first, second)
            and not aliases.is_new_after(second, first)
        )

    # --- deciding --------------------------------------------------------------------

    def _decide(self, group: _Group) -> None:
        """Free the memrefs of a group unless they are retained."""
        kept = self._find_kept(group)
        self.owned.update(kept)
        due = [pair for root, pair in group.memrefs.items() if root not in kept]
        if due:
            values, flags = [value for value, _ in due], [flag for _, flag in due]
            op = DeallocOp(values, flags, list(group.retained.values()))
            self.builder.insert(op)
            for root, result in zip(group.retained, op.updated_conditions, strict=True):
                if root in self.wanted:
                    flag = constant_condition(kept[root]) if root in kept else False
                    self.owned[root] = disjoin(self.builder, flag, result)
        self.owned.update(group.certain())

    def _find_kept(self, group: _Group) -> dict[SSAValue, SSAValue]:
        """The roots that are not freed, as they are retained, with their conditions.

        They need not be given: what else has their allocation is compared with what is
        retained. Unless another retained root may have to be told that it is due.
        """
        retained = [root for root in group.memrefs if root in group.retained]
        if not retained:
            return {}
        undecided = self.wanted - group.certain().keys()
        index = AliasIndex(self.aliases, filter(undecided.__contains__, group.retained))
        return {
            root: group.memrefs[root][1]
            for root in retained
            if not index.has_rival(root)
        }


def _erase_unused_metadata(values: Iterable[SSAValue]) -> None:
    """Erase the ops that only existed to find the allocation of a memref."""
    owners: dict[Operation, None] = {
        value.owner: None
        for value in values
        if isinstance(value.owner, memref.ExtractStridedMetaDataOp)
    }
    for owner in owners:
        if not any(result.uses for result in owner.results):
            owner.detach()
            owner.erase()


@dataclass(frozen=True)
class BufferDeallocationSimplificationPass(ModulePass):
    """Decide at compile time what a `bufferization.dealloc` frees, where possible."""

    name = "buffer-deallocation-simplification"

    @override
    def apply(self, ctx: Context, op: ModuleOp) -> None:
        """Run on all functions of the module."""
        simplify_all_deallocations(op)
