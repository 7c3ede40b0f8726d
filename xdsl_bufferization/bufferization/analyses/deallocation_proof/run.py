"""A symbolic run of one function: its blocks, its regions, and each op by its rule.

The rules are in `rules.py`, a table by class of op. Control flow is known from
`BranchOpInterface` and `RegionBranchOpInterface` alone, except for conditions: which
number of type `i1` decides about a branch is known of the ops of scf and cf.
"""

from __future__ import annotations

from collections.abc import (
    Callable,
    Collection,
    Hashable,
    Iterable,
    Iterator,
    Mapping,
    Sequence,
)
from dataclasses import dataclass, field
from functools import cached_property

from typing_extensions import override
from xdsl.dialects import cf, scf
from xdsl.dialects.builtin import DenseArrayBase, i1
from xdsl.ir import Attribute, Block, Operation, Region, SSAValue, Use

from xdsl_bufferization.support.algorithms.decision_diagrams import FALSE, TRUE
from xdsl_bufferization.support.algorithms.loop_order import loop_order

from ...interfaces.branch import get_branch, passed_operands
from ...interfaces.deallocation import is_memref
from ...interfaces.operands import is_tensor
from ...interfaces.region_branch import (
    RegionBranchOpInterface,
    RegionSuccessor,
    get_region_branch,
)
from .buffers import Owner, Pointer, Value
from .conditions import Scope
from .flow import (
    Edge,
    Flow,
    GiveUpError,
    Graph,
    LoopPlace,
    Step,
    Waiting,
    merge,
    run_loop,
)
from .sought import Sought, find_sought
from .state import State

_NEVER_RETURN = ("ub.unreachable", "llvm.unreachable")

Rule = Callable[["Run", Operation], None]
"""What an op does to values and buffers."""


