"""Where each owner of a buffer is freed: after the last use of all its aliases.

      cf.cond_br %c, ^bb1, ^bb2
    ^bb1:                          // %a: freed in ^bb3
      use(%a)
      cf.br ^bb3
    ^bb2:
      cf.br ^bb3
    ^bb3:

If one place comes after all uses on every path, the nearest such place is chosen.
Otherwise the buffer is freed wherever its live range ends: after the last use in a
block, or on a branch to a block where the buffer is not live. Either way exactly one
deallocation follows each run of the definition, unless the buffer is returned.

Cost: for each owner that has no such place, the uses of its aliases, times a logarithm;
for all others together, near-linear in the uses.

Source of the first rule: MLIR's documentation of 2021, "Buffer Deallocation -
Internals", "Placement of Deallocs". The second rule is for what that could not place:
loops between blocks, and owners that do not dominate the common post-dominator.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field

from xdsl.dialects import func
from xdsl.ir import Block, Operation, SSAValue

from xdsl_bufferization.support.algorithms.control_scopes import START, Moment
from xdsl_bufferization.support.algorithms.live_blocks import Exit
from xdsl_bufferization.support.algorithms.reach import reach

from ...interfaces.deallocation import is_memref
from ...interfaces.operands import OpOperand
from ..buffers.buffer_flow import block_of
from .critical_aliases import AliasGraph


@dataclass
class FreePoints:
    """Where owners are freed, and which operands of returns hand an owner over."""

    in_block: dict[Block, list[tuple[int, SSAValue]]] = field(
        default_factory=dict[Block, list[tuple[int, SSAValue]]]
    )
    """By block, times (see `ControlScopes`) and owners."""

    on_edge: dict[Exit, list[SSAValue]] = field(
        default_factory=dict[Exit, list[SSAValue]]
    )
    """The branches between whose ends owners are freed."""

    returned: dict[OpOperand, SSAValue] = field(
        default_factory=dict[OpOperand, SSAValue]
    )
    """The operands of returns that hand over a buffer, and its owner."""

    cloned: dict[OpOperand, None] = field(default_factory=dict[OpOperand, None])
    """The operands of returns whose buffer cannot be handed over, and is cloned."""


def find_free_points(graph: AliasGraph) -> FreePoints:
    """Find where all buffers of a function are freed."""
    return _Finder(graph).run()


class _Finder:
    def __init__(self, graph: AliasGraph):
        self.graph = graph
        self.scopes = graph.scopes
        self.result = FreePoints()
        self.escaping = _find_escaping(graph)
        self.given: set[tuple[Operation, SSAValue]] = set()
        """The returns, and the owners that they hand over."""

    def run(self) -> FreePoints:
        self._visit_returns()
        ends = self._find_ends()
        for owner in self.graph.owners:
            if owner not in self.escaping:
                self._place(owner, ends.get(owner))
        return self.result

    # --- returns ---------------------------------------------------------------------

    def _visit_returns(self) -> None:
        returns = [
            last
            for block in self.graph.flow.root.regions[0].blocks
            if isinstance(last := block.last_op, func.ReturnOp)
            and self.scopes.is_reachable(block)
        ]
        if not any(is_memref(value) for op in returns for value in op.operands):
            return
        roots = _find_roots(self.graph)
        for op in returns:
            for number, value in enumerate(op.operands):
                if is_memref(value):
                    self._return(OpOperand(op, number), roots.get(value, value))

    def _return(self, use: OpOperand, root: SSAValue) -> None:
        gift = (use.owner, root)
        is_owned = root in self.graph.owners and root not in self.escaping
        if is_owned and gift not in self.given:
            self.given.add(gift)
            self.result.returned[use] = root
        else:
            self.result.cloned[use] = None

    # --- the one moment --------------------------------------------------------------

    def _find_ends(self) -> dict[SSAValue, Moment]:
        """The first moment after all uses of a value and of its aliases."""
        ends: dict[SSAValue, Moment] = {}
        for component in self.graph.components():
            end: Moment | None = None
            for value in component:
                for moment in self._moments(value, ends):
                    end = moment if end is None else self.scopes.join(end, moment)
            if end is not None:
                ends.update(dict.fromkeys(component, end))
        return ends

    def _moments(
        self, value: SSAValue, ends: dict[SSAValue, Moment]
    ) -> Iterator[Moment]:
        for block, time in self._uses(value):
            yield self.scopes.moment(block, time)
        for alias in self.graph.aliases.get(value, ()):
            if alias in ends:
                yield ends[alias]

    def _uses(self, value: SSAValue) -> Iterator[tuple[Block, int]]:
        """The blocks and times right after each use of `value`."""
        for use in value.uses:
            op = use.operation
            assert op.parent is not None
            if self.scopes.is_reachable(op.parent):
                operand = OpOperand(op, use.index)
                # What is cloned is used by the clone, before the op.
                is_cloned = (
                    operand in self.graph.cloned or operand in self.result.cloned
                )
                scopes = self.scopes
                yield op.parent, scopes.before(op) if is_cloned else scopes.after(op)

    # --- placement -------------------------------------------------------------------

    def _place(self, owner: SSAValue, end: Moment | None) -> None:
        home = block_of(owner)
        start = self.scopes.moment(home, self.scopes.defined_at(owner))
        end = start if end is None else self.scopes.join(start, end)
        # The join comes after the definition and all uses, on every path. In the same
        # scope no loop is between definition and join. If the definition dominates the
        # join as well, each run of one is followed by exactly one run of the other.
        # Source: MLIR's documentation of 2021, "Placement of Deallocs", which wants the
        # common post-dominator of all uses.
        if end.scope is start.scope:
            end = self.scopes.next_block(end)
            if (block := end.block) is not None and self.scopes.dominates(home, block):
                self._free(owner, block, end.time)
                return
        self._place_at_ends(owner, home)

    def _place_at_ends(self, owner: SSAValue, home: Block) -> None:
        """Free `owner` wherever its live range ends, which may be at many places."""
        graphs = self.graph.flow.graphs
        last_uses = self._last_uses(owner, home)
        live = graphs.live_blocks(home.parent)
        uses = () if live is None else live.uses(home, last_uses)
        edges_to: dict[Block, list[Exit]] = {}
        for end in graphs.range_ends(home, uses):
            if end.successor is None:
                self._free(owner, end.block, last_uses[end.block])
            else:
                edges_to.setdefault(end.target, []).append(end)
        for block, edges in edges_to.items():
            if block is not home and len(self._sources(block)) == len(edges):
                self._free(owner, block, START)
                continue
            for edge in edges:
                self.result.on_edge.setdefault(edge, []).append(owner)

    def _sources(self, block: Block) -> list[Block]:
        """Where each edge to `block` comes from, unless no path leads there."""
        return [b for b in block.predecessors() if self.scopes.is_reachable(b)]

    def _free(self, owner: SSAValue, block: Block, time: int) -> None:
        last = block.last_op
        is_last = last is not None and time == self.scopes.after(last)
        if not (is_last and (last, owner) in self.given):
            self.result.in_block.setdefault(block, []).append((time, owner))

    def _last_uses(self, owner: SSAValue, home: Block) -> dict[Block, int]:
        """The last time of use in each block of the region of `owner`."""
        assert home.parent is not None
        times = {home: self.scopes.defined_at(owner)}
        for value in self.graph.reached_from(owner):
            for block, time in self._uses(value):
                ancestor = self.scopes.ancestor_in(home.parent, block)
                assert ancestor is not None
                outer, outer_time = ancestor
                # An op is over after its regions are.
                at = time if outer_time == START else outer_time + 1
                times[outer] = max(times.get(outer, START), at)
        return times


def _find_escaping(graph: AliasGraph) -> set[SSAValue]:
    """The values whose buffers something else may reach: nobody frees them."""
    return set(reach((use.value for use in graph.flow.captured), graph.sources()))


def find_uncertain_captures(graph: AliasGraph) -> list[OpOperand]:
    """The captured operands that may be an owner which some paths do not capture.

    Nobody would free the owner on those paths.
    """
    if not graph.flow.captured:
        return []
    roots = _find_roots(graph)
    owned = _find_owned(graph)
    return [
        use
        for use in graph.flow.captured
        if use.value in owned and not _is_captured_where_defined(graph, roots, use)
    ]


def _is_captured_where_defined(
    graph: AliasGraph, roots: dict[SSAValue, SSAValue], use: OpOperand
) -> bool:
    root = roots.get(use.value, use.value)
    return root in graph.owners and block_of(root) is use.owner.parent


def _find_owned(graph: AliasGraph) -> set[SSAValue]:
    """All values that may be the buffer of an owner."""
    return set(reach(graph.owners, graph.aliases))


def _find_roots(graph: AliasGraph) -> dict[SSAValue, SSAValue]:
    """The one owner that a value can be; the value itself if there are several.

    A value that is not known yet is taken to have the same owner, which sees through
    loops.
    """
    sources = graph.sources()
    roots: dict[SSAValue, SSAValue] = {}
    todo = [value for value in graph.aliases if value not in sources]
    roots.update((value, value) for value in todo)
    while todo:
        value = todo.pop()
        for target in graph.aliases.get(value, ()):
            known = roots.get(target)
            if known is target:
                continue
            root = roots[value] if known is None else target
            if known is not roots[value]:
                roots[target] = root
                todo.append(target)
    return roots
