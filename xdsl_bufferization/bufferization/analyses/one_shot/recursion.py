"""What functions that call each other in a circle do to the buffers of their arguments.

    func.func @even(%t) { ... call @odd(%t) ... }
    func.func @odd(%t) { ... call @even(%t) ... }     // each needs the other's summary

At first each function is assumed to do nothing and to give new buffers. Then each is
analysed with the summaries of the functions that it calls. If an analysis finds more
than was assumed, its callers are analysed again, until nothing changes. The summaries
that are left agree with each other, and so hold for calls within calls, however deep.

A result that was found in the buffer of an argument is taken to be all of that buffer,
until an analysis finds otherwise.

Cost: a few analyses of each function; after 12 a function counts as doing anything.
Source: P. Cousot and R. Cousot, "Abstract interpretation", POPL 1977.
"""

from collections import deque
from collections.abc import Callable, Iterable, MutableMapping, Sequence
from dataclasses import replace

from xdsl.dialects.func import FuncOp

from xdsl_bufferization.support.algorithms.disjoint_sets import DisjointSets

from ...interfaces.operands import is_tensor_type
from ...interfaces.state import FunctionSummary

_MOST_ANALYSES = 12
"""How often a function is analysed before it counts as doing anything."""

_NOTHING: frozenset[int] = frozenset()


def settle(
    circle: Sequence[FuncOp],
    get_callers: Callable[[FuncOp], Iterable[FuncOp]],
    analyze: Callable[[FuncOp], FunctionSummary],
    summaries: MutableMapping[str, FunctionSummary],
) -> None:
    """Find summaries of functions that call each other.

    `get_callers` gives the functions of the circle that call a function. The last
    analysis of each function has used the summaries that are left.
    """
    # Invariant: the summary of a function that is not waiting holds if those of its
    # callees hold. In the end no function is waiting. So by induction over the depth of
    # calls in a run all summaries hold: a call that calls nobody relies on none of
    # them. A function waits again if the summary of a callee has changed, or if its own
    # says more than its analysis found. After `_MOST_ANALYSES` a summary says that
    # anything may happen, and does not change any more: the loop ends.
    for function in circle:
        summaries[function.sym_name.data] = _does_nothing(function)
    analyses = dict.fromkeys(circle, 0)
    waiting = dict.fromkeys(circle)
    todo = deque(circle)
    while todo:
        function = todo.popleft()
        del waiting[function]
        name = function.sym_name.data
        old, new = summaries[name], analyze(function)
        analyses[function] += 1
        if analyses[function] > _MOST_ANALYSES:
            joined = _does_anything(function)
        else:
            joined = _join(function, old, new)
        if joined == old:
            continue
        summaries[name] = joined
        again = list(get_callers(function))
        if joined.equivalent_args != new.equivalent_args:
            again.append(function)
        for other in again:
            if other not in waiting:
                waiting[other] = None
                todo.append(other)


def _does_nothing(function: FuncOp) -> FunctionSummary:
    results = function.function_type.outputs.data
    return FunctionSummary(
        _NOTHING,
        _NOTHING,
        (_NOTHING,) * len(results),
        (None,) * len(results),
        new_results=frozenset(n for n, t in enumerate(results) if is_tensor_type(t)),
        reread_args=_NOTHING,
        defined_results=_NOTHING,
    )


def _does_anything(function: FuncOp) -> FunctionSummary:
    """The summary of a function of which nothing is known."""
    everything = frozenset(range(len(function.function_type.inputs.data)))
    results = function.function_type.outputs.data
    tensors = frozenset(n for n, t in enumerate(results) if is_tensor_type(t))
    return FunctionSummary(
        everything,
        everything,
        tuple(everything if n in tensors else _NOTHING for n in range(len(results))),
        (None,) * len(results),
        moved_results=tensors,
        read_only_results=tensors,
        shared_results=(tensors,),
    )


def _join(
    function: FuncOp, old: FunctionSummary, new: FunctionSummary
) -> FunctionSummary:
    """A summary that holds if either of two does, or that is worth assuming then."""
    return replace(
        new,
        read_args=old.read_args | new.read_args,
        written_args=old.written_args | new.written_args,
        aliasing_args=tuple(
            a | b for a, b in zip(old.aliasing_args, new.aliasing_args, strict=True)
        ),
        equivalent_args=tuple(
            _join_equivalent(function, number, old, new)
            for number in range(len(new.equivalent_args))
        ),
        moved_results=old.moved_results | new.moved_results,
        read_only_results=old.read_only_results | new.read_only_results,
        new_results=old.new_results & new.new_results,
        shared_results=_join_groups((*old.shared_results, *new.shared_results)),
        reread_args=_either(old.reread_args, new.reread_args),
        defined_results=_either(old.defined_results, new.defined_results),
    )


def _either(
    first: frozenset[int] | None, second: frozenset[int] | None
) -> frozenset[int] | None:
    """What is in one of two sets, where None has everything."""
    return None if first is None or second is None else first | second


def _join_equivalent(
    function: FuncOp, number: int, old: FunctionSummary, new: FunctionSummary
) -> int | None:
    """The argument whose buffer a result is, as far as is known."""
    before, now = old.equivalent_args[number], new.equivalent_args[number]
    if old.aliasing_args[number]:
        return before if before == now else None
    # Nothing of an argument was returned until now.
    if now is not None or len(new.aliasing_args[number]) != 1:
        return now
    argument = next(iter(new.aliasing_args[number]))
    types = function.function_type
    has_same_type = types.inputs.data[argument] == types.outputs.data[number]
    return argument if has_same_type else None


def _join_groups(groups: Iterable[frozenset[int]]) -> tuple[frozenset[int], ...]:
    """The groups in order; groups that have a member in common are united."""
    classes = DisjointSets[int]()
    members = set[int]()
    for group in groups:
        members |= group
        for number in group:
            classes.unite(min(group), number)
    return tuple(map(frozenset, classes.groups(sorted(members))))
