"""Iterations of `scf.forall` that read what another iteration may have inserted.

    %1 = scf.forall (%i) in (8) shared_outs(%o = %0) -> (tensor<8xf32>) {
      %2 = tensor.extract_slice %o[7 - %i] [1] [1]     // becomes: of %0
      scf.forall.in_parallel {
        tensor.parallel_insert_slice %2 into %o[%i] [1] [1]
      }
    }

Inside of the body, `%o` has the elements of `%0`, whatever other iterations insert. All
iterations share one buffer of `%o`. So an iteration may read there only what it inserts
itself, or what no iteration inserts. An op that reads more of `%o` gets `%0` as its
operand, before One-Shot Analysis decides. Then the analysis sees a loop that reads a
tensor from outside and writes the buffer of that tensor, and `%0` is copied once. The
analysis of MLIR compares a read with the insertions of the same iteration alone, which
come later.

Cost: linear in the uses of the outputs, and of what the body makes of all of an output.
"""

from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

from xdsl.dialects.tensor import CastOp
from xdsl.ir import Block, BlockArgument, Operation, SSAValue
from xdsl.traits import IsTerminator

from xdsl_bufferization.dialects.scf import ForallOp
from xdsl_bufferization.dialects.tensor.slices import ParallelInsertSliceOp

from ..interfaces.boxes import Extent
from ..interfaces.branch import get_passed_argument
from ..interfaces.conservative_state import ConservativeState
from ..interfaces.iterations import Iterations
from ..interfaces.operands import OpOperand
from ..interfaces.options import BufferizationOptions
from ..interfaces.region_branch import get_region_branch
from ..interfaces.subset import SubsetOpInterface
from ..models.bufferizable.scf_forall import tied_output
from .ops_with_tensors import OpsWithTensors

_DEST = 1
"""Number of the destination among the operands of `tensor.parallel_insert_slice`."""

_MOST = 64
"""How many insertions into one output are told apart."""


def read_what_loops_start_with(
    ops: OpsWithTensors, options: BufferizationOptions
) -> None:
    """Let loops read the operands of outputs where other iterations may insert.

    The program means what it meant. Without `check-parallel-regions`, nothing is done.
    """
    if not options.check_parallel_regions:
        return
    for loop, _ in ops.bufferizable:
        if type(loop) is ForallOp and loop.results:
            _read_operands(loop, options)


def _read_operands(loop: ForallOp, options: BufferizationOptions) -> None:
    reads = _ReadsOfOutputs(loop, options)
    for output in loop.region_outputs:
        insertions = [
            use.operation
            for use in output.uses
            if isinstance(use.operation, ParallelInsertSliceOp) and use.index == _DEST
        ]
        if insertions:
            for use in reads.find(output, insertions):
                use.owner.operands[use.number] = tied_output(output).value


class _Carrier(NamedTuple):
    """An operand that has elements of an output."""

    operand: OpOperand
    is_whole: bool
    """Whether it has all of them, each where it is in the output."""


class _Place(NamedTuple):
    """Where an iteration inserts into an output."""

    subset: object
    extents: Sequence[Extent] | None


class _Output(NamedTuple):
    """An output, and where iterations insert into it."""

    value: BlockArgument
    places: Sequence[_Place]

    own: Sequence[_Place]
    """Those of `places` into which no other iteration inserts."""


