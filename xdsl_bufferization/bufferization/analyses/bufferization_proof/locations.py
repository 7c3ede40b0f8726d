"""In which buffer each tensor of a function is, and in which part of it.

    %1 = tensor.insert %x into %0[%i]            // in place: %1 is where %0 is
    %2 = tensor.extract_slice %1[4] [4] [1]      // a part of the same buffer
    %3 = arith.select %c, %0, %a                 // a buffer of its own name

A name stands for one buffer at each time. What is one of several buffers gets a name of
its own. A block argument, and a result of an op with regions, shares the name that all
values passed to it have, if that name is known where it is. The largest such solution
is found: what shares a name is assumed to, until an edge says otherwise.
"""

from collections import deque
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from xdsl.dialects.bufferization import ToTensorOp
from xdsl.dialects.builtin import DYNAMIC_INDEX
from xdsl.ir import Attribute, Block, Operation, OpResult, SSAValue

from xdsl_bufferization.dialects.ml_program import GlobalLoadOp
from xdsl_bufferization.support.algorithms.dominating_blocks import DominatingBlocks

from ...interfaces.branch import get_branch, passed_operands
from ...interfaces.operands import OpOperand, is_ranked_tensor_type, is_tensor
from ...interfaces.region_branch import get_region_branch
from ...interfaces.state import BufferRelation
from .questions import Questions, is_in_place
from .regions import Frame, Region, View, part_of, whole_view


@dataclass(eq=False)
class Buffer:
    """The name of a buffer."""

    source: SSAValue | OpOperand | Attribute
    """The value that it was named for, the operand that is copied, or a global."""

    block: Block
    """Where the name is bound."""

    frame: Frame
    is_writable: bool = True


@dataclass(frozen=True)
class Location:
    """Where a tensor is."""

    buffer: Buffer
    view: View

    @property
    def region(self) -> Region:
        """The part of the buffer."""
        return self.view.region


def passed_to(op: Operation) -> Iterator[tuple[OpOperand, SSAValue]]:
    """The tensors that `op` and the ends of its regions forward, and what gets them."""
    branch = get_branch(op)
    if branch is not None:
        for block, operands in zip(
            op.successors, passed_operands(branch, op), strict=True
        ):
            yield from zip(operands, block.args, strict=True)
    regions = get_region_branch(op)
    if regions is None:
        return
    for successor in regions.get_successor_regions(op, None):
        operands = regions.get_entry_successor_operands(op, successor)
        yield from zip(operands, successor.inputs, strict=True)
    for region in op.regions:
        for block in region.blocks:
            end = block.last_op
            if end is None or end.successors:
                continue
            for successor in regions.get_successor_regions(op, region):
                operands = regions.get_terminator_successor_operands(op, end, successor)
                yield from zip(operands, successor.inputs, strict=True)


def block_of(value: SSAValue) -> Block:
    """The block that defines a value."""
    block = value.owner if isinstance(value.owner, Block) else value.owner.parent
    assert block is not None
    return block


