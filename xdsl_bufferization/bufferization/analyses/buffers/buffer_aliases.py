"""Which buffers may have one allocation, and which certainly have one.

    %v = memref.subview %a ...                         // root %a
    %r = scf.for ... iter_args(%x = %v) { yield %x }   // root of %x and %r: %a
    %s = arith.select %c, %a, %b                       // own root; sites {%a, %b}

Every buffer has a *root*, a value that certainly has the same allocation. The root of a
view is that of the buffer that it views. A loop that passes one buffer around has the
root of that buffer.

Two roots may have one allocation if some allocation may reach both. The *sites* of a
root are the allocations that may reach it. If they are too many to list, two roots are
compared by their *class* instead: whether any buffer flows between them, over others.

Cost: near-linear in the number of ops. Source of the question: MLIR's
`BufferViewFlowAnalysis`, which lists all pairs instead.
"""

from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

from xdsl.dialects import memref
from xdsl.ir import Block, Operation, SSAValue

from xdsl_bufferization.support.algorithms.disjoint_sets import DisjointSets
from xdsl_bufferization.support.algorithms.reach import reach

from ...interfaces.deallocation import Allocated, Borrowed
from .buffer_flow import BufferFlow, block_of, collect_buffer_flow

_MAX_SITES = 16
"""How many allocations are listed for one root; small, as lists are copied."""

_FOREIGN = 0
"""The site of all memory that the function did not allocate, wherever it is from."""

_ONLY_FOREIGN = frozenset((_FOREIGN,))


@dataclass(frozen=True)
class BufferAliases:
    """The roots of all buffers in one function, and how they compare."""

    flow: BufferFlow
    roots: dict[SSAValue, SSAValue]
    sites: dict[SSAValue, frozenset[int] | None]
    """The allocations that may reach a root; None if they are too many to list."""

    classes: dict[SSAValue, SSAValue]
    """A representative of all roots that a root is connected to by flows."""

    unknown: frozenset[SSAValue]
    """The roots of which nothing is known."""

    @cached_property
    def views(self) -> dict[SSAValue, list[SSAValue]]:
        """The other values with each root, if there are any."""
        views: dict[SSAValue, list[SSAValue]] = {}
        for value, root in self.roots.items():
            if value is not root:
                views.setdefault(root, []).append(value)
        return views

    def root(self, value: SSAValue) -> SSAValue:
        """A value with the allocation of `value`: equal if that is known to be one."""
        return self.roots.get(value, value)

    def may_alias(self, first: SSAValue, second: SSAValue) -> bool:
        """Whether two roots may have one allocation. When unsure: True."""
        if first is second or first in self.unknown or second in self.unknown:
            return True
        a, b = self.sites.get(first), self.sites.get(second)
        if a is None or b is None:
            return self.classes.get(first) is self.classes.get(second)
        return not a.isdisjoint(b)

    def may_be_foreign(self, root: SSAValue) -> bool:
        """Whether a root may be memory that the function did not allocate."""
        sites = self.sites.get(root)
        return root in self.unknown or sites is None or _FOREIGN in sites

    def may_be_allocated(self, root: SSAValue) -> bool:
        """Whether a root may be memory that the function allocated."""
        return self.sites.get(root) != _ONLY_FOREIGN

    def is_new_after(self, new: SSAValue, old: SSAValue) -> bool:
        """Whether root `new` was allocated when root `old` existed already.

        Both stand for their newest memory, at any place where both can be used.
        """
        if not isinstance(self.flow.origins.get(new), Allocated):
            return False
        if new in self.flow.returned_by_calls or isinstance(new.owner, Block):
            return False
        home, new_home = block_of(old), block_of(new)
        if home is new_home:
            points = self.flow.points
            return isinstance(old.owner, Block) or (
                points.of_op(old.owner).start < points.of_op(new.owner).start
            )
        graph = self.flow.graphs.of(home.parent)
        return (
            graph is not None
            and home.parent is new_home.parent
            and graph.strictly_dominates(home, new_home)
        )