class _ReadsOfOutputs:
    """Finds reads of an output that may see what another iteration inserts."""

    def __init__(self, loop: ForallOp, options: BufferizationOptions):
        self._iterations = Iterations(loop.regions[0].block, _is_around(loop))
        self._state = ConservativeState(options)

    def find(
        self, output: BlockArgument, insertions: Sequence[Operation]
    ) -> Iterator[OpOperand]:
        """The uses of an output by which such elements may be read."""
        if not self._iterations.indices:
            return
        places = [_place_of(each) for each in insertions[:_MOST]]
        if len(insertions) > _MOST:
            places.append(_Place(None, None))  # Anywhere.
        own = [
            each
            for each in places
            if not any(self._may_be_shared(each, other) for other in places)
        ]
        found = _Output(output, places, own)
        inserted = set(insertions)
        for use in list(output.uses):
            operand = OpOperand(use.operation, use.index)
            is_insertion = use.index == _DEST and use.operation in inserted
            if not is_insertion and self._reads_others(operand, found):
                yield operand

    def _reads_others(self, operand: OpOperand, output: _Output) -> bool:
        """Whether `operand`, all of an output, may be read where others insert."""
        todo = [_Carrier(operand, is_whole=True)]
        seen: set[tuple[SSAValue, bool]] = set()
        while todo:
            carrier = todo.pop()
            values = self._follow(carrier, output)
            if values is None:
                return True
            for value, is_whole in values:
                if (value, is_whole) not in seen:
                    seen.add((value, is_whole))
                    todo += [
                        _Carrier(OpOperand(use.operation, use.index), is_whole)
                        for use in value.uses
                    ]
        return False

    def _follow(
        self, carrier: _Carrier, output: _Output
    ) -> list[tuple[SSAValue, bool]] | None:
        """What has elements of an operand; None if others insert what the op reads.

        With each value goes whether it has all elements, each where it was.
        """
        (operand, is_whole), state = carrier, self._state
        op, type_ = operand.owner, operand.value.type
        if isinstance(op, ParallelInsertSliceOp) and (
            op.dest is output.value and op.dest.type == op.source.type
        ):
            return []  # An element that several iterations insert is that of any.
        writes = state.bufferizes_to_memory_write(operand)
        forwarded = _forwarded(operand)
        if forwarded is not None:
            # Loops write what they start with, and copy it if others need it.
            return None if writes else [(value, is_whole) for value in forwarded]
        part = op.get_trait(SubsetOpInterface)
        is_container = part is not None and operand == part.get_container(op)
        if part is not None and is_container:
            if is_whole and self._is_apart(_place_of(op), output):
                if not writes:
                    return []
            elif writes or state.bufferizes_to_memory_read(operand):
                return None  # Who writes elsewhere copies all that is there.
            else:
                is_whole = False
        elif state.bufferizes_to_memory_read(operand):
            return None
        elif writes:
            return []  # All that is there is overwritten.
        return [
            (value, is_whole and (value.type == type_ or isinstance(op, CastOp)))
            for value, *_ in state.get_aliasing_values(operand)
        ]

    def _is_apart(self, place: _Place, output: _Output) -> bool:
        """Whether no other iteration inserts into a part."""
        return any(
            place.subset == each.subset or _is_inside(place, each)
            for each in output.own
        ) or all(self._are_apart(place, each) for each in output.places)

    def _may_be_shared(self, first: _Place, second: _Place) -> bool:
        """Whether indices tell that iterations insert into parts that may overlap.

        Where nothing tells, they do not: `scf.forall` leaves open what an element is
        that two of them insert.
        """
        return all(
            self._iterations.is_computed(each.extents) for each in (first, second)
        ) and not self._are_apart(first, second)

    def _are_apart(self, first: _Place, second: _Place) -> bool:
        """Whether parts of two different iterations share no element."""
        return (
            first.extents is not None
            and second.extents is not None
            and self._iterations.are_apart(first.extents, second.extents)
        )


def _is_around(loop: ForallOp) -> Callable[[Block], bool]:
    """Tells whether a block that the body of a loop can see is outside of the loop."""
    body = loop.regions[0]
    return lambda block: block.parent is None or not body.is_ancestor(block.parent)


def _place_of(op: Operation) -> _Place:
    part = op.get_trait(SubsetOpInterface)
    if part is None:
        return _Place(op, None)
    box = part.get_box(op)
    return _Place(part.get_subset(op), None if box is None else box.extents())


def _is_inside(first: _Place, second: _Place) -> bool:
    if first.extents is None or second.extents is None:
        return False
    return all(
        a.is_inside(b) for a, b in zip(first.extents, second.extents, strict=True)
    )


def _forwarded(operand: OpOperand) -> Sequence[SSAValue] | None:
    """Where control flow hands an operand on to; None if it does not."""
    op, parent = operand.owner, operand.owner.parent_op()
    branch = get_region_branch(op)
    if branch is not None:
        found = [
            value
            for successor in branch.get_successor_regions(op, None)
            for passed, value in zip(
                branch.get_entry_successor_operands(op, successor),
                successor.inputs,
                strict=True,
            )
            if passed == operand
        ]
        return found or None
    argument = get_passed_argument(operand)
    if argument is not None:
        return [argument]
    around = None if parent is None else get_region_branch(parent)
    if parent is None or around is None or not op.has_trait(IsTerminator):
        return None
    return [
        value
        for successor in around.get_successor_regions(parent, op.parent_region())
        for passed, value in zip(
            around.get_terminator_successor_operands(parent, op, successor),
            successor.inputs,
            strict=True,
        )
        if passed == operand
    ]