class Locations:
    """The places of the tensors inside of an op."""

    def __init__(
        self,
        root: Operation,
        questions: Questions,
        blocks: DominatingBlocks,
        *,
        loads_are_copies: bool = True,
    ):
        self._root = root
        self._loads_are_copies = loads_are_copies
        self._questions = questions
        self._blocks = blocks
        self._locations: dict[SSAValue, Location] = {}
        self._own: dict[SSAValue, Location] = {}
        self._copies: dict[OpOperand, Location] = {}
        self._memory: dict[SSAValue, Location] = {}
        self._globals: dict[Attribute, Location] = {}
        self.passed: dict[SSAValue, list[OpOperand]] = {}
        """What each argument of a block, and result of an op with regions, may be."""
        self._find(list(root.walk()))

    def of(self, value: SSAValue) -> Location:
        """The place of a tensor."""
        return self._locations.get(value) or self._own_location(value)

    def of_operand(self, operand: OpOperand) -> Location:
        """Where an op finds the tensor: in its place, or in a copy."""
        if is_in_place(operand):
            return self.of(operand.value)
        if operand not in self._copies:
            block = operand.owner.parent
            assert block is not None
            view = whole_view(operand.value.type)
            buffer = Buffer(operand, block, view.region.frame)
            self._copies[operand] = Location(buffer, view)
        return self._copies[operand]

    def of_global(self, name: Attribute, type_: Attribute) -> Location | None:
        """Where a global is, if loads of it are in its own buffer."""
        if self._loads_are_copies:
            return None
        if name not in self._globals:
            view, block = whole_view(type_), self._root.regions[0].blocks[0]
            buffer = Buffer(name, block, view.region.frame)
            self._globals[name] = Location(buffer, view)
        return self._globals[name]

    def has_own_name(self, value: SSAValue) -> bool:
        """Whether the buffer is named for `value`."""
        return self.of(value).buffer.source is value

    def is_known_at(self, block: Block, target: SSAValue) -> bool:
        """Whether what `block` defines is the same before and after `target` is."""
        if isinstance(target, OpResult):
            return self._blocks.is_above(block, block_of(target))
        return self._blocks.is_strictly_above(block, block_of(target))

    # --- finding ---------------------------------------------------------------------

    def _find(self, ops: Sequence[Operation]) -> None:
        for op in ops:
            for operand, target in passed_to(op):
                if is_tensor(target):
                    self.passed.setdefault(target, []).append(operand)
        todo = deque(self._unknown(ops))
        waiting = set(todo)
        while todo:
            value = todo.popleft()
            waiting.remove(value)
            location = self._compute(value)
            if location is None or location == self._locations.get(value):
                continue
            self._locations[value] = location
            for other in self._depending_on(value):
                if other not in waiting:
                    waiting.add(other)
                    todo.append(other)
        self._spread_read_only(ops)

    def _unknown(self, ops: Sequence[Operation]) -> Iterator[SSAValue]:
        """What is to be placed: all but arguments to which nobody passes a value."""
        for op in ops:
            for region in op.regions:
                for block in region.blocks:
                    yield from (a for a in block.args if a in self.passed)
            yield from filter(is_tensor, op.results)

    def _spread_read_only(self, ops: Sequence[Operation]) -> None:
        """What may be a buffer that must not be written must not be written either."""
        becomes: dict[Buffer, list[Buffer]] = {}
        for value, operands in self._origins(ops):
            buffer = self.of(value).buffer
            for operand in operands:
                if is_in_place(operand):
                    source = self.of(operand.value).buffer
                    becomes.setdefault(source, []).append(buffer)
        todo = [buffer for buffer in becomes if not buffer.is_writable]
        while todo:
            for buffer in becomes.get(todo.pop(), ()):
                if buffer.is_writable:
                    buffer.is_writable = False
                    todo.append(buffer)

    def _origins(
        self, ops: Sequence[Operation]
    ) -> Iterator[tuple[SSAValue, Sequence[OpOperand]]]:
        yield from self.passed.items()
        for op in ops:
            answers = self._questions.ask(op) if op.results else None
            for result, links in () if answers is None else answers.links:
                if result not in self.passed:
                    yield result, [link.operand for link in links]

    def _depending_on(self, value: SSAValue) -> Iterator[SSAValue]:
        for use in value.uses:
            op = use.operation
            yield from filter(is_tensor, op.results)
            for successor in op.successors:
                yield from (a for a in successor.args if a in self.passed)
            around = op.parent_op() if op.next_op is None else None
            for each in (op, around):
                if each is not None and each.regions:
                    yield from filter(is_tensor, each.results)
                    for region in each.regions:
                        if region.blocks:
                            args = region.blocks[0].args
                            yield from (a for a in args if a in self.passed)

    def _compute(self, value: SSAValue) -> Location | None:
        """The place of a value, as far as its operands are known."""
        passed = self.passed.get(value)
        if passed is not None:
            return self._join(value, passed)
        assert isinstance(value, OpResult)
        answers = self._questions.ask(value.op)
        if answers is None:
            return self._own_location(value)
        links = next(links for result, links in answers.links if result is value)
        if len(links) != 1 or not links[0].is_definite:
            return self._own_location(value)
        operand, relation, _ = links[0]
        if operand.owner is not value.op or not is_in_place(operand):
            return self._own_location(value)
        at = self._locations.get(operand.value) or self._argument(operand.value)
        return None if at is None else self._derive(value, operand, relation, at)

    def _argument(self, value: SSAValue) -> Location | None:
        """The place of an argument to which nobody here passes a value."""
        if isinstance(value, OpResult) or value in self.passed:
            return None
        return self._own_location(value)

    def _join(self, value: SSAValue, passed: Sequence[OpOperand]) -> Location | None:
        """The place that all of `passed` have, if it has a name where `value` is."""
        own = self._own.get(value)
        if own is not None:
            return own
        found: Location | None = None
        for operand in passed:
            location = self._find_operand(operand)
            if location is None or location == found:
                continue
            if found is not None or not self._is_named_at(location, value):
                return self._own_location(value)
            found = location
        return found

    def _find_operand(self, operand: OpOperand) -> Location | None:
        if not is_in_place(operand):
            return self.of_operand(operand)
        value = operand.value
        return self._locations.get(value) or self._argument(value)

    def _is_named_at(self, location: Location, value: SSAValue) -> bool:
        blocks = (location.buffer.block, *location.region.blocks)
        return all(self.is_known_at(block, value) for block in blocks)

    def _derive(
        self,
        value: OpResult,
        operand: OpOperand,
        relation: BufferRelation,
        at: Location,
    ) -> Location:
        """The place of a result that is, or is a part of, an operand in place."""
        if relation is BufferRelation.EQUIVALENT:
            if _has_same_dimensions(value, operand.value):
                return at
            old = self._locations.get(value)
            if old is not None and old.region.frame.around == at.region:
                return old
            return Location(at.buffer, whole_view(value.type, at.region))
        answers = self._questions.ask(value.op)
        assert answers is not None
        part = answers.part
        if part is None or part.is_inserted or part.number != operand.number:
            return self._own_location(value)
        return Location(at.buffer, part_of(at.view, part.box, part.key))

    def _own_location(self, value: SSAValue) -> Location:
        location = self._own.get(value)
        if location is None:
            location = self._location_of_memory(value) or self._new_location(value)
            self._own[value] = location
        return location

    def _location_of_memory(self, value: SSAValue) -> Location | None:
        """Where a tensor is that is made of a memref, as are others perhaps."""
        if not isinstance(value, OpResult):
            return None
        if isinstance(value.op, GlobalLoadOp):
            return self.of_global(value.op.global_, value.type)
        if not isinstance(value.op, ToTensorOp):
            return None
        memref = value.op.memref
        if memref not in self._memory:
            view, is_writable = whole_view(value.type), value.op.writable is not None
            frame, block = view.region.frame, block_of(memref)
            self._memory[memref] = Location(
                Buffer(value, block, frame, is_writable), view
            )
        return self._memory[memref]

    def _new_location(self, value: SSAValue) -> Location:
        view = whole_view(value.type)
        return Location(self._name(value, view.region.frame), view)

    def _name(self, value: SSAValue, frame: Frame) -> Buffer:
        block = block_of(value)
        op = value.op if isinstance(value, OpResult) else block.parent_op()
        model = None if op is None else self._questions.models[type(op)]
        is_writable = (
            model is None
            or value in self.passed
            or model.is_writable(value, self._questions.decisions)
        )
        return Buffer(value, block, frame, is_writable)


def _has_same_dimensions(first: SSAValue, second: SSAValue) -> bool:
    """Whether each element has the same coordinates in both: a cast, or no change."""
    one, other = first.type, second.type
    if one == other:
        return True
    if not is_ranked_tensor_type(one) or not is_ranked_tensor_type(other):
        return False
    return one.get_num_dims() == other.get_num_dims() and all(
        a == b or DYNAMIC_INDEX in (a, b)
        for a, b in zip(one.get_shape(), other.get_shape(), strict=True)
    )
