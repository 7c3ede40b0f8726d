"""Which loops may permute buffers: forward them at another position.

    %r:2 = scf.for ... iter_args(%a = %x, %b = %y) {
      %c = linalg.add ... outs(%b)
      scf.yield %c, %a     // the buffers of %b and %a change places
    }

Here each result may be the buffer of %x or of %y, and never the same one as the other
result. A permutation is a group of inits, arguments and results of one loop. If the
buffers of its inits are different ones, those of the group are at every moment. So a
write to one of them leaves what is read from another one as it was.

The groups are found before any decision, for operands that are all in place. A copy
makes a new buffer, so that decisions can only make groups smaller.
`bufferization/analyses/one_shot/permuted_buffers.py` proves afterwards what holds.

Cost: linear in the values, times a constant for the size of a group.
"""

from collections.abc import Iterable, Iterator, Sequence, Set
from dataclasses import dataclass, field
from typing import NamedTuple

from xdsl.dialects.arith import SelectOp
from xdsl.dialects.func import CallOp
from xdsl.ir import Block, BlockArgument, Operation, OpResult, SSAValue

from xdsl_bufferization.support.algorithms.disjoint_sets import DisjointSets

from ...interfaces.known_models import KnownModels
from ...interfaces.operands import OpOperand, is_tensor, tensor_results
from ...interfaces.region_branch import RegionBranchOpInterface
from ...interfaces.state import (
    AliasingOpOperand,
    AliasingValue,
    AnalysisState,
    BufferRelation,
)
from .tensor_uses import TensorUse, is_equivalent

MOST = 32
"""The largest group: larger ones are copied in each iteration."""

_FEW = 1024
_FOR_EACH = 8
"""How many pairs of uses are told apart, at least, and for each op."""

_NONE: frozenset[BlockArgument] = frozenset()


class YieldedPermutation(NamedTuple):
    """Buffers of one loop that may change places."""

    op: Operation
    inits: tuple[OpOperand, ...]
    arguments: tuple[BlockArgument, ...]
    results: tuple[OpResult, ...]


class Doubts(NamedTuple):
    """What an earlier attempt to decide could not prove."""

    inits: Set[OpOperand] = frozenset()
    """Inits that may be one buffer: conflicts between them count."""

    loops: Set[Operation] = frozenset()
    """Loops that are to permute nothing."""


NO_DOUBTS = Doubts()


class Origin(NamedTuple):
    """What a value is made from in place: one of the values of an owner."""

    owner: Block | Operation | SSAValue
    """A loop's block, an op with regions, or the condition of `arith.select`."""

    value: SSAValue
    """The argument or the result."""


@dataclass
class YieldedPermutations:
    """The permutations of a program, and which values come from different buffers."""

    of_init: dict[OpOperand, YieldedPermutation] = field(
        default_factory=dict[OpOperand, YieldedPermutation]
    )
    of_value: dict[SSAValue, YieldedPermutation] = field(
        default_factory=dict[SSAValue, YieldedPermutation]
    )
    """Those of arguments and of results."""

    sources: dict[SSAValue, frozenset[BlockArgument]] = field(
        default_factory=dict[SSAValue, frozenset[BlockArgument]]
    )
    """The arguments of loops that a value may be made from in place."""

    origins: dict[SSAValue, Origin] = field(default_factory=dict[SSAValue, Origin])
    doubtful: Set[OpOperand] = frozenset()
    """Inits that may be one buffer."""

    budget: int = 0
    """How many pairs are told apart; beyond that, uses count as of one buffer.

    The price may be a copy, which MLIR makes as well; the cost stays linear.
    """

    def __bool__(self) -> bool:
        """Whether there are any."""
        return bool(self.of_value)

    def all(self) -> Iterable[YieldedPermutation]:
        """The permutations, in order."""
        return {id(each): each for each in self.of_value.values()}.values()

    def get_aliasing_values(self, init: OpOperand) -> Sequence[AliasingValue]:
        """The results that may be the buffer of an init."""
        return [
            AliasingValue(result, BufferRelation.UNKNOWN, is_definite=False)
            for result in self.of_init[init].results
        ]

    def get_aliasing_op_operands(
        self, value: SSAValue, without: Sequence[AliasingOpOperand]
    ) -> Sequence[AliasingOpOperand]:
        """The inits whose buffers a result may be.

        `without` permutations it would be these. If that is the very buffer, it still
        is.
        """
        if isinstance(value, BlockArgument) or any(map(is_equivalent, without)):
            return without
        return [
            AliasingOpOperand(init, BufferRelation.UNKNOWN, is_definite=False)
            for init in self.of_value[value].inits
        ]

    def makes(self, write: TensorUse, definition: SSAValue | None) -> bool:
        """Whether a write is one of a loop that makes a definition by it."""
        permutation = self.of_init.get(write.operand)
        return (
            permutation is not None
            and definition is not None
            and self.of_value.get(definition) is permutation
        )


