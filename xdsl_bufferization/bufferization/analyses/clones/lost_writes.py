"""Clones that would change the program, as they or their buffer are written to later.

    %r = scf.if %c {
      scf.yield %a                       // cloned, as %n below makes %r critical
    } else {
      %n = memref.alloc()
      scf.yield %n
    }
    memref.store %x, %r[%i]
    memref.load %a[%i]                   // does not see %x any more

A value and its clone hold the same until one of the two is written. From then on the
other one must not be in use any more: what was one buffer in the program would be two.
The same holds for two clones of one value, and for clones of clones. Arguments of a
function are taken to be different buffers.

Whether an access comes after a clone is asked of `control_scopes.py`. Cost: for each
access and each clone, the depth at which it is nested. Source: MLIR's documentation of
2021, "Buffer Deallocation - Internals", "Requirements", which asks for programs without
such writes.
"""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field

from xdsl.dialects import memref
from xdsl.ir import SSAValue

from xdsl_bufferization.support.algorithms.components import components
from xdsl_bufferization.support.algorithms.control_scopes import Moment, Scope
from xdsl_bufferization.support.algorithms.disjoint_sets import DisjointSets

from ...interfaces.branch import get_passed_argument
from ...interfaces.deallocation import Borrowed
from ...interfaces.operands import OpOperand
from ...interfaces.region_branch import get_region_branch
from ..buffers.buffer_flow import block_of
from ..buffers.memory_accesses import access_of
from .critical_aliases import AliasGraph
from .written_arguments import WrittenArguments


def find_lost_write(graph: AliasGraph, written: WrittenArguments) -> OpOperand | None:
    """The first operand that must not be cloned, or None if there is none."""
    if not graph.cloned:
        return None
    finder = _Finder(graph, written)
    return next((use for use in graph.cloned if finder.loses_write(use)), None)


@dataclass(slots=True)
class _Times:
    """When accesses happen in a scope: for each node, the time of the last one."""

    last: dict[int, int] = field(default_factory=dict[int, int])
    first_node: int = 0
    """The lowest node with an access. Nodes that come later have lower numbers."""


class _Events:
    """Accesses to buffers, by class of values and by scope."""

    def __init__(self) -> None:
        self.times: dict[tuple[SSAValue, Scope], _Times] = {}

    def add(self, class_: SSAValue, moment: Moment, depth: int) -> None:
        """Note an access, in its scope and in the scopes around it up to a depth."""
        current: Moment | None = moment
        while current is not None and current.scope.depth >= depth:
            scope, node, time = current
            times = self.times.setdefault((class_, scope), _Times(first_node=node))
            if times.last.get(node, -2) >= time:
                return  # The scopes around have heard of this op or loop.
            times.last[node] = time
            times.first_node = min(times.first_node, node)
            current = scope.outer

    def is_in(self, class_: SSAValue, scope: Scope) -> bool:
        return (class_, scope) in self.times

    def is_later(self, class_: SSAValue, moment: Moment) -> bool:
        """Whether there may be an access later in the same iteration of the scope."""
        times = self.times.get((class_, moment.scope))
        return times is not None and (
            times.first_node < moment.node
            or times.last.get(moment.node, -2) > moment.time
        )


