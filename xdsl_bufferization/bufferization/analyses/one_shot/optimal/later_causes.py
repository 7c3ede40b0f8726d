"""Rules that make a search count later copies, from the decisions that cause them.

    %1 = linalg.fill ins(%f) outs(%slice)        // out of place, and therefore
    %2 = tensor.insert_slice %1 into %0[0][4][1] // %1 is moved into %0

A later copy has two kinds of causes, and a rule names both:

- *Breakers*: operands out of place, so that two buffers differ.
- *Ties*: operands in place, so that a value has an older buffer, or one with gaps.

The copy is made if all breakers are out of place and all ties in place, whatever else
is decided. Of two values that would be forwarded in one buffer, either may be copied.
Where no such cause is found there is no rule, and the bound is lower than
it could be.

Cost: linear in the operands between two values, for each copy that is explained.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain

from xdsl.ir import Block, BlockArgument, OpResult, SSAValue

from ....interfaces.noted_copies import NotedCopies
from ....interfaces.operands import OpOperand
from ....interfaces.state import CarriedOperand
from ...tensor_facts.subsets import Subsets
from ...tensor_facts.tensor_facts import TensorFacts
from ...tensor_facts.tensor_uses import is_equivalent
from ..copy_cost import find_dense, find_inits
from ..forwarded_buffers import Obstacle
from ..new_buffers import is_constant
from ..root_analysis import RootAnalysis
from .alias_paths import AliasPaths, Path
from .equivalences import Equivalences, Plan
from .later_copies import Later, LaterCopy
from .permutation_breakers import PermutationBreakers
from .unshared_values import Ties, UnsharedValues


@dataclass(frozen=True)
class Cause:
    """Decisions that by themselves cause a later copy."""

    copies: tuple[LaterCopy, ...]
    """The copies of which at least one is made."""

    breakers: Path
    ties: Path


class LaterCauses:
    """Finds causes of later copies of one root op."""

    def __init__(self, facts: TensorFacts, subsets: Subsets, paths: AliasPaths):
        self._paths = paths
        self._equivalences = Equivalences(facts, subsets, paths)

    def find_causes(
        self, analysis: RootAnalysis, copies: Sequence[LaterCopy], plan: Plan
    ) -> Iterator[Cause]:
        """Causes of copies, for those for which any is found.

        The decisions of the analysis are those of `plan`. Its alias sets must still
        hold.
        """
        return _Causes(analysis, self._paths, self._equivalences, plan).find(copies)


class _Causes:
    """The causes of the later copies of some decisions."""

    def __init__(
        self,
        analysis: RootAnalysis,
        paths: AliasPaths,
        equivalences: Equivalences,
        plan: Plan,
    ):
        self._analysis = analysis
        self._decisions = analysis.decisions
        self._facts = analysis.facts
        self._buffers = analysis.new_buffers
        self._plan = plan
        self._all_paths = paths
        self._paths = paths.in_place(self._decisions.in_place)
        self._equivalences = equivalences
        self._unshared = UnsharedValues(analysis, self._paths, equivalences, plan)
        self._needs_equivalence = not (
            self._facts.options.allow_return_allocs_from_loops
        )

    def find(self, copies: Sequence[LaterCopy]) -> Iterator[Cause]:
        """Causes of copies, for those for which any is found."""
        wanted = set(copies)
        moves = [copy for copy in copies if copy.kind is Later.MOVE]
        tied: list[tuple[LaterCopy, SSAValue | None, Ties | None]] = [
            (copy, None, Ties(frozenset())) for copy in moves
        ]
        for group in self._list_carried() if len(moves) < len(copies) else ():
            for at, (operand, argument) in enumerate(group):
                copy = LaterCopy(Later.YIELD, operand)
                if copy not in wanted:
                    continue
                twin = self._find_twin(operand)
                if twin is not None:
                    both = copy, LaterCopy(Later.YIELD, twin)
                    yield Cause(both, frozenset(), frozenset())
                tied.append((copy, argument, self._find_ties_of_yield(group, at)))
        for copy, argument, ties in tied:
            breakers = self._find_breakers(copy, argument)
            if ties is not None and breakers is not None:
                instead = tuple(LaterCopy(Later.YIELD, each) for each in ties.instead)
                yield Cause((copy, *instead), breakers | ties.breakers, ties.operands)
        gaps = [copy for copy in copies if copy.kind is Later.GAPS]
        yield from self._find_causes_of_gaps(gaps)

    def _list_carried(self) -> list[Sequence[CarriedOperand]]:
        """What terminators forward in other buffers than they should.

        Models ask for new buffers among just these.
        """
        facts = self._facts
        groups: list[Sequence[CarriedOperand]] = []

        def note(carried: Sequence[CarriedOperand]) -> frozenset[OpOperand]:
            groups.append(carried)
            return frozenset()

        asked = self._decisions.with_loops(self._decisions.permuted, note)
        for op, model in facts.models.resolving.of(facts.ops):
            model.resolve_conflicts(op, NotedCopies(asked))
        return groups

    def _find_ties_of_yield(
        self, group: Sequence[CarriedOperand], at: int
    ) -> Ties | None:
        """What ties a yielded value to a buffer that it cannot be forwarded in."""
        if self._needs_equivalence:
            return Ties(frozenset())
        operand, _ = group[at]
        block = operand.owner.parent
        if block is None:
            return None
        breakers = self._find_breakers_of_permutation(operand, block)
        if breakers is None:
            return None
        ties = self._find_ties_unpermuted(group, at, block)
        if ties is None:
            ties = self._unshared.find_ties(group, at)
        return ties and ties._replace(breakers=ties.breakers | breakers)

    def _find_ties_unpermuted(
        self, group: Sequence[CarriedOperand], at: int, block: Block
    ) -> Ties | None:
        """The same, for what the loop does not permute."""
        facts, buffers = self._facts, self._buffers
        operand, argument = group[at]
        start = (facts.get_use(operand).number,)
        may_share = bool(buffers.forwarded.list_successor_inputs(operand, argument))

        def is_older(number: int) -> bool:
            value = facts.values[number]
            return buffers.is_older(value, block, argument) or not (
                may_share or facts.is_writable(value)
            )

        path = self._paths.find_path(start, is_older)
        if path is not None:
            return Ties(path)
        if operand in buffers.obstacles:
            return self._find_ties_of_obstacle(start, *buffers.obstacles[operand])
        for other, _ in () if may_share else group[:at]:
            path = self._paths.find_path(start, facts.get_use(other).number.__eq__)
            if path is not None:
                return Ties(path, (other,))
        return None

    def _find_twin(self, operand: OpOperand) -> OpOperand | None:
        """Another operand of a terminator with the same value, which cannot share it.

        One of the two is copied, whatever is decided.
        """
        facts, loop = self._facts, operand.owner.parent_op()
        model = None if loop is None else facts.models.carrying[type(loop)]
        if loop is None or model is None or self._needs_equivalence:
            return None
        may_share = self._buffers.forwarded.list_successor_inputs
        value = facts.get_use(operand).value
        for carried in model.carried_values(loop):
            arguments = dict(carried)
            if operand not in arguments:
                continue
            for other, argument in carried:
                if (
                    other != operand
                    and facts.get_use(other).value is value
                    and not (
                        may_share(operand, arguments[operand])
                        and may_share(other, argument)
                    )
                ):
                    return other
        return None

    def _find_ties_of_obstacle(
        self, start: tuple[int], first: OpOperand | None, obstacle: Obstacle
    ) -> Ties | None:
        """What ties a value, and what would get its buffer, to a write and a read."""
        facts, find_path = self._facts, self._paths.find_path
        if not obstacle.is_certain:
            return None

        def find_path_to(value: SSAValue | None, starts: Iterable[int]) -> Path | None:
            return find_path(starts, lambda number: facts.values[number] is value)

        read, paths, ties = obstacle.read, list[Path | None](), frozenset[int]()
        for write, written in (
            (obstacle.write, obstacle.written),
            *self._buffers.forwarded.inner_writes(obstacle.write),
        ):
            ties |= {self._all_paths.numbers[write]}
            paths.append(find_path_to(written, (write.number, *write.alias_numbers)))
        why: Ties | None = Ties(ties, () if first is None else (first,))
        if first is None:
            why = self._find_ties_to_constant(start)
        else:
            assert read is not None
            paths.append(find_path(start, facts.get_use(first).number.__eq__))
            paths.append(find_path_to(obstacle.read_from, (read.number,)))
        for path in paths:
            if path is None:
                return None
            ties |= path
        return why and why._replace(operands=why.operands | ties)

    def _find_ties_to_constant(self, start: tuple[int]) -> Ties | None:
        """What ties a value to a constant, maybe to one that a loop forwards."""
        facts, find_path = self._facts, self._paths.find_path
        path = find_path(start, lambda n: not facts.is_writable(facts.values[n]))
        if path is not None:
            return Ties(path)
        for value in self._analysis.alias_sets.find(facts.values[start[0]]).values:
            for carried in self._list_forwarded_as(value):
                ties = self._find_ties_of_forwarded(carried)
                path = find_path(start, facts.get_number(value).__eq__)
                if ties is not None and path is not None:
                    return ties._replace(operands=ties.operands | path)
        return None

    def _list_forwarded_as(self, value: SSAValue) -> Iterator[CarriedOperand]:
        """What a loop forwards as a result, of which it may be the buffer."""
        model = None
        if isinstance(value, OpResult):
            model = self._facts.models.carrying[type(value.op)]
        if model is None or not isinstance(value, OpResult):
            return
        forwarded = self._buffers.forwarded
        for carried in chain.from_iterable(model.carried_values(value.op)):
            if any(
                each.value is value
                for each in forwarded.list_successor_inputs(*carried)
            ):
                yield carried

    def _find_ties_of_forwarded(self, carried: CarriedOperand) -> Ties | None:
        """What ties an operand to a constant: the loop forwards that, or copies it.

        It must be neither the buffer of its own argument nor permuted.
        """
        operand, argument = carried
        use, block = self._facts.get_use(operand), operand.owner.parent
        if argument is None or block is None:
            return None
        path = self._paths.find_path(
            (use.number,), lambda number: is_constant(self._facts.values[number])
        )
        breakers = (
            self._equivalences.find_breaker_of_pair(argument, use.value, self._plan),
            self._find_breakers_of_permutation(operand, block),
        )
        if path is None or breakers[0] is None or breakers[1] is None:
            return None
        return Ties(path, (operand,), breakers[0] | breakers[1])

    def _find_breakers_of_permutation(
        self, operand: OpOperand, block: Block
    ) -> Path | None:
        """Operands out of place so that a loop cannot forward a value as it is.

        None if the loop could forward the value, as far as is known. The value must be
        the buffer of another argument that is permuted, and that is free for it, or a
        buffer that a loop inside results in.
        """
        facts = self._facts
        if not facts.permutations:
            return frozenset()
        loop = operand.owner.parent_op()
        model = None if loop is None else facts.models.carrying[type(loop)]
        if loop is None or model is None:
            return None
        forwarded = facts.get_use(operand).value
        taken = {
            argument
            for carried in model.carried_values(loop)
            for other, argument in carried
            if argument is not None and facts.get_use(other).value is forwarded
        }
        breakers = PermutationBreakers(
            self._decisions, self._all_paths, block, taken, self._plan
        )
        return breakers.find(forwarded)

    def _find_causes_of_gaps(self, copies: Sequence[LaterCopy]) -> Iterator[Cause]:
        if not copies:
            return
        dense = find_dense(self._decisions)
        inits = find_inits(self._facts)
        for copy in copies:
            found = self._follow_gaps(copy.operand, dense.__getitem__, inits.get)
            if found is None:
                continue
            ties, result = found
            breakers: Path | None = frozenset()
            if result is not None:
                breakers = self._equivalences.find_breakers_of_result(
                    result, self._plan
                )
            if breakers is not None:
                yield Cause((copy,), breakers, ties)

    def _follow_gaps(
        self,
        operand: OpOperand,
        is_dense: Callable[[SSAValue], bool],
        get_init: Callable[[SSAValue], OpOperand | None],
    ) -> tuple[Path, OpResult | None] | None:
        """The operands in place from a buffer with gaps to `operand`.

        The result is what such a path starts with that has gaps only as long as it is
        not known to be the buffer of one operand.
        """
        ties: set[int] = set()
        source: OpOperand | None = operand
        while source is not None:
            use = self._facts.get_use(source)
            number = self._all_paths.numbers[use]
            if number in ties:
                return None
            ties.add(number)
            if isinstance(use.value, BlockArgument):
                source = get_init(use.value)
                continue
            aliases = self._decisions.get_aliasing_op_operands(use.value)
            apart = [alias.operand for alias in aliases if not is_equivalent(alias)]
            hinging = [each for each in apart if self._facts.get_use(each).hinges]
            if len(hinging) < len(apart):
                break  # A part of a buffer has gaps, whatever is decided.
            operands = (alias.operand for alias in aliases)
            source = next((o for o in operands if self._has_gaps(o, is_dense)), None)
            if source is None and hinging:
                assert isinstance(use.value, OpResult)
                return frozenset(ties), use.value
        return frozenset(ties), None

    def _has_gaps(
        self, operand: OpOperand, is_dense: Callable[[SSAValue], bool]
    ) -> bool:
        return self._decisions.is_in_place(operand) and not is_dense(operand.value)

    def _find_breakers(self, copy: LaterCopy, argument: SSAValue | None) -> Path | None:
        if copy.kind is Later.MOVE:
            return self._equivalences.find_breakers_of_insertion(
                copy.operand.owner, self._plan
            )
        if argument is None:
            return frozenset()
        value = self._facts.get_use(copy.operand).value
        return self._equivalences.find_breaker_of_pair(argument, value, self._plan)
