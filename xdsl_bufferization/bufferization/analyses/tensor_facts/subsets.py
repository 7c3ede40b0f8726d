"""Which subset of which tensor a value is, wherever the value came from.

    %0 = tensor.extract_slice %t[0][4][1]
    %1 = linalg.fill ins(%f) outs(%0)             // writes only the slice of %t
    %2 = tensor.insert_slice %1 into %t[0][4][1]  // reads all but the slice of %t

A subset insertion may put the very same elements back where they came from. Then its
read of the container is not in conflict with the writes to the subset.

MLIR walks the reverse use-def chain of the value until it meets the matching
extraction. Here every value is a node of a forest, and so knows the subsets that it is:

- The extraction of a subset adds a node below the node of its container.
- The result of an op in destination style has the node of its destination.
- A join, such as a block argument, keeps what its inputs have in common.

Whether a value is a given subset is then the question: does the path from its node to
the root have a node of that subset?

Cost: linear in the values for each pass over them; passes are repeated until loops
agree. A question costs the extractions of the same subset. Source: MLIR's
`matchesInsertDestination`.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence, Set
from dataclasses import dataclass, field

from xdsl.ir import Block, Operation, OpResult, SSAValue

from xdsl_bufferization.dialects.scf import InParallelOp

from ...interfaces.operands import is_tensor, owner_op
from ...interfaces.subset import (
    WHOLE,
    SubsetExtractionOpInterface,
    SubsetInsertionOpInterface,
    SubsetOpInterface,
    comes_as,
)
from .tensor_facts import TensorFacts
from .tensor_uses import TensorUse

SubsetKey = int
"""Stands for a container and the place within it."""

Group = tuple[Block, SSAValue]
"""A block of insertions without an order, and the tensor that they insert into."""


@dataclass(slots=True, eq=False)
class _Node:
    """A subset, below the subsets that contain it."""

    key: SubsetKey
    parent: _Node | None
    children: list[_Node] = field(default_factory=list["_Node"])
    first: int = 0
    """Number in pre-order; descendants have numbers `first .. last`."""

    last: int = 0


class Subsets:
    """The subsets that the values of a program are, before any decision."""

    extractions: Sequence[tuple[Operation, SubsetExtractionOpInterface]]
    """The ops that take a subset of something, and what tells of which."""

    def __init__(self, facts: TensorFacts, *, as_searched: bool = False):
        """With `as_searched`, only what MLIR's search finds is a subset."""
        self._facts = facts
        self._as_searched = as_searched
        self._insertions = facts.models.insertions
        self._extractions = facts.models.extractions
        self._nodes: list[_Node | None] = [None] * len(facts.values)
        """By the number of the value."""

        self._has_joins: list[bool] = []
        """By value: whether more than one path leads back to where it comes from."""

        self._has_cycles: list[bool] = []
        """By value: whether such a path leads through a value of a later branch."""

        self._found: dict[tuple[int, SubsetKey], bool] = {}

        self._subsets: list[tuple[SSAValue, Hashable]] = []
        self._key_of: dict[tuple[SSAValue, Hashable], SubsetKey] = {}
        self._keys: dict[Operation, SubsetKey] = {}
        self._by_key: dict[SubsetKey, list[_Node]] = {}
        self._inserted: dict[Block, set[SubsetKey]] = {}
        self._known: dict[int, tuple[SubsetKey, ...]] = {}
        """The nodes of the arguments of blocks, as far as they are found, by number."""

        self._wholes: dict[int, SubsetKey] = {}
        self._has_groups = False
        for op, insertion in facts.models.insertions.of(facts.ops):
            self._has_groups |= _is_without_order(op)
            key = self.get_key(op, insertion)
            container, subset = self._subsets[key]
            if subset == WHOLE and is_tensor(container):
                self._wholes[facts.get_number(container)] = key
        self.extractions = facts.models.extractions.of(facts.ops)
        if self._wholes or self.extractions:
            while not self._build():
                pass
            self._number()
            if as_searched:
                self._find_joins()

    def is_subset(self, use: TensorUse, key: SubsetKey) -> bool:
        """Whether a value is the subset `key`, or made from it in place, on all paths.

        The question is that of MLIR's `matchesInsertDestination`.
        """
        node = self._nodes[use.number]
        if node is None or not any(
            candidate.first <= node.first <= candidate.last
            for candidate in self._by_key.get(key, ())
        ):
            return False
        if self._as_searched and self._has_joins[use.number]:
            return self._is_found(use.value, key)
        return True

    def _find_joins(self) -> None:
        for number, value in enumerate(self._facts.values):
            origins = [self._facts.get_number(o) for o in self._get_origins(value)]
            before = [origin for origin in origins if origin < number]
            self._has_joins.append(
                len(origins) > 1 or any(self._has_joins[origin] for origin in before)
            )
            self._has_cycles.append(
                len(before) < len(origins)
                or any(self._has_cycles[origin] for origin in before)
            )

    def _is_found(self, value: SSAValue, key: SubsetKey) -> bool:
        """Whether MLIR's search meets no value on two paths, but for the subset itself.

        For MLIR the search has failed at such a value, unless the value still waits for
        its turn: the last value found is looked at first. If all paths lead through one
        value, and none leads back, what is found from there on is kept. So a chain of
        branches is walked once, and not once for each branch.
        """
        waiting = {value: None}
        seen: set[int] = set()
        first_seen = len(self._nodes)
        passed: list[int] = []
        is_found = True
        while waiting:
            current, _ = waiting.popitem()
            if self._is_itself(current, key):
                continue
            number = self._facts.get_number(current)
            if number in seen:
                is_found = False
                break
            if not waiting and number < first_seen and not self._has_cycles[number]:
                if (number, key) in self._found:
                    is_found = self._found[number, key]
                    break
                passed.append(number)
            seen.add(number)
            first_seen = min(first_seen, number)
            waiting.update(dict.fromkeys(self._get_origins(current)))
        self._found.update(dict.fromkeys(((each, key) for each in passed), is_found))
        return is_found

    def _is_itself(self, value: SSAValue, key: SubsetKey) -> bool:
        if self._wholes.get(self._facts.get_number(value)) == key:
            return isinstance(value, OpResult)
        return self._is_extraction(value, {key})

    def _get_origins(self, value: SSAValue) -> list[SSAValue]:
        aliases = self._facts.get_aliasing_op_operands(value)
        return [alias.operand.value for alias in aliases]

    def are_non_conflicting(self, read: TensorUse, write: TensorUse) -> bool:
        """Whether a read and a write cannot conflict because of the subsets they use.

        The three cases of MLIR's `areNonConflictingSubsets`, and one for insertions
        without an order.
        """
        reader = self._insertions[type(read.point.op)]
        if reader is not None and (
            self._inserts_what_is_not_read(read, write, reader)
            or self._inserts_at_once(read, write, reader)
        ):
            return True
        writer = self._insertions[type(write.point.op)]
        return writer is not None and self._writes_back(read, write, writer)

    def _inserts_what_is_not_read(
        self, read: TensorUse, write: TensorUse, insertion: SubsetInsertionOpInterface
    ) -> bool:
        """The read is one of an insertion, which does not read what it overwrites."""
        op = read.point.op
        key = self.get_key(op, insertion)
        container = insertion.get_container(op)
        if read.operand == container:
            # The write changes only what the insertion overwrites anyway.
            return self.is_subset(write, key)
        # The insertion's own write, of what is there already.
        return (
            write.operand == container
            and read.operand == insertion.get_source(op)
            and self.is_subset(read, key)
        )

    def _writes_back(
        self, read: TensorUse, write: TensorUse, insertion: SubsetInsertionOpInterface
    ) -> bool:
        """The write inserts the value that is read where it already is."""
        op = write.point.op
        return (
            read.value is insertion.get_source(op).value
            and write.operand == insertion.get_container(op)
            and self.is_subset(read, self.get_key(op, insertion))
        )

    def _inserts_at_once(
        self, read: TensorUse, write: TensorUse, insertion: SubsetInsertionOpInterface
    ) -> bool:
        """The read is one of an insertion that has no order with those beside it.

        The tensor that they insert into may change where one of them inserts. A value
        that is inserted from its own place may be changed by all of them. The reason: a
        program in which two insertions meet, with no order between them, has no
        meaning. Read and write may be of one op.
        """
        op, other = read.point.op, write.point.op
        block = op.parent
        if block is None or not _is_without_order(op):
            return False
        if block is other.parent:
            group = self.get_group_of_read(read)
            return group is not None and group == self.get_group_of_write(write)
        container = insertion.get_container(op)
        return read.operand == container and self._comes_as(
            self._inserted_in(block), write.value, container.value
        )

    # Writes to the place that an insertion overwrites: its read never conflicts.

    def get_node_number(self, write: TensorUse) -> int:
        """The number of the subset that is written; negative if that is none."""
        node = self._nodes[write.number]
        if node is None or (self._as_searched and self._has_joins[write.number]):
            return -1
        return node.first

    def get_harmless_writes(self, read: TensorUse) -> tuple[int, int]:
        """The first and the last number of subsets whose writes spare a read.

        The read is that of what an insertion inserts into. The subsets are the one that
        the insertion overwrites, and those inside of it.
        """
        op = read.point.op
        insertion = self._insertions[type(op)]
        if insertion is None or read.operand != insertion.get_container(op):
            return 0, -1
        nodes = self._by_key.get(self.get_key(op, insertion), ())
        widest = max(nodes, key=lambda node: node.last - node.first, default=None)
        return (0, -1) if widest is None else (widest.first, widest.last)

    # Uses of ops without an order: within a group no read conflicts with a write.

    def get_group_of_write(self, write: TensorUse) -> Group | None:
        """The block without an order that `write` is in, and what is written there."""
        op = write.point.op
        if op.parent is None or not self._has_groups or not _is_without_order(op):
            return None
        return op.parent, write.value

    def get_group_of_read(self, read: TensorUse) -> Group | None:
        """The same for what an insertion inserts into, or from its own place there."""
        op = read.point.op
        block = op.parent
        if block is None or not self._has_groups or not _is_without_order(op):
            return None
        insertion = self._insertions[type(op)]
        if insertion is None:
            return None
        container = insertion.get_container(op)
        if read.operand == container or self._is_from_own_place(read, insertion):
            return block, container.value
        return None

    def _is_from_own_place(
        self, read: TensorUse, insertion: SubsetInsertionOpInterface
    ) -> bool:
        """Whether what is inserted has been where it goes, or in another buffer.

        For MLIR any op of a block without an order comes before any other op: a value
        that an iteration defines itself is never changed there. A value that is taken
        from another place of the container may be changed all the same. The whole
        container has no other place. An older value must be the very subset.
        """
        op = read.point.op
        key = self.get_key(op, insertion)
        if self.is_subset(read, key):
            return True
        container, subset = self._subsets[key]
        return _is_defined_in_its_iteration(read) and (
            subset == WHOLE or self._comes_as({key}, read.value, container)
        )

    def _inserted_in(self, block: Block) -> Set[SubsetKey]:
        """What the ops of `block` insert."""
        if block not in self._inserted:
            self._inserted[block] = {
                self.get_key(op, insertion)
                for op in block.ops
                if (insertion := self._insertions[type(op)]) is not None
            }
        return self._inserted[block]

    def _comes_as(
        self, keys: Set[SubsetKey], value: SSAValue, container: SSAValue
    ) -> bool:
        return comes_as(
            value,
            lambda current: current is container,
            lambda current: self._is_extraction(current, keys),
            self._get_origins,
        )

    def _is_extraction(self, value: SSAValue, keys: Set[SubsetKey]) -> bool:
        if not isinstance(value, OpResult):
            return False
        model = self._extractions[type(value.op)]
        return model is not None and self.get_key(value.op, model) in keys

    def get_key(self, op: Operation, model: SubsetOpInterface) -> SubsetKey:
        """The subset that `op` works on."""
        key = self._keys.get(op)
        if key is None:
            subset = model.get_container(op).value, model.get_subset(op)
            key = self._keys[op] = self._key_of.setdefault(subset, len(self._subsets))
            if key == len(self._subsets):
                self._subsets.append(subset)
        return key

    # Building the forest.

    def _build(self) -> bool:
        """Place all values, and tell whether nothing more can be found out.

        A value that a later branch passes back to a block is first taken for no subset.
        If it turns out to be one whatever the argument is, there is more to find out.
        As in MLIR, a value that becomes itself around a loop is no subset.
        """
        self._by_key.clear()
        passed_back: dict[int, None] = {}
        for number, value in enumerate(self._facts.values):
            owner = owner_op(value)
            if owner is None or self._facts.get_model(owner) is None:
                self._nodes[number] = None
                continue
            nodes: list[_Node | None] = []
            for origin in map(self._facts.get_number, self._get_origins(value)):
                if origin < number:
                    nodes.append(self._nodes[origin])
                else:
                    passed_back[origin] = None
                    nodes.append(self._add_all(self._known.get(origin, ())))
            node = self._join(nodes)
            if isinstance(value, OpResult):
                node = self._place(value.op, number, node)
            self._nodes[number] = node
        known = {number: _keys(self._nodes[number]) for number in passed_back}
        is_all = all(known[number] == self._known.get(number, ()) for number in known)
        self._known = known
        return is_all

    def _place(self, op: Operation, number: int, node: _Node | None) -> _Node | None:
        """The node of a result of `op` that comes from what is at `node`."""
        extraction = self._extractions[type(op)]
        if extraction is not None:
            node = self._add(self.get_key(op, extraction), node)
        if number in self._wholes:
            node = self._add(self._wholes[number], node)
        return node

    def _add_all(self, keys: Sequence[SubsetKey]) -> _Node | None:
        """A new chain of `keys`, the last one at the bottom."""
        node: _Node | None = None
        for key in keys:
            node = self._add(key, node)
        return node

    def _add(self, key: SubsetKey, parent: _Node | None) -> _Node:
        node = _Node(key, parent)
        self._by_key.setdefault(key, []).append(node)
        if parent is not None:
            parent.children.append(node)
        return node

    def _join(self, nodes: Sequence[_Node | None]) -> _Node | None:
        """The subsets that all of `nodes` have in common."""
        if not nodes:
            return None
        joined = nodes[0]
        for node in nodes[1:]:
            if node is not joined:
                joined = self._intersect(joined, node)
        return joined

    def _intersect(self, first: _Node | None, second: _Node | None) -> _Node | None:
        ancestors, firsts, seconds = _split(first, second)
        common = {node.key for node in seconds}
        node = ancestors
        for key in reversed([node.key for node in firsts if node.key in common]):
            node = self._add(key, node)
        return node

    def _number(self) -> None:
        count = 0
        roots = [n for ns in self._by_key.values() for n in ns if n.parent is None]
        todo = [(root, False) for root in roots]
        while todo:
            node, is_done = todo.pop()
            if is_done:
                node.last = count - 1
                continue
            node.first = count
            count += 1
            todo.append((node, True))
            todo.extend((child, False) for child in node.children)