class UsesOfPermuted:
    """Tells apart uses of buffers that change places, until the budget is spent.

    Used up while decisions are made, and so no part of the facts.
    """

    def __init__(self, permutations: YieldedPermutations):
        self._permutations = permutations
        self._left = permutations.budget
        self._apart: dict[tuple[SSAValue, SSAValue], bool] = {}

    def start_anew(self) -> None:
        """Have the whole budget again, for other decisions."""
        self._left = self._permutations.budget

    def are_apart(self, read: TensorUse, write: TensorUse) -> bool:
        """Whether a read and a write are certainly of different buffers."""
        if not self._permutations.of_init or self._left <= 0:
            return False
        is_apart = self._are_inits_apart(read, write) or self._come_apart(
            read.value, write.value
        )
        self._left -= is_apart
        return is_apart

    def _are_inits_apart(self, read: TensorUse, write: TensorUse) -> bool:
        of_init, doubtful = self._permutations.of_init, self._permutations.doubtful
        permutation = of_init.get(write.operand)
        return (
            permutation is not None
            and read.value is not write.value
            and of_init.get(read.operand) is permutation
            and not (read.operand in doubtful and write.operand in doubtful)
        )

    def _come_apart(self, first: SSAValue, second: SSAValue) -> bool:
        of_value, origins = self._permutations.of_value, self._permutations.origins
        one, other = origins.get(first), origins.get(second)
        if (
            one is None
            or other is None
            or one.owner is not other.owner
            or one.value is other.value
        ):
            return False
        permutation = of_value.get(one.value)
        if permutation is not None:
            return of_value.get(other.value) is permutation
        key = one.value, other.value
        if key not in self._apart:
            self._apart[key] = False
            self._apart[key] = self._are_chosen_apart(*key)
        return self._apart[key]

    def _are_chosen_apart(self, first: SSAValue, second: SSAValue) -> bool:
        """Whether two results of a choice are apart, however it is made."""
        one, other = alternatives(first), alternatives(second)
        return bool(one) and all(
            self._come_apart(a, b) for a, b in zip(one, other, strict=True)
        )


def alternatives(value: SSAValue) -> Sequence[SSAValue]:
    """The values that the result of a branch or of a selection may be, in order."""
    op = value.owner
    if not isinstance(op, Operation) or not isinstance(value, OpResult):
        return ()
    if isinstance(op, SelectOp):
        return op.lhs, op.rhs
    ends = [region.blocks[-1].last_op for region in op.regions if region.blocks]
    if not ends or any(
        end is None or value.index >= len(end.operands) or len(region.blocks) != 1
        for end, region in zip(ends, op.regions, strict=False)
    ):
        return ()
    return [end.operands[value.index] for end in ends if end is not None]


