"""How a run goes through the blocks of a region, and through the regions of an op.

    cf.cond_br %c, ^bb1, ^bb2      // ^bb1 is reached where %c is true, ^bb2 elsewhere
    scf.if %c { ... } else { ... } // the same with regions

Nodes, blocks or regions, are visited in an order in which each loop is one piece. A
loop is visited until its `Join` knows all states in which an iteration can begin; what
is found in visits before the last one is forgotten.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import zip_longest
from typing import NamedTuple, Protocol, cast

from xdsl.ir import Block, Operation, SSAValue

from xdsl_bufferization.support.algorithms.decision_diagrams import (
    FALSE,
    TRUE,
    TooManyConditionsError,
)
from xdsl_bufferization.support.algorithms.loop_order import Loop

from .buffers import Buffer, Pointer, Value
from .checks import check_lost
from .conditions import Conditions, Scope
from .joins import Edge, Guess, Join
from .state import Mark, State

_MAX_VISITS = 40
"""How often a loop is visited; a loop that counts with its i1 numbers needs more."""


class GiveUpError(Exception):
    """A function is not decided, because of an op."""

    def __init__(self, op: Operation, why: str):
        super().__init__(why)
        self.op = op
        self.why = why


class Step(NamedTuple):
    """A way from the end of a node to another node, or out of the graph."""

    target: Hashable
    """None: out of the graph."""

    edge: Edge
    op: Operation | None = None
    """Out of the graph: the terminator; None if a loop has been left."""


class Graph(Protocol):
    """Blocks or regions that lead to each other."""

    op: Operation
    """What a message about the graph is about."""

    def inputs(self, node: Hashable) -> Sequence[SSAValue]:
        """The values that a node gets."""
        ...

    def outlives(self, nodes: Sequence[Hashable]) -> Mapping[SSAValue, Hashable]:
        """The known values of some nodes that others use without being passed them.

        By value the node that has it.
        """
        ...

    def run(self, node: Hashable, reached: int) -> Iterable[Step]:
        """Run a node, which has its inputs; where it leads to."""
        ...


Waiting = dict[Hashable, list[Edge]]
"""By node: the ways to it that were found."""


@dataclass
class Flow:
    """A run through a graph."""

    state: State
    graph: Graph
    reached: dict[Hashable, int] = field(default_factory=dict[Hashable, int])
    """Where the values of each node have been computed."""

    def run(
        self, order: Sequence[Hashable | Loop[Hashable]], waiting: Waiting
    ) -> list[Step]:
        """Visit all nodes in that order; returns the ways out."""
        exits: list[Step] = []
        for each in order:
            if isinstance(each, Loop):
                loop = cast("Loop[Hashable]", each)
                exits += self._run_loop(loop, waiting)
            elif edges := waiting.pop(each, None):
                reached = merge(self.state, self.graph.inputs(each), edges)
                exits += self._leave(each, reached, waiting)
        return exits

    def _leave(self, node: Hashable, reached: int, waiting: Waiting) -> list[Step]:
        exits: list[Step] = []
        self.reached[node] = reached
        if reached == FALSE:
            return exits
        for step in self.graph.run(node, reached):
            if step.edge.condition == FALSE:
                continue
            if step.target is None:
                exits.append(step)
            else:
                waiting.setdefault(step.target, []).append(step.edge)
        return exits

    def _run_loop(self, loop: Loop[Hashable], waiting: Waiting) -> list[Step]:
        nodes = _nodes(loop)
        entering = {node: waiting.pop(node) for node in nodes if node in waiting}
        first = entering.pop(loop.head, [])
        if not first and not entering:
            return []
        leaving: Waiting = {}
        exits: list[Step] = []
        state = self.state
        scope = state.scope.loop(loop.head, set(nodes))
        at_head = self._phase(loop.head, scope) if entering else TRUE

        def visit(reached: int, _: Sequence[Value]) -> list[Edge]:
            leaving.clear()
            exits.clear()
            self.reached.update(dict.fromkeys(nodes, FALSE))
            for node, edges in entering.items():
                leaving[node] = [self._at_entry(edge, at_head) for edge in edges]
            exits.extend(self._leave(loop.head, reached, leaving))
            exits.extend(self.run(loop.body, leaving))
            return leaving.pop(loop.head, [])

        inputs = self.graph.inputs(loop.head)
        entries = [*first, *(edge for edges in entering.values() for edge in edges)]
        around = reached_by(state, entries)
        place = LoopPlace(self.graph.op, loop.head, inputs, at_head, around)
        before, start = state.mark(), state.time
        run_loop(state, place, first, visit)
        ways = [Step(node, edge) for node, edges in leaving.items() for edge in edges]
        ways += exits
        ways = [way for way in ways if way.edge.condition != FALSE]
        outside = self._outside(nodes)
        steps = leave_loop(state, place, outside, ways, before, start)
        # From here on the values are what they are where the loop has been left.
        left = reached_by(state, [step.edge for step in steps])
        self.reached.update(dict.fromkeys(nodes, left))
        for step in steps:
            if step.target is not None:
                waiting.setdefault(step.target, []).append(step.edge)
        return [step for step in steps if step.target is None]

    def _outside(self, nodes: Sequence[Hashable]) -> dict[SSAValue, Value]:
        """What is known of the values of a loop that others use, where computed."""
        return {
            value: self.state.only_where(self.reached[node], self.state.values[value])
            for value, node in self.graph.outlives(nodes).items()
        }

    def _phase(self, head: Hashable, scope: Scope) -> int:
        """Whether a visit of a loop with several entries begins at its head.

        Such a visit may come from another entry, at which another visit may begin: so
        conditions of the program do not tell the two apart.
        """
        return self.state.conditions.unknown(("phase", head), scope)

    def _at_entry(self, edge: Edge, at_head: int) -> Edge:
        condition = self.state.conditions.without(edge.condition, at_head)
        return Edge(condition, edge.values)


class LoopPlace(NamedTuple):
    """Where a loop begins, and when a visit does so there."""

    op: Operation
    head: Hashable
    inputs: Sequence[SSAValue | None]
    """None for what is no value of the program."""

    at_head: int = TRUE
    around: int = TRUE
    """Where the loop may be reached at all, by whichever entry."""

    ends_at_head: bool = False
    """Whether it ends, if at all, where an iteration would begin."""


def _nodes(loop: Loop[Hashable]) -> list[Hashable]:
    found = [loop.head]
    for each in loop.body:
        is_loop = isinstance(each, Loop)
        found += _nodes(cast("Loop[Hashable]", each)) if is_loop else [each]
    return found


def run_loop(
    state: State,
    place: LoopPlace,
    first: Sequence[Edge],
    visit: Callable[[int, Sequence[Value]], Sequence[Edge]],
) -> tuple[int, Sequence[Value], Mark]:
    """Visit a loop until nothing new comes back to its head.

    A visit gets where the head is reached, and its inputs. Returns both of the last
    visit, and the point before that.
    """
    outer, has_open_loops = state.scope, state.has_open_loops
    state.scope = outer.loop(place.head)
    try:
        found, is_open = _run_loop(state, place, first, visit)
    except TooManyConditionsError:
        head = place.head
        op = head.first_op if isinstance(head, Block) else None
        why = "what iterations of this loop pass on depends on too many conditions"
        raise GiveUpError(op or place.op, why) from None
    state.scope, state.has_open_loops = outer, has_open_loops or is_open
    return found


def _run_loop(
    state: State,
    place: LoopPlace,
    first: Sequence[Edge],
    visit: Callable[[int, Sequence[Value]], Sequence[Edge]],
) -> tuple[tuple[int, Sequence[Value], Mark], bool]:
    """What `run_loop` returns, and whether the loop is left open.

    The first visit of a loop is a draft if the loop passes values on: another visit is
    likely to follow. In a draft, a loop inside is visited once, and its states so far
    are taken for all of them, to be looked at again in the next visit. So three loops
    in each other are visited twice each, and not twice, three and four times.
    """
    scope, conditions, is_inside_draft = state.scope, state.conditions, state.is_draft
    guess = scope.guess if state.may_guess else None
    join, entry, guess = _enter(state, place, scope, first, guess)
    entered_with = join.entered_with()
    is_draft = guess is None and state.may_guess and bool(place.inputs)
    for _ in range(_MAX_VISITS):
        before = state.mark()
        state.cells.clear()
        reached, values = _begin(state, place, join)
        begun = state.mark()
        state.has_open_loops = False
        state.is_draft = is_inside_draft or is_draft
        back = join.expanded(visit(reached, values))
        state.is_draft, is_draft = is_inside_draft, False
        state.cells.clear()
        has_grown = join.grow(back, begun)
        states = join.states_of(back)
        is_new = has_grown or not conditions.implies(states, join.relation)
        is_open = state.has_open_loops
        if not is_new and (is_inside_draft or not is_open):
            _check_carried(state, place.op, back, before)
            state.has_guessed |= guess is not None
            scope.guess = join.as_guess(entered_with, entry, is_open)
            return (reached, values, begun), is_open
        state.go_back(before, forget_findings=True)
        if not is_new:
            continue
        if guess is not None and not guess.is_open:
            join, entry, guess = _enter(state, place, scope, first, None)
            continue
        if has_grown and guess is None:
            entry = join.first_states(first)
            join.relation = conditions.disjoin(entry, states)
        else:
            join.relation = conditions.disjoin(join.relation, states)
        if is_inside_draft and place.ends_at_head:
            scope.guess = join.as_guess(entered_with, entry, True)
            return (*_begin(state, place, join), state.mark()), True
    raise GiveUpError(place.op, "the loop has too many states")


def _begin(state: State, place: LoopPlace, join: Join) -> tuple[int, Sequence[Value]]:
    """Let an iteration begin: where it does, and its inputs."""
    reached, values = join.install(place.at_head)
    for name, value in zip(place.inputs, values, strict=True):
        if name is not None:
            state.values[name] = value
    return reached, values


def _enter(
    state: State,
    place: LoopPlace,
    scope: Scope,
    first: Sequence[Edge],
    guess: object,
) -> tuple[Join, int, Guess | None]:
    """The states of a loop to begin with, those in which it is entered; by which guess.

    A guess is one if the loop is entered as it was then. Then these are all states, if
    a visit finds no other ones.
    """
    join = Join(state, place.head, place.inputs, scope, scope, place.around)
    join.grow(first, None)
    if isinstance(guess, Guess):
        if join.adopt(guess) and join.first_states(first) == guess.first:
            return join, guess.first, guess
        return _enter(state, place, scope, first, None)
    join.relation = join.first_states(first)
    return join, join.relation, None


def reached_by(state: State, edges: Sequence[Edge]) -> int:
    """Where a place is reached by one of some ways."""
    found = FALSE
    for edge in edges:
        found = state.conditions.disjoin(found, edge.condition)
    return found


def leave_loop(
    state: State,
    place: LoopPlace,
    outside: Mapping[SSAValue, Value],
    ways: Sequence[Step],
    before: Mark,
    start: int,
) -> list[Step]:
    """Forget a loop that has ended, but for what is known of values after it.

    Known are the values `outside`, which ops after the loop use, and forwarded values.
    Returns the ways out, one for each target.
    """
    ends = _Ends(state.conditions, outside, ways)
    inner, own = state.scope.loop(place.head), state.scope
    key = ("exit", place.head)
    join = Join(state, key, ends.inputs, inner, own, place.around, start)
    edges = join.expanded([ends.edge(way) for way in ways])
    _check_carried(state, place.op, edges, before)
    join.grow(edges, before)
    states = join.states_of(edges)
    state.go_back(before, forget_findings=False)
    join.relation = states
    reached, values = join.install()
    state.values.update(zip(outside, values, strict=False))
    return ends.steps(reached, values)


class _Ends:
    """What is known where a loop is left, in one row for each edge that leaves it.

    A row begins with the values that are used outside. Then come the values that each
    target gets. The rest says which target it is: a number for each but the last.
    """

    def __init__(
        self,
        conditions: Conditions,
        outside: Mapping[SSAValue, Value],
        ways: Sequence[Step],
    ):
        """Lay out rows for these ways."""
        self._conditions = conditions
        self._outside = list(outside.values())
        self._places: dict[Hashable, range] = {}
        values = list(self._outside)
        for way in ways:
            if way.target not in self._places:
                count = len(values)
                values += way.edge.values
                self._places[way.target] = range(count, len(values))
        self._nothing: list[Value] = [
            FALSE if isinstance(value, int) else Pointer({}) for value in values
        ]
        self._targets = list(self._places)
        unnamed = len(values) - len(outside) + max(len(self._targets) - 1, 0)
        self.inputs: list[SSAValue | None] = [*outside, *[None] * unnamed]

    def edge(self, way: Step) -> Edge:
        """A way out, with its row."""
        values = list(self._nothing)
        values[: len(self._outside)] = self._outside
        place = self._places[way.target]
        values[place.start : place.stop] = way.edge.values
        is_it = [TRUE if way.target is each else FALSE for each in self._targets]
        return Edge(way.edge.condition, [*values, *is_it[:-1]])

    def steps(self, reached: int, values: Sequence[Value]) -> list[Step]:
        """A way to each target, from a row of what is known by now."""
        conditions = self._conditions
        found: list[Step] = []
        is_it = values[len(self._nothing) :]
        for target, condition in zip_longest(self._targets, is_it, fillvalue=TRUE):
            place = self._places[target]
            assert isinstance(condition, int)
            edge = Edge(
                conditions.conjoin(reached, condition),
                values[place.start : place.stop],
            )
            found.append(Step(target, edge))
            reached = conditions.without(reached, condition)
        return found


def _check_carried(
    state: State, op: Operation, ways: Sequence[Edge], before: Mark
) -> None:
    """What a loop allocated, and does not forward, has been freed."""
    disjoin = state.conditions.disjoin
    buffers = state.buffers[before.buffers :]
    for condition, values in ways:
        carried: dict[Buffer, int] = {}
        for value in values:
            if isinstance(value, Pointer):
                for buffer, when in value.targets.items():
                    carried[buffer] = disjoin(carried.get(buffer, FALSE), when)
        for buffer in buffers:
            lost = state.conditions.without(condition, carried.get(buffer, FALSE))
            if lost != FALSE:
                check_lost(state, buffer, lost, op)


def merge(state: State, inputs: Sequence[SSAValue], edges: Sequence[Edge]) -> int:
    """Give a place its inputs; returns whether it is reached."""
    conditions = state.conditions
    reached = edges[0].condition
    values = list(edges[0].values)
    for edge in edges[1:]:
        both = conditions.disjoin(reached, edge.condition)
        if inputs:
            earlier = conditions.given(reached, both)
            values = [
                state.choose(earlier, value, other)
                for value, other in zip(values, edge.values, strict=True)
            ]
        reached = both
    if len(edges) > 1:
        values = [
            state.collapse(each, value, reached)
            for each, value in zip(inputs, values, strict=True)
        ]
    state.values.update(zip(inputs, values, strict=True))
    return reached