def _is_defined_in_its_iteration(read: TensorUse) -> bool:
    """Whether the definitions of a read run as often as the read does."""
    repetition = read.point.block.repetition
    definitions = read.definitions
    return definitions is None or (
        repetition is None or repetition.contains(definitions.block)
    )


def _is_without_order(op: Operation) -> bool:
    """Whether `op` has no order with the ops beside it."""
    return isinstance(op.parent_op(), InParallelOp)


def _keys(node: _Node | None) -> tuple[SubsetKey, ...]:
    """The subsets that a node stands for, its own last."""
    keys: list[SubsetKey] = []
    while node is not None:
        keys.append(node.key)
        node = node.parent
    return tuple(reversed(keys))


def _split(
    first: _Node | None, second: _Node | None
) -> tuple[_Node | None, list[_Node], list[_Node]]:
    """The nearest common ancestor of two nodes, and the nodes below it on each side.

    The search goes up from both nodes in turn, so that it costs at most twice the
    number of nodes that it returns.
    """
    sides: tuple[list[_Node], list[_Node]] = ([], [])
    seen: tuple[dict[int, int], dict[int, int]] = ({}, {})
    heads = [first, second]
    while heads[0] is not None or heads[1] is not None:
        for side in (0, 1):
            head = heads[side]
            if head is None:
                continue
            other = seen[1 - side].get(id(head))
            if other is not None:
                lists = [sides[0], sides[1]]
                lists[1 - side] = lists[1 - side][:other]
                return head, lists[0], lists[1]
            seen[side][id(head)] = len(sides[side])
            sides[side].append(head)
            heads[side] = head.parent
    return None, sides[0], sides[1]