class AliasIndex:
    """Finds which of given roots may alias another root, without trying all of them."""

    def __init__(self, aliases: BufferAliases, roots: Iterable[SSAValue]):
        self._aliases = aliases
        self._order: dict[SSAValue, int] = {}
        self._by_site: dict[int, list[SSAValue]] = {}
        self._by_class: dict[SSAValue, list[SSAValue]] = {}
        self._unlisted: dict[SSAValue, list[SSAValue]] = {}
        self._unknown: list[SSAValue] = []
        for root in roots:
            if root not in self._order:
                self._order[root] = len(self._order)
                self._add(root)

    def _add(self, root: SSAValue) -> None:
        if root in self._aliases.unknown:
            self._unknown.append(root)
            return
        sites = self._aliases.sites[root]
        class_ = self._aliases.classes[root]
        self._by_class.setdefault(class_, []).append(root)
        if sites is None:
            self._unlisted.setdefault(class_, []).append(root)
        else:
            for site in sites:
                self._by_site.setdefault(site, []).append(root)

    def may_alias(self, root: SSAValue) -> list[SSAValue]:
        """The indexed roots that may alias `root`, in order, itself included."""
        if root in self._aliases.unknown:
            return list(self._order)
        found = set(self._unknown)
        sites = self._aliases.sites[root]
        class_ = self._aliases.classes[root]
        if sites is None:
            found.update(self._by_class.get(class_, ()))
        else:
            found.update(self._unlisted.get(class_, ()))
            for site in sites:
                found.update(self._by_site.get(site, ()))
        return sorted(found, key=self._order.__getitem__)

    def has_rival(self, root: SSAValue) -> bool:
        """Whether an indexed root other than `root` may alias it."""
        if root in self._aliases.unknown:
            return any(other is not root for other in self._order)
        if self._unknown:
            return True
        sites = self._aliases.sites[root]
        class_ = self._aliases.classes[root]
        if sites is None:
            return _holds_other(self._by_class.get(class_, ()), root)
        return _holds_other(self._unlisted.get(class_, ()), root) or any(
            _holds_other(self._by_site.get(site, ()), root) for site in sites
        )

    def links(self) -> Iterator[tuple[SSAValue, SSAValue]]:
        """Pairs of indexed roots that connect all that may alias each other."""
        if self._unknown:
            yield from pairwise(self._order)
            return
        for roots in self._by_site.values():
            yield from pairwise(roots)
        for class_ in self._unlisted:
            yield from pairwise(self._by_class[class_])


def _holds_other(roots: Sequence[SSAValue], root: SSAValue) -> bool:
    return len(roots) > 1 or (len(roots) == 1 and roots[0] is not root)


def analyze_buffer_aliases(
    root: Operation,
    may_return_arguments: Callable[[Operation], bool] = lambda _: False,
    own_roots: Iterable[SSAValue] = (),
) -> BufferAliases:
    """Find the roots of all buffers in a function, and the allocations they may be.

    `may_return_arguments` names the calls of functions that do not follow the function
    boundary ABI, `own_roots` block arguments that are to be roots in any case.
    """
    flow = collect_buffer_flow(root, may_return_arguments)
    roots = _find_roots(flow, own_roots)
    successors, classes = _connect(flow, roots)
    return BufferAliases(
        flow,
        roots,
        _propagate_sites(flow, successors),
        classes,
        _spread_unknown(flow, successors),
    )


def is_no_allocation(op: Operation) -> bool:
    """Whether what `op` allocates may be an operand of it. When unsure: True."""
    return not isinstance(op, memref.AllocOp | memref.AllocaOp)


# --- roots ---------------------------------------------------------------------------


def _find_roots(
    flow: BufferFlow, own_roots: Iterable[SSAValue]
) -> dict[SSAValue, SSAValue]:
    """The root of each value that is not its own."""
    anchors = find_anchors(flow.view_of)
    sources: dict[SSAValue, list[SSAValue]] = {}
    targets: dict[SSAValue, list[SSAValue]] = {}
    for entry in flow.flows:
        source = anchors.get(entry.source, entry.source)
        sources.setdefault(entry.target, []).append(source)
        targets.setdefault(source, []).append(entry.target)

    known: dict[SSAValue, SSAValue] = {
        value: value for value in sources if value in flow.origins
    }
    known.update((value, value) for value in own_roots)
    todo = deque(sources)
    waiting = set(sources)
    while todo:
        target = todo.popleft()
        waiting.discard(target)
        if known.get(target) is target:
            continue
        root = _common_root(flow, target, sources, known)
        if root is None or root is known.get(target):
            continue
        known[target] = root
        for dependent in targets.get(target, ()):
            if dependent not in waiting:
                waiting.add(dependent)
                todo.append(dependent)

    for value, anchor in anchors.items():
        known[value] = known.get(anchor, anchor)
    return known