@dataclass
class Run:
    """A run of a function so far."""

    state: State
    rules: Callable[[Operation], Rule | None]
    rules_of_calls: Mapping[str, Rule]
    """By name of a function: what a call of it does, if the usual rules do not hold."""

    reached: int = TRUE
    """Whether this place is reached."""

    compared: dict[Hashable, int] = field(default_factory=dict[Hashable, int])
    """Comparisons of numbers that are made again and again."""

    _graphs: dict[Operation, _Regions] = field(
        default_factory=dict[Operation, "_Regions"]
    )
    """By op with regions that is in a loop, and so is run again and again."""

    # --- values ----------------------------------------------------------------------

    def value(self, value: SSAValue) -> Value:
        """What is known of a value that `is_followed`."""
        found = self.state.values.get(value)
        if found is None:
            found = self.state.values[value] = self._unknown(value)
        return found

    def bit(self, value: SSAValue) -> int:
        """What is known of a number of type `i1`."""
        found = self.value(value)
        assert isinstance(found, int)
        return found

    def pointer(self, value: SSAValue) -> Pointer:
        """Which buffer a memref or a tensor is in."""
        found = self.value(value)
        assert isinstance(found, Pointer)
        return found

    def _unknown(self, value: SSAValue) -> Value:
        if value.type == i1:
            scope = self.state.scope.of(value)
            return self.state.conditions.unknown(value, scope, value)
        owner = value.owner
        op = owner if isinstance(owner, Operation) else owner.parent_op()
        assert op is not None
        if is_tensor(value):
            return self.state.point_to(self.state.borrow(Owner.OUTSIDE, None, op))
        return self.unknown_buffer(value, op, "nothing is known of a memref here")

    def unknown_buffer(self, value: SSAValue, op: Operation, why: str) -> Pointer:
        """A buffer of which nothing is known: what becomes of it is not decided."""
        self.state.leave_open(op, why)
        return self.state.point_to(self.state.borrow(Owner.UNKNOWN, value, op))

    def any_of(self, key: Hashable, count: int) -> list[int]:
        """`count` conditions one of which holds; which one is not known."""
        conditions = self.state.conditions
        rest = TRUE
        found: list[int] = []
        for number in range(count - 1):
            this = conditions.unknown((key, number), self.state.scope)
            found.append(conditions.conjoin(rest, this))
            rest = conditions.without(rest, this)
        return [*found, rest]

    # --- blocks ----------------------------------------------------------------------

    def run_region(self, region: Region, reached: int) -> list[tuple[Operation, int]]:
        """Run a region whose arguments are known; its last ops, where reached."""
        self.reached = reached
        block = region.first_block
        if block is None:
            return []
        if block.next_block is None:
            last = self.run_block(block)
            return [] if last is None else [(last, self.reached)]
        graph = _Blocks(self, region)
        order = loop_order(block, graph.successors)
        waiting: Waiting = {block: [Edge(reached, self._values(block.args))]}
        steps = Flow(self.state, graph).run(order, waiting)
        return [(step.op, step.edge.condition) for step in steps if step.op]

    def _values(self, inputs: Sequence[SSAValue]) -> list[Value]:
        return [self.value(each) for each in inputs if is_followed(each)]

    def run_block(self, block: Block) -> Operation | None:
        """Run the ops of a block; its last op, if that is reached."""
        last = block.last_op
        rules = self.rules
        for op in block.ops:
            if self.reached == FALSE:
                return None
            rule = rules(op)
            if rule is not None:
                rule(self, op)
        if last is None or self.reached == FALSE or last.name in _NEVER_RETURN:
            return None
        return last

    def branch(self, op: Operation) -> list[Step]:
        """The ways from a terminator to other blocks."""
        branch = get_branch(op)
        if branch is None:
            why = "what this terminator passes to its successors is not known"
            raise GiveUpError(op, why)
        conditions = self.state.conditions
        return [
            Step(
                block,
                Edge(
                    conditions.conjoin(self.reached, when),
                    self.passed(block.args, [use.value for use in uses]),
                ),
            )
            for block, when, uses in zip(
                op.successors,
                self._branch_conditions(op),
                passed_operands(branch, op),
                strict=True,
            )
        ]

    def _branch_conditions(self, op: Operation) -> list[int]:
        if isinstance(op, cf.ConditionalBranchOp):
            return self._both(op.cond)
        if isinstance(op, cf.SwitchOp):
            cases = op.case_values
            numbers = [] if cases is None else [int(n) for n in cases.get_values()]
            *rest, default = self._cases(op.flag, numbers)
            return [default, *rest]
        return self.any_of(op, len(op.successors))

    def _both(self, condition: SSAValue) -> list[int]:
        known = self.bit(condition)
        return [known, self.state.conditions.negate(known)]

    def _cases(self, flag: SSAValue, numbers: Sequence[int]) -> list[int]:
        """For each number whether `flag` is it, and whether it is none of them."""
        conditions = self.state.conditions
        rest = TRUE
        found: dict[int, int] = {}
        # In one order, so that two switches on one number agree.
        for number in sorted(set(numbers)):
            key = ("case", flag, flag.owner, number)
            this = conditions.unknown(key, self.state.scope.of(flag))
            found[number] = conditions.conjoin(rest, this)
            rest = conditions.without(rest, this)
        return [*(found[number] for number in numbers), rest]

    def passed(
        self, inputs: Sequence[SSAValue], operands: Sequence[SSAValue]
    ) -> list[Value]:
        """What is known of the operands that are passed to followed inputs."""
        return [
            self.value(operand)
            for each, operand in zip(inputs, operands, strict=True)
            if is_followed(each)
        ]

    # --- regions ---------------------------------------------------------------------

    def passed_to_regions(self, op: Operation) -> Collection[int]:
        """The operands, by number, that an op passes on where control enters it."""
        if not op.regions or not op.operands:
            return ()
        graph = self._graphs.get(op)
        if graph is not None:
            return graph.passed_in
        model = get_region_branch(op)
        return () if model is None else self._graph(op, model).passed_in

    def _graph(self, op: Operation, model: RegionBranchOpInterface) -> _Regions:
        graph = self._graphs.get(op)
        if graph is None:
            graph = self._graphs[op] = _Regions(self, op, model)
        return graph

    def run_regions(self, op: Operation, model: RegionBranchOpInterface) -> None:
        """Run the regions of an op as its model says."""
        graph = self._graph(op, model)
        region = graph.sole_loop
        if region is not None:
            self._run_sole_loop(graph, region)
            return
        edges = self._entering(graph)
        results = [each for each in op.results if is_followed(each)]
        if all(graph.leaves(each) for each in op.regions if each.blocks):
            leaving = [edge for target, edge in edges if target is None]
            for target, edge in edges:
                if target is not None and edge.condition != FALSE:
                    merge(self.state, graph.inputs(target), [edge])
                    steps = graph.run(target, edge.condition)
                    leaving += [step.edge for step in steps]
            self._leave(results, leaving)
            return
        self._run_graph(graph, edges, results)

    def _leave(self, results: Sequence[SSAValue], edges: Sequence[Edge]) -> None:
        edges = [edge for edge in edges if edge.condition != FALSE]
        self.reached = merge(self.state, results, edges) if edges else FALSE

    def _run_graph(
        self,
        graph: _Regions,
        edges: Sequence[tuple[Region | None, Edge]],
        results: Sequence[SSAValue],
    ) -> None:
        leaving: list[Edge] = []
        waiting: Waiting = {}
        for target, edge in edges:
            if target is None:
                leaving.append(edge)
            else:
                waiting.setdefault(target, []).append(edge)
        order = loop_order(None, graph.successors)[1:]
        steps = Flow(self.state, graph).run(order, waiting)
        self._leave(results, [*leaving, *(step.edge for step in steps)])

    def _entering(self, graph: _Regions) -> list[tuple[Region | None, Edge]]:
        op, model, entries = graph.op, graph.model, graph.leading(None)
        conditions = self.state.conditions
        ways = self.ways_from(op, op, len(entries))
        found: list[tuple[Region | None, Edge]] = []
        for when, successor in zip(ways, entries, strict=True):
            uses = model.get_entry_successor_operands(op, successor)
            values = self.passed(successor.inputs, [use.value for use in uses])
            reached = conditions.conjoin(self.reached, when)
            found.append((successor.region, Edge(reached, values)))
        return found

    def ways_from(self, op: Operation, at: Operation, count: int) -> list[int]:
        """When each of the ways from `at`, the op or a terminator in it, is gone."""
        if count == 1:
            return [TRUE]
        if at is op and isinstance(op, scf.IfOp):
            return self._both(op.cond)
        if isinstance(at, scf.ConditionOp):
            return self._both(at.operands[0])
        if at is op and isinstance(op, scf.IndexSwitchOp):
            numbers = [int(number) for number in _cases_of(op.cases)]
            *rest, default = self._cases(op.arg, numbers)
            return [default, *rest]
        return self.any_of(at, count)

    def _run_sole_loop(self, graph: _Regions, region: Region) -> None:
        """Run a loop that can end before each iteration, as `scf.for`."""
        op, model, state = graph.op, graph.model, self.state
        successor = next(each for each in graph.leading(None) if each.region)
        inputs = [each for each in successor.inputs if is_followed(each)]
        sought = graph.sought
        uses = model.get_entry_successor_operands(op, successor)
        values = self.passed(successor.inputs, [use.value for use in uses])
        entry = [Edge(self.reached, [*values, *(FALSE for _ in sought)])]
        scope = state.scope.loop(region, [region])

        def seen(values: Sequence[Value]) -> Sequence[int]:
            return [each for each in values[len(inputs) :] if isinstance(each, int)]

        def visit(reached: int, values: Sequence[Value]) -> list[Edge]:
            met = [
                self._meet(each, before, scope)
                for each, before in zip(sought, seen(values), strict=True)
            ]
            return [
                Edge(step.edge.condition, [*step.edge.values, *met])
                for step in graph.run(region, reached)
                if step.target is region
            ]

        places = [*inputs, *(None for _ in sought)]
        place = LoopPlace(op, region, places, around=self.reached, ends_at_head=True)
        reached, values, begun = run_loop(state, place, entry, visit)
        # After the last iteration all is as where one begins.
        state.go_back(begun, forget_findings=False)
        for each, is_met in zip(sought, seen(values), strict=True):
            if each.is_met:
                reached = state.conditions.conjoin(reached, is_met)
        self.reached = reached
        for result, argument in zip(op.results, successor.inputs, strict=False):
            if is_followed(result):
                state.values[result] = self.value(argument)

    def _meet(self, sought: Sought, before: int, scope: Scope) -> int:
        """Whether an iteration up to this one is the one that is sought.

        If an earlier iteration was sought, this one is not.
        """
        conditions = self.state.conditions
        if sought.is_met is False:
            this = FALSE
        elif sought.is_first:
            this = conditions.negate(before)
        else:
            key = ("sought", sought.comparisons[0])
            this = conditions.unknown(key, scope, sought.name)
            this = conditions.without(this, before)
        for comparison in sought.comparisons:
            self.compared[comparison] = this
        return conditions.disjoin(before, this)

    def run_any_number(self, op: Operation) -> None:
        """Run the regions of an op of which nothing is known, again and again."""
        for region in op.regions:
            self._run_repeatedly(op, region)

    def _run_repeatedly(self, op: Operation, region: Region) -> None:
        state = self.state
        if not region.blocks:
            return

        def visit(reached: int, _: Sequence[Value]) -> list[Edge]:
            ends = self.run_region(region, reached)
            return [Edge(condition, ()) for _, condition in ends]

        entry = [Edge(self.reached, ())]
        state.scope.loop(region, [region])
        place = LoopPlace(op, region, (), around=self.reached, ends_at_head=True)
        reached, _, begun = run_loop(state, place, entry, visit)
        state.go_back(begun, forget_findings=False)
        self.reached = reached