class PermutationFinder:
    """Finds the permutations of the ops of a root, bodies before their op."""

    def __init__(self, state: AnalysisState, models: KnownModels):
        self._state = state
        self._models = models
        self._loops: set[Operation] = set()
        self._branches = models.region_branches
        self.found = YieldedPermutations()

    def find(self, ops: Sequence[Operation], doubts: Doubts) -> YieldedPermutations:
        """All permutations about which there are no doubts."""
        self.found.doubtful = doubts.inits
        self._loops = {
            op
            for op, _ in self._models.carrying.of(ops)
            if sum(map(is_tensor, op.operands)) > 1
        }
        if self._loops:
            for op in self._loops:
                self._add_arguments(op)
            for op in ops:
                if op in self._loops and op not in doubts.loops:
                    self._add_loop(op)
                for result in tensor_results(op):
                    self._add_result(result)
            self.found.budget = _FEW + _FOR_EACH * len(ops)
        return self.found

    def _add_arguments(self, op: Operation) -> None:
        for region in op.regions:
            for argument in region.block.args:
                if is_tensor(argument):
                    self.found.sources[argument] = frozenset((argument,))
                    self.found.origins[argument] = Origin(region.block, argument)

    def _add_result(self, result: OpResult) -> None:
        op = result.op
        if result in self.found.of_value:
            inits = self.found.of_value[result].inits
            self.found.sources[result] = self._join(init.value for init in inits)
            self.found.origins[result] = Origin(op, result)
            return
        aliases = self._state.get_aliasing_op_operands(result)
        if not aliases:
            return
        values = [alias.operand.value for alias in aliases]
        self.found.sources[result] = self._join(values)
        origin = self._find_origin(op, result, values)
        if origin is not None:
            self.found.origins[result] = origin

    def _find_origin(
        self, op: Operation, result: OpResult, values: Sequence[SSAValue]
    ) -> Origin | None:
        if self._models.bufferizable[type(op)] is None or type(op) is CallOp:
            return None  # It may return one buffer twice.
        if len(values) == 1:
            return self.found.origins.get(values[0])
        if isinstance(op, SelectOp):
            return Origin(op.cond, result)
        return Origin(op, result) if op.regions and op not in self._loops else None

    def _join(self, values: Iterable[SSAValue]) -> frozenset[BlockArgument]:
        joined = _NONE.union(*map(self._sources_of, values))
        return joined if len(joined) <= MOST else _NONE

    def _sources_of(self, value: SSAValue) -> frozenset[BlockArgument]:
        return self.found.sources.get(value, _NONE)

    def _add_loop(self, op: Operation) -> None:
        branch = self._branches[type(op)]
        if branch is None:
            return
        nodes: dict[OpOperand | SSAValue, None] = {}
        groups = DisjointSets[OpOperand | SSAValue]()
        for forwarded, receiver in self._flow(op, branch):
            nodes[forwarded] = nodes[receiver] = None
            groups.unite(forwarded, receiver)
        for group in groups.groups(nodes):
            self._add_group(op, group)

    def _flow(
        self, op: Operation, branch: RegionBranchOpInterface
    ) -> Iterator[tuple[OpOperand | SSAValue, SSAValue]]:
        """What becomes what: inits and arguments, arguments and results."""
        for successor in branch.get_successor_regions(op, None):
            operands = branch.get_entry_successor_operands(op, successor)
            for operand, value in zip(operands, successor.inputs, strict=True):
                if is_tensor(value):
                    yield operand, value
        for region in op.regions:
            end = region.block.last_op
            assert end is not None
            for successor in branch.get_successor_regions(op, region):
                operands = branch.get_terminator_successor_operands(op, end, successor)
                for operand, value in zip(operands, successor.inputs, strict=True):
                    if is_tensor(value):
                        for source in self._sources_of(operand.value):
                            if source.block is region.block:
                                yield source, value

    def _add_group(self, op: Operation, group: Sequence[OpOperand | SSAValue]) -> None:
        inits = tuple(node for node in group if isinstance(node, OpOperand))
        results = tuple(node for node in group if isinstance(node, OpResult))
        if not inits or len(group) > 4 * MOST or len(inits) > MOST:
            return
        if len(inits) == 1 and all(self._is_only_init(r, inits[0]) for r in results):
            return
        arguments = tuple(node for node in group if isinstance(node, BlockArgument))
        permutation = YieldedPermutation(op, inits, arguments, results)
        self.found.of_init.update(dict.fromkeys(inits, permutation))
        self.found.of_value.update(dict.fromkeys((*arguments, *results), permutation))

    def _is_only_init(self, result: OpResult, init: OpOperand) -> bool:
        aliases = self._state.get_aliasing_op_operands(result)
        return len(aliases) == 1 and aliases[0].operand == init