def find_anchors(view_of: dict[SSAValue, SSAValue]) -> dict[SSAValue, SSAValue]:
    """The buffer that each view views, through other views."""
    anchors: dict[SSAValue, SSAValue] = {}
    for view in view_of:
        chain: list[SSAValue] = []
        value = view
        while value not in anchors and value in view_of:
            chain.append(value)
            value = view_of[value]
        anchor = anchors.get(value, value)
        anchors.update((link, anchor) for link in chain)
    return anchors


def _common_root(
    flow: BufferFlow,
    target: SSAValue,
    sources: dict[SSAValue, list[SSAValue]],
    known: dict[SSAValue, SSAValue],
) -> SSAValue | None:
    """The one root of all values that flow into `target`, or `target` itself.

    None while nothing is known. A value that is not known yet is taken to have the same
    root. So a loop that yields its own argument keeps the root of the argument.
    """
    found: SSAValue | None = None
    for source in sources[target]:
        root = known.get(source) if source in sources else source
        if root is None or root is found:
            continue
        if found is not None:
            return target
        found = root
    if found is None or _is_defined_before(flow, found, target):
        return found
    return target


def _is_defined_before(flow: BufferFlow, value: SSAValue, target: SSAValue) -> bool:
    """Whether `value` can be used wherever `target` can."""
    home, block = block_of(value), block_of(target)
    is_passed_along = isinstance(target.owner, Block) and home is block
    return not is_passed_along and flow.runs_before(home, block)


# --- allocations ---------------------------------------------------------------------


def _connect(
    flow: BufferFlow, roots: dict[SSAValue, SSAValue]
) -> tuple[dict[SSAValue, list[SSAValue]], dict[SSAValue, SSAValue]]:
    """The flows between roots, and the connected components of these."""
    connected = DisjointSets[SSAValue]()
    successors: dict[SSAValue, list[SSAValue]] = {}
    for value in (*flow.origins, *flow.unknown, *(f.target for f in flow.flows)):
        successors[roots.get(value, value)] = []
    for entry in flow.flows:
        source = roots.get(entry.source, entry.source)
        target = roots.get(entry.target, entry.target)
        if source is not target and target is entry.target:
            successors[source].append(target)
            connected.unite(source, target)
    foreign = [value for value in successors if _is_foreign(flow, value)]
    for value in foreign[1:]:
        connected.unite(foreign[0], value)
    return successors, {value: connected.find(value) for value in successors}


def _is_foreign(flow: BufferFlow, root: SSAValue) -> bool:
    origin = flow.origins.get(root)
    return isinstance(origin, Borrowed) and not origin.is_distinct


def _spread_unknown(
    flow: BufferFlow, successors: dict[SSAValue, list[SSAValue]]
) -> frozenset[SSAValue]:
    """The roots that may be a buffer of which nothing is known."""
    return frozenset(reach(flow.unknown, successors))


def _propagate_sites(
    flow: BufferFlow, successors: dict[SSAValue, list[SSAValue]]
) -> dict[SSAValue, frozenset[int] | None]:
    """The allocations that may reach each root."""
    sites: dict[SSAValue, frozenset[int] | None] = {
        root: frozenset[int]() for root in successors
    }
    by_call: dict[Operation, int] = {}
    for number, root in enumerate(flow.origins, 1):
        if _is_foreign(flow, root):
            sites[root] = _ONLY_FOREIGN
        elif root in flow.returned_by_calls and isinstance(root.owner, Operation):
            # The results of such a call may be one buffer.
            site = by_call.setdefault(root.owner, number)
            # A global may be returned, too.
            sites[root] = frozenset((site, _FOREIGN))
        else:
            sites[root] = frozenset((number,))
    sites.update((root, None) for root in flow.unknown)

    todo = deque(successors)
    while todo:
        source = todo.popleft()
        for target in successors[source]:
            merged = _merge(sites[source], sites[target])
            if merged != sites[target]:
                sites[target] = merged
                todo.append(target)
    return sites


def _merge(
    first: frozenset[int] | None, second: frozenset[int] | None
) -> frozenset[int] | None:
    if first is None or second is None:
        return None
    merged = first | second
    return merged if len(merged) <= _MAX_SITES else None