@dataclass
class _Blocks(Graph):
    """The blocks of a region."""

    owner: Run
    region: Region

    def __post_init__(self) -> None:
        op = self.region.parent
        assert op is not None
        self.op: Operation = op

    @staticmethod
    def successors(node: Hashable) -> Sequence[Hashable]:
        """The blocks that one leads to."""
        assert isinstance(node, Block)
        last = node.last_op
        return () if last is None else last.successors

    @override
    def inputs(self, node: Hashable) -> Sequence[SSAValue]:
        assert isinstance(node, Block)
        return [each for each in node.args if is_followed(each)]

    @override
    def outlives(self, nodes: Sequence[Hashable]) -> Mapping[SSAValue, Hashable]:
        inside = set(nodes)
        known = self.owner.state.values
        return {
            value: node
            for node in nodes
            if isinstance(node, Block)
            for value in _values_of(node)
            if value in known
            and any(self._block_of(use, node) not in inside for use in value.uses)
        }

    def _block_of(self, use: Use, expected: Block) -> Block | None:
        """The block of the region that an op is in; `expected` is found soonest."""
        block = use.operation.parent
        if block is expected or block is None:
            return block
        return self.region.find_ancestor_block_in_region(block)

    @override
    def run(self, node: Hashable, reached: int) -> Iterable[Step]:
        assert isinstance(node, Block)
        owner = self.owner
        owner.reached = reached
        last = owner.run_block(node)
        if last is None:
            return []
        if last.successors:
            return owner.branch(last)
        return [Step(None, Edge(owner.reached, ()), last)]


