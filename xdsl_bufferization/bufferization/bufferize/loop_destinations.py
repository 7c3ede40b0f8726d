"""Loops compute what they yield in the tensor that the iteration was given.

    %0 = tensor.empty() : tensor<4xf32>
    %1 = scf.for ... iter_args(%t = %a) -> (tensor<4xf32>) {
      %2 = linalg.exp ins(%t : tensor<4xf32>) outs(%0 : tensor<4xf32>) -> tensor<4xf32>
      scf.yield %2 : tensor<4xf32>         ^^  outs(%t : tensor<4xf32>)

This part of eliminate-empty-tensors is not in MLIR. There a loop that yields another
buffer than it was given is refused, or makes a new buffer in each iteration.

The analysis says whether a read would see wrong numbers. The change is undone if the
analysis does not put it in place, or needs a copy elsewhere for it. If iterations then
share an empty tensor, and copy what they yield, each gets an empty tensor of its own:

    scf.for ... {
      %0 = tensor.empty() : tensor<4x4xf32>
      %2 = linalg.matmul ins(%t, %t ...) outs(%0 : tensor<4x4xf32>) -> ...
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from xdsl.dialects import scf, tensor
from xdsl.dialects.builtin import DYNAMIC_INDEX, ModuleOp
from xdsl.ir import BlockArgument, Operation, OpResult, SSAValue
from xdsl.traits import is_side_effect_free

from xdsl_bufferization.dialects.scf.forall import ForallOp
from xdsl_bufferization.dialects.tensor.constraints import ranked_type
from xdsl_bufferization.support.errors import OperationError

from ..analyses.one_shot.copy_cost import estimate_cost
from ..analyses.one_shot.one_shot import OneShotAnalysis, analyze
from ..analyses.one_shot.roots import bufferized_ops
from ..interfaces.destination_style import DestinationStyleOpInterface
from ..interfaces.operands import OpOperand, is_tensor
from ..models.bufferizable.scf import LoopOpBufferization
from ..models.slices import constant_value
from .empty_tensor_uses import EmptyTensorUses

_ATTEMPTS = 4
"""How often the analysis may be asked before all changes are undone."""


def compute_in_carried_tensors(
    module: ModuleOp, before: OneShotAnalysis
) -> OneShotAnalysis:
    """Replace empty tensors that loops yield, or make them anew in each iteration.

    `before` is the analysis of the module as it is. Returns that of the module as it
    becomes, but for empty tensors that are made anew. Raises an `OperationError` where
    the analysis does.
    """
    ops = bufferized_ops(module, before.options)
    loops = list(_find_loops(ops))
    if not loops or not any(isinstance(op, tensor.EmptyOp) for op in ops):
        return before
    destinations = list(_find_destinations(loops, before))
    if not destinations:
        return before
    replaced, after = _replace(destinations, before, module)
    for each in destinations:
        if each not in replaced and each.is_copied and not each.is_made_in_iteration():
            each.renew()
    for empty in dict.fromkeys(each.empty for each in destinations):
        if empty.tensor.first_use is None:
            empty.detach()
            empty.erase()
    return after


@dataclass(frozen=True)
class _Destination:
    """A use of an empty tensor, and what could be used instead."""

    use: OpOperand
    empty: tensor.EmptyOp
    argument: BlockArgument
    """What the iteration was given."""

    forwarded: OpOperand
    """What the use becomes: for the next iteration."""

    is_copied: bool
    """Whether the next iteration gets a copy so far."""

    @property
    def loop(self) -> Operation:
        loop = self.argument.block.parent_op()
        assert loop is not None
        return loop

    def is_made_in_iteration(self) -> bool:
        """Whether each iteration has an empty tensor of its own."""
        return self.loop.is_ancestor(self.empty)

    def is_hopeless(self) -> bool:
        """Whether iterations that run in any order read what others would overwrite."""
        op = self.use.owner
        return isinstance(op, ForallOp) and any(
            use.operation is not op and op.is_ancestor(use.operation)
            for use in self.argument.uses
        )

    def replace(self) -> None:
        self.use.owner.operands[self.use.number] = self.argument

    def restore(self) -> None:
        self.use.owner.operands[self.use.number] = self.empty.tensor

    def renew(self) -> None:
        """Use a new empty tensor, made where it is used."""
        new = self.empty.clone()
        block = self.use.owner.parent
        assert block is not None
        block.insert_op_before(new, self.use.owner)
        self.use.owner.operands[self.use.number] = new.results[0]

    def is_effective(self, analysis: OneShotAnalysis) -> bool:
        """Whether the next iteration gets the buffer that this one was given."""
        return analysis.is_in_place(self.use) and analysis.are_equivalent_buffers(
            self.argument, self.forwarded.value
        )


def _find_loops(
    ops: Iterable[Operation],
) -> Iterator[tuple[Operation, LoopOpBufferization]]:
    for op in ops:
        model = op.get_trait(LoopOpBufferization)
        if model is not None and any(map(is_tensor, op.operands)):
            yield op, model


def _find_destinations(
    loops: Sequence[tuple[Operation, LoopOpBufferization]], analysis: OneShotAnalysis
) -> Iterator[_Destination]:
    uses, seen = EmptyTensorUses(analysis), set[OpOperand]()
    for loop, model in loops:
        if not analysis.is_analyzed(loop):
            continue
        for carried in model.carried_values(loop):
            changed = [
                (forwarded, argument)
                for forwarded, argument in carried
                if argument is not None
                and not analysis.are_equivalent_buffers(argument, forwarded.value)
            ]
            new = analysis.find_new_buffers(changed)
            for forwarded, argument in changed:
                assert isinstance(argument, BlockArgument)
                for use in uses.find(forwarded):
                    empty = use.value.owner
                    assert isinstance(empty, tensor.EmptyOp)
                    if (
                        use not in seen
                        and use.value.type == argument.type
                        and use.owner is not loop
                        and loop.is_ancestor(use.owner)
                        and is_as_large(empty, argument, forwarded.value)
                    ):
                        seen.add(use)
                        is_copied = forwarded not in new
                        yield _Destination(use, empty, argument, forwarded, is_copied)


def _replace(
    destinations: Sequence[_Destination], before: OneShotAnalysis, module: ModuleOp
) -> tuple[set[_Destination], OneShotAnalysis]:
    """Replace the uses that need no copy afterwards.

    Returns which these are, and the analysis of the module then.
    """
    replaced = dict.fromkeys(e for e in destinations if not e.is_hopeless())
    if not replaced:
        return set(), before
    for each in replaced:
        each.replace()
    moved = _MovedOps()

    def give_up(failed: Iterable[_Destination]) -> None:
        for each in failed:
            del replaced[each]
            each.restore()
            moved.restore(each)

    for _ in range(_ATTEMPTS):
        try:
            after = analyze(module, before.options)
        except OperationError as error:
            # An op there cannot do without the buffer that it would write over.
            root = _root_of(error.op, before)
            give_up([e for e in replaced if _root_of(e.loop, before) is root])
            continue
        failed = _find_failed(replaced, before, after)
        # A read that would be spoiled may only have to come first.
        give_up(
            each
            for each in failed
            if each.is_effective(after) or not moved.postpone(each)
        )
        if not (replaced and failed):
            return set(replaced), after if replaced else before
    give_up(list(replaced))
    return set(), before


class _MovedOps:
    """Ops that wait for the end of an iteration, and where they were."""

    def __init__(self) -> None:
        self._places: dict[Operation, Operation] = {}
        """The next op that was not moved before; so no two wait for each other."""

    def postpone(self, each: _Destination) -> bool:
        """Move the op of a use to the end of the iteration, if possible and of use."""
        op, last = each.use.owner, each.forwarded.owner
        place = op.next_op
        while place is not None and place in self._places:
            place = place.next_op
        if (
            op.parent is not last.parent
            or place is None
            or place is last
            or op in self._places
            or not is_side_effect_free(op)
            or {use.operation for value in op.results for use in value.uses} != {last}
        ):
            return False
        self._places[op] = place
        _move(op, last)
        return True

    def restore(self, each: _Destination) -> None:
        """Move the op of a use back."""
        op = each.use.owner
        place = self._places.pop(op, None)
        if place is None:
            return
        while place in self._places:
            place = self._places[place]
        _move(op, place)


def _move(op: Operation, place: Operation) -> None:
    block = place.parent
    assert block is not None
    op.detach()
    block.insert_op_before(op, place)


def _find_failed(
    replaced: Iterable[_Destination], before: OneShotAnalysis, after: OneShotAnalysis
) -> list[_Destination]:
    """Destinations that cause new copies; all of them if the cause is not clear."""
    failed = [each for each in replaced if not each.is_effective(after)]
    if failed:
        return failed
    more = {
        root
        for root in (*after.functions, *after.others)
        if _count_copies(root, after) > _count_copies(root, before)
    }
    if not more:
        return []
    inside = [each for each in replaced if _root_of(each.loop, after) in more]
    # Or else callers copy what they pass to a function that works in place now.
    return inside or list(replaced)


def _root_of(op: Operation, analysis: OneShotAnalysis) -> Operation | None:
    root = analysis.get_root_analysis(op)
    return None if root is None else root.root


def _count_copies(root: Operation, analysis: OneShotAnalysis) -> int:
    found = analysis.get_root_analysis(root)
    return 0 if found is None else estimate_cost(found).copies


# --- sizes of what a loop carries ---------------------------------------------------


def is_as_large(
    empty: tensor.EmptyOp, argument: BlockArgument, yielded: SSAValue
) -> bool:
    """Whether an empty tensor has the sizes of a loop's argument in each iteration.

        %n = tensor.dim %a, %c0 : tensor<?xf32>
        %r = scf.for ... iter_args(%t = %a) -> (tensor<?xf32>) {
          %0 = tensor.empty(%n) : tensor<?xf32>      // %t, %a and %1 have %n elements
          %1 = linalg.fill ins(%f : f32) outs(%0 : tensor<?xf32>) -> tensor<?xf32>
          scf.yield %1 : tensor<?xf32>

    A type that leaves a size open says nothing: an iteration may yield a longer tensor
    than it was given. All answers are "no" when unsure.

    `yielded` is what the next iteration is given. If it has these sizes, and what the
    first iteration is given has them, too, then all arguments have them.
    """
    shape = ranked_type(empty.tensor).get_shape()
    dynamic = [at for at, size in enumerate(shape) if size == DYNAMIC_INDEX]
    return all(
        _is_size_of(size, argument, dimension)
        or (
            (init := _first_value(argument)) is not None
            and _is_size_of(size, init, dimension)
            and _is_size_of(size, yielded, dimension)
        )
        for dimension, size in zip(dynamic, empty.dynamic_sizes, strict=True)
    )


def _is_size_of(size: SSAValue, value: SSAValue, dimension: int) -> bool:
    """Whether `size` is how large a tensor is along a dimension."""
    value = _first_destination(value)
    owner = value.owner
    if isinstance(owner, tensor.EmptyOp):
        shape = ranked_type(value).get_shape()
        if shape[dimension] != DYNAMIC_INDEX:
            return False
        return owner.dynamic_sizes[shape[:dimension].count(DYNAMIC_INDEX)] is size
    dim = size.owner
    return (
        isinstance(dim, tensor.DimOp)
        and constant_value(dim.index) == dimension
        and _first_destination(dim.source) is value
    )


def _first_destination(value: SSAValue) -> SSAValue:
    """The tensor that ops start from to compute `value`, which has the same sizes."""
    while isinstance(owner := value.owner, Operation):
        model = owner.get_trait(DestinationStyleOpInterface)
        if model is None:
            break
        inits = model.get_dps_inits(owner)
        if not isinstance(value, OpResult) or len(inits) != len(owner.results):
            break
        value = inits[value.index].value
    return value


def _first_value(argument: BlockArgument) -> SSAValue | None:
    """What the first iteration of a loop is given for an argument."""
    block, loop = argument.block, argument.block.parent_op()
    match loop:
        case scf.ForOp():
            return loop.iter_args[argument.index - 1]
        case ForallOp():
            return loop.operands[len(loop.operands) - len(block.args) + argument.index]
        case scf.WhileOp() if block is loop.before_region.blocks.first:
            return loop.arguments[argument.index]
        case scf.WhileOp():
            condition = loop.before_region.block.last_op
            assert isinstance(condition, scf.ConditionOp)
            passed = condition.args[argument.index]
            if not isinstance(passed, BlockArgument):
                return None
            is_given = passed.block is loop.before_region.block
            return loop.arguments[passed.index] if is_given else None
        case _:
            return None