class _Finder:
    def __init__(self, graph: AliasGraph, written: WrittenArguments):
        self.graph = graph
        self.scopes = graph.scopes
        self.written = written
        self.classes = _Classes(graph)
        self.accesses = _Events()
        self.writes = _Events()
        self.read_below: set[SSAValue] = set()
        """The values that are read, or that become values that are, or clones."""

        self.written_below: set[SSAValue] = set()
        self._collect()
        self._read_clones = Counter(
            self._moment_of_siblings(use)
            for use in graph.cloned
            if self._becomes_one_of(self.read_below, use)
        )
        """How many of the clones that are made together are read."""

    def loses_write(self, use: OpOperand) -> bool:
        """Whether a clone of an operand would miss a write, or hide one."""
        # Buffer and clone are equal when the clone is made. A read of either finds what
        # it would find in the one buffer of the program, as long as the other one was
        # not written since. So two things are excluded: the clone is written, and
        # anything else may access the buffer or another clone later; or the clone is
        # read, and the buffer may be written later. When unsure: True.
        block = use.owner.parent
        assert block is not None
        moment = self.scopes.moment(block, self.scopes.before(use.owner))
        source = self.classes.find(use.value)
        if self._becomes_one_of(self.written_below, use) and (
            source in self.classes.shared
            or self._is_after(self.accesses, source, moment)
            or self._has_read_sibling(use)
        ):
            return True
        return self._becomes_one_of(self.read_below, use) and (
            source in self.classes.written_elsewhere
            or self._is_after(self.writes, source, moment)
        )

    def _becomes_one_of(self, values: set[SSAValue], use: OpOperand) -> bool:
        return any(target in values for target in self.graph.cloned[use])

    def _has_read_sibling(self, use: OpOperand) -> bool:
        """Whether another clone of the buffer, made along with this one, is read."""
        itself = self._becomes_one_of(self.read_below, use)
        return self._read_clones[self._moment_of_siblings(use)] > itself

    def _moment_of_siblings(self, use: OpOperand) -> tuple[object, ...]:
        """The op and the buffer; for a branch also the block that it leads to."""
        argument = get_passed_argument(use)
        block = None if argument is None else argument.block
        return use.owner, self.classes.find(use.value), block

    # --- events ----------------------------------------------------------------------

    def _collect(self) -> None:
        clones: list[tuple[OpOperand, Moment]] = []
        for value in self.graph.values():
            clones += self._visit(value)
        self._spread()
        # What a clone becomes is this buffer: writing to it is writing to this.
        for use, moment in clones:
            if self._becomes_one_of(self.written_below, use):
                self._add(self.writes, use.value, moment)
        self.classes.note_sharing(self.written)

    def _spread(self) -> None:
        """Propagate reads and writes, from what a value becomes to the value."""
        becomes = {value: [*found] for value, found in self.graph.aliases.items()}
        for use, targets in self.graph.cloned.items():
            becomes.setdefault(use.value, []).extend(targets)
        for component in components(becomes, lambda value: becomes.get(value, ())):
            near = {each for value in component for each in becomes.get(value, ())}
            near.update(component)
            for values in (self.read_below, self.written_below):
                if not values.isdisjoint(near):
                    values.update(component)

    def _visit(self, value: SSAValue) -> Iterator[tuple[OpOperand, Moment]]:
        """Note the accesses to a value; yields the operands that are cloned."""
        for use, moment in self._moments(value):
            if use in self.graph.cloned:
                reads, writes = True, False
                yield use, moment
            elif use in self.graph.forwarded:
                continue
            else:
                reads, writes = access_of(use, self.written.of_call)
            if reads or writes:
                self._add(self.accesses, value, moment)
            if reads:
                self.read_below.add(value)
            if writes:
                self._add(self.writes, value, moment)
                self.written_below.add(value)

    def _add(self, events: _Events, value: SSAValue, moment: Moment) -> None:
        class_ = self.classes.find(value)
        events.add(class_, moment, self.classes.depth.get(class_, 0))

    def _moments(self, value: SSAValue) -> Iterator[tuple[OpOperand, Moment]]:
        for each in value.uses:
            op = each.operation
            assert op.parent is not None
            if self.scopes.is_reachable(op.parent):
                use = OpOperand(op, each.index)
                is_cloned = use in self.graph.cloned
                scopes = self.scopes
                time = scopes.before(op) if is_cloned else scopes.after(op)
                yield use, scopes.moment(op.parent, time)

    # --- order -----------------------------------------------------------------------

    def _is_after(self, events: _Events, class_: SSAValue, moment: Moment) -> bool:
        """Whether the same buffer may be accessed after `moment`."""
        depth = self.classes.depth.get(class_, 0)
        current = moment
        while True:
            if events.is_later(class_, current):
                return True
            scope = current.scope
            if scope.depth <= depth or scope.outer is None:
                return False
            if self._happens_next(events, class_, scope):
                return True
            current = scope.outer

    def _happens_next(self, events: _Events, class_: SSAValue, scope: Scope) -> bool:
        """Whether a buffer may be accessed after `scope`, inside the op that has it."""
        if scope.region is None:
            return events.is_in(class_, scope)  # A loop: in its next iteration.
        op = scope.region.parent
        assert op is not None
        branch = get_region_branch(op)
        if branch is None:
            return events.is_in(class_, scope)
        seen = {
            successor.region
            for successor in branch.get_successor_regions(op, scope.region)
        }
        todo = list(seen)
        while todo:
            region = todo.pop()
            if region is None:
                continue
            if events.is_in(class_, self.scopes.scope_of(region)):
                return True
            for successor in branch.get_successor_regions(op, region):
                if successor.region not in seen:
                    seen.add(successor.region)
                    todo.append(successor.region)
        return False


class _Classes:
    """Values that may have one buffer, with a representative for all of them."""

    def __init__(self, graph: AliasGraph):
        self.graph = graph
        self.sets = DisjointSets[SSAValue]()
        for source, targets in graph.aliases.items():
            for target in targets:
                self.sets.unite(source, target)
        by_name: dict[str, SSAValue] = {}
        for value in graph.flow.origins:
            if isinstance(value.owner, memref.GetGlobalOp):
                name = value.owner.name_.string_value()
                self.sets.unite(value, by_name.setdefault(name, value))
        self.depth = self._depths()
        """By class: how deeply nested the definition of its outermost value is."""

        self.shared: set[SSAValue] = set()
        """The classes of memory that code outside of this function uses, at any time.
        """

        self.written_elsewhere: set[SSAValue] = set()

    def find(self, value: SSAValue) -> SSAValue:
        """The representative of the class of `value`."""
        return self.sets.find(value)

    def _depths(self) -> dict[SSAValue, int]:
        depths: dict[SSAValue, int] = {}
        for value in (*self.graph.owners, *self.graph.flow.origins):
            block = block_of(value)
            if self.graph.scopes.is_reachable(block):
                depth = self.graph.scopes.moment(block, 0).scope.depth
                class_ = self.find(value)
                depths[class_] = min(depth, depths.get(class_, depth))
        return depths

    def note_sharing(self, written: WrittenArguments) -> None:
        """Find the classes of arguments, globals and tensors."""
        flow = self.graph.flow
        self.shared.update(self.find(use.value) for use in flow.captured)
        for value, origin in flow.origins.items():
            if isinstance(origin, Borrowed) and not origin.is_distinct:
                self.shared.add(self.find(value))
                owner = value.owner
                if isinstance(owner, memref.GetGlobalOp) and written.is_written_global(
                    owner
                ):
                    self.written_elsewhere.add(self.find(value))