@dataclass
class _Regions(Graph):
    """The regions of an op."""

    owner: Run
    op: Operation
    model: RegionBranchOpInterface
    _leading: dict[Region | None, Sequence[RegionSuccessor]] = field(
        default_factory=dict[Region | None, Sequence[RegionSuccessor]]
    )
    """By region, or by None for the op: where it leads to."""

    _passed_on: dict[tuple[Operation, Region | None], Sequence[SSAValue]] = field(
        default_factory=dict[tuple[Operation, "Region | None"], Sequence[SSAValue]]
    )
    """By terminator and target: the followed values that are passed."""

    def leading(self, start: Region | None) -> Sequence[RegionSuccessor]:
        """Where a region leads to; None: the op."""
        found = self._leading.get(start)
        if found is None:
            found = self.model.get_successor_regions(self.op, start)
            self._leading[start] = found
        return found

    def leaves(self, region: Region) -> bool:
        """Whether a region leads out of the op, and nowhere else."""
        return all(each.region is None for each in self.leading(region))

    @cached_property
    def passed_in(self) -> frozenset[int]:
        """The operands, by number, that are passed on where control enters the op."""
        model = self.model
        return frozenset(
            use.number
            for successor in self.leading(None)
            for use in model.get_entry_successor_operands(self.op, successor)
        )

    @cached_property
    def sought(self) -> Sequence[Sought]:
        """What a loop looks for: see `sought.py`."""
        return find_sought(self.op)

    @cached_property
    def sole_loop(self) -> Region | None:
        """The only region, if it runs any number of times, also none."""
        regions = {each.region for each in self.leading(None)}
        if len(regions) != 2 or None not in regions:
            return None
        (region,) = regions - {None}
        assert region is not None
        again = {each.region for each in self.leading(region)}
        return region if again == regions else None

    def successors(self, node: Hashable) -> list[Hashable]:
        """The regions that one leads to; None: the op."""
        assert node is None or isinstance(node, Region)
        return [each.region for each in self.leading(node) if each.region is not None]

    @override
    def inputs(self, node: Hashable) -> Sequence[SSAValue]:
        assert isinstance(node, Region)
        for start in (None, *self.op.regions):
            for each in self.leading(start):
                if each.region is node:
                    return [value for value in each.inputs if is_followed(value)]
        return ()

    @override
    def outlives(self, nodes: Sequence[Hashable]) -> Mapping[SSAValue, Hashable]:
        return {}

    @override
    def run(self, node: Hashable, reached: int) -> Iterable[Step]:
        assert isinstance(node, Region)
        found: list[Step] = []
        for last, condition in self.owner.run_region(node, reached):
            found += self._steps(node, last, condition)
        return found

    def _steps(self, region: Region, last: Operation, reached: int) -> Iterable[Step]:
        owner = self.owner
        successors = self.leading(region)
        ways = owner.ways_from(self.op, last, len(successors))
        for when, successor in zip(ways, successors, strict=True):
            values = [owner.value(each) for each in self._passed(last, successor)]
            condition = owner.state.conditions.conjoin(reached, when)
            yield Step(successor.region, Edge(condition, values))

    def _passed(
        self, last: Operation, successor: RegionSuccessor
    ) -> Sequence[SSAValue]:
        """The followed values that a terminator passes on; asked in each visit."""
        key = last, successor.region
        found = self._passed_on.get(key)
        if found is None:
            uses = self.model.get_terminator_successor_operands(
                self.op, last, successor
            )
            both = zip(successor.inputs, uses, strict=True)
            found = [use.value for value, use in both if is_followed(value)]
            self._passed_on[key] = found
        return found


def _values_of(block: Block) -> Iterator[SSAValue]:
    yield from block.args
    for op in block.ops:
        yield from op.results


def is_followed(value: SSAValue) -> bool:
    """Whether a run follows a value: a buffer, a tensor, or a number of type `i1`."""
    return value.type == i1 or is_memref(value) or is_tensor(value)


def _cases_of(cases: Attribute) -> Iterable[int]:
    assert isinstance(cases, DenseArrayBase)
    return [int(number) for number in cases.get_values()]
