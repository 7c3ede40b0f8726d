"""Which values need a buffer of their own, since no one allocation stays with them.

    %r = scf.if %c -> memref<4xf32> {
      %n = memref.alloc()
      scf.yield %n                      // %n does not dominate %r: %r is critical
    } else {
      scf.yield %a                      // so this is cloned, too
    }

An alias of an allocation is critical if the allocation does not dominate it. There is
no place where that allocation, and only that one, could be freed. Each buffer that
flows into a critical alias is cloned, so that the alias owns its buffer as an
allocation does. The clones are owners as well, and may make other aliases critical. So
the search goes on until nothing changes.

All other aliases are dominated by each of their owners, and an owner is freed after the
last use of its aliases. The search starts from the innermost allocations and goes
outwards. So an alias is looked at again only for an owner further inwards.

Cost: near-linear in the flows, times how deep the owners of one alias are nested.
Source: MLIR's documentation of 2021, "Buffer Deallocation - Internals", "Introduction
of Clones".
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from heapq import heappop, heappush
from typing import NamedTuple

from xdsl.ir import Block, Operation, SSAValue

from xdsl_bufferization.support.algorithms.components import components
from xdsl_bufferization.support.algorithms.control_scopes import START, ControlScopes
from xdsl_bufferization.support.algorithms.reach import reach

from ...interfaces.deallocation import Allocated
from ...interfaces.operands import OpOperand
from ..buffers.buffer_flow import BufferFlow, FlowKind, block_of


class Transfer(NamedTuple):
    """A buffer that may become another value."""

    use: OpOperand | None
    """The operand that forwards it; None if the other value is a view or a choice."""

    source: SSAValue
    target: SSAValue


@dataclass
class AliasGraph:
    """Owners of buffers, and the values that may be the buffers of each."""

    flow: BufferFlow
    scopes: ControlScopes
    owners: dict[SSAValue, None] = field(default_factory=dict[SSAValue, None])
    """Allocations and critical aliases: each owns a buffer whenever it is defined."""

    critical: dict[SSAValue, None] = field(default_factory=dict[SSAValue, None])
    cloned: dict[OpOperand, tuple[SSAValue, ...]] = field(
        default_factory=dict[OpOperand, tuple[SSAValue, ...]]
    )
    """The operands that become critical aliases, and these aliases."""

    aliases: dict[SSAValue, list[SSAValue]] = field(
        default_factory=dict[SSAValue, list[SSAValue]]
    )
    """For each value, the views of it, and the other values that it may become."""

    forwarded: set[OpOperand] = field(default_factory=set[OpOperand])
    """All operands that become other values."""

    def reached_from(self, owner: SSAValue) -> Iterable[SSAValue]:
        """All values that may be the buffer of `owner`, itself included."""
        return reach((owner,), self.aliases)

    def values(self) -> dict[SSAValue, None]:
        """All values."""
        values = dict.fromkeys(self.owners)
        for source, targets in self.aliases.items():
            values[source] = None
            values.update(dict.fromkeys(targets))
        values.update(dict.fromkeys(self.flow.origins))
        return values

    def components(self) -> list[list[SSAValue]]:
        """All values, in groups of values that may become each other.

        The aliases of a value are in its group or in a group before it.
        """
        return components(self.values(), lambda value: self.aliases.get(value, ()))

    def sources(self) -> dict[SSAValue, list[SSAValue]]:
        """The values that an alias may be, by alias."""
        sources: dict[SSAValue, list[SSAValue]] = {}
        for source, targets in self.aliases.items():
            for target in targets:
                sources.setdefault(target, []).append(source)
        return sources


def find_critical_aliases(flow: BufferFlow) -> AliasGraph:
    """Find what needs a buffer of its own in a function."""
    return _Finder(flow).run()


class _Finder:
    def __init__(self, flow: BufferFlow):
        self.graph = AliasGraph(flow, ControlScopes(flow.points, flow.graphs))
        self.outgoing: dict[SSAValue, list[Transfer]] = {}
        self.incoming: dict[SSAValue, list[OpOperand]] = {}
        self.targets: dict[OpOperand, list[SSAValue]] = {}
        self.innermost: dict[SSAValue, SSAValue] = {}
        """By alias, the innermost of the owners that may become it."""

        self.todo: list[tuple[int, int, SSAValue]] = []
        """New owners, those that come last in the program first."""

    def run(self) -> AliasGraph:
        graph = self.graph
        for transfer in self._transfers():
            self.outgoing.setdefault(transfer.source, []).append(transfer)
            if transfer.use is not None:
                self.incoming.setdefault(transfer.target, []).append(transfer.use)
                self.targets.setdefault(transfer.use, []).append(transfer.target)
        for value, origin in graph.flow.origins.items():
            if isinstance(origin, Allocated) and self._is_reachable(value):
                self._add_owner(value)
        while self.todo:
            self._follow(heappop(self.todo)[2])
        self._finish()
        return graph

    # --- the graph -------------------------------------------------------------------

    def _transfers(self) -> Iterator[Transfer]:
        for transfer in self._all_transfers():
            if self._is_reachable(transfer.source) and (
                transfer.use is None or self._is_run(transfer.use.owner)
            ):
                yield transfer

    def _all_transfers(self) -> Iterator[Transfer]:
        flow = self.graph.flow
        for view, source in flow.view_of.items():
            yield Transfer(None, source, view)
        for each in flow.flows:
            use = None if each.kind is FlowKind.SELECT else each.use
            yield Transfer(use, each.source, each.target)

    def _is_reachable(self, value: SSAValue) -> bool:
        return self.graph.scopes.is_reachable(block_of(value))

    def _is_run(self, op: Operation) -> bool:
        assert op.parent is not None
        return self.graph.scopes.is_reachable(op.parent)

    def _finish(self) -> None:
        graph = self.graph
        for value in graph.critical:
            for use in self.incoming.get(value, ()):
                graph.cloned[use] = tuple(self.targets[use])
        graph.forwarded.update(self.targets)
        for source, transfers in self.outgoing.items():
            aliases = {t.target: None for t in transfers}
            graph.aliases[source] = [a for a in aliases if a not in graph.critical]

    # --- the fix-point ---------------------------------------------------------------

    def _add_owner(self, value: SSAValue) -> None:
        self.graph.owners[value] = None
        position = self.graph.scopes.position(value)
        heappush(self.todo, (-position, len(self.graph.owners), value))

    def _follow(self, owner: SSAValue) -> None:
        """Follow the buffer of `owner`; aliases that it may not become are critical."""
        # Invariant at the end: of all owners whose buffer may become a value that is
        # not critical, each dominates that value. Owners that dominate one value form a
        # chain. So if the innermost of them dominates a target, all of them do, and
        # none but the innermost is followed. A value is visited again only for an owner
        # further inwards, and becomes critical at most once: the search ends. Source:
        # `introduceClones` in MLIR's BufferDeallocation.cpp, which MLIR has dropped.
        self.innermost[owner] = owner
        todo = [owner]
        while todo:
            value = todo.pop()
            inner = self.innermost[value]
            for _, _, target in self.outgoing.get(value, ()):
                if target in self.graph.owners:
                    continue
                if not _dominates(self.graph.scopes, inner, target):
                    self._make_critical(target)
                elif self._is_further_in(inner, target):
                    self.innermost[target] = inner
                    todo.append(target)

    def _is_further_in(self, owner: SSAValue, alias: SSAValue) -> bool:
        known = self.innermost.get(alias)
        return known is None or _dominates(self.graph.scopes, known, owner)

    def _make_critical(self, value: SSAValue) -> None:
        """Make `value` critical, and all aliases that get the same clones."""
        # The clone replaces the operand, so that every value which the operand may
        # become gets the clone. Whichever gets it in a run has to free it: all of them
        # are owners.
        todo = [value]
        while todo:
            current = todo.pop()
            if current in self.graph.critical:
                continue
            self.graph.critical[current] = None
            self._add_owner(current)
            for use in self.incoming.get(current, ()):
                todo.extend(self.targets[use])


def _dominates(scopes: ControlScopes, owner: SSAValue, value: SSAValue) -> bool:
    """Whether `owner` is defined each time before `value` is."""
    home = block_of(owner)
    assert home.parent is not None
    ancestor = scopes.ancestor_in(home.parent, block_of(value))
    if ancestor is None:
        return False
    block, time = ancestor
    if block is not home:
        return scopes.dominates(home, block)
    if time == START and not isinstance(value.owner, Block):
        time = scopes.before(value.owner)
    return scopes.defined_at(owner) < time
