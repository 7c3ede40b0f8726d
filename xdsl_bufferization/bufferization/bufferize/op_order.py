"""What is visible where, while ops are inserted and moved.

    a       (0, 0)
    new     (1, 0)     inserted before b
    b       (2, 0)

An op is a pair of numbers in its block. Ops that were there from the start have even
first numbers. An op that is inserted before one of them has the odd number before it.
So an insertion renumbers nothing, and a question costs a comparison for each level of
nesting.
"""

from collections.abc import Sequence

from xdsl.ir import Block, BlockArgument, Operation, SSAValue

Key = tuple[int, int]


class OpOrder:
    """The order of the ops of each block, and the places between them.

    A place is an op that was there from the start and has not moved: what is inserted
    there comes directly before it.
    """

    def __init__(self) -> None:
        self._keys: dict[Operation, Key] = {}
        self._ops: dict[Block, list[Operation]] = {}
        self._moved: set[Operation] = set()
        self._count = 0

    # Changes.

    def insert(self, op: Operation, place: Operation) -> None:
        """Insert a new op at `place`."""
        block = _block_of(place)
        first, _ = self.key(place)
        block.insert_op_before(op, place)
        self._keys[op] = (first - 1, self._count)
        self._count += 1

    def move(self, ops: Sequence[Operation], place: Operation) -> None:
        """Move `ops` to `place` in the same block, one after the other."""
        self.key(place)  # Numbers all ops, where they still stand.
        for op in ops:
            op.detach()
            self.insert(op, place)
        self._moved.update(ops)

    def sort(self, ops: Sequence[Operation]) -> list[Operation]:
        """Ops of one block in order."""
        return sorted(ops, key=self.key)

    # Places.

    def is_place(self, op: Operation) -> bool:
        """Whether ops can be inserted directly before `op`."""
        return self.key(op)[1] == 0 and op not in self._moved

    def place_of(self, op: Operation) -> Operation | None:
        """The first place that is not before `op`."""
        return self._next_place(_block_of(op), (self.key(op)[0] + 1) // 2)

    def place_after(self, value: SSAValue) -> Operation | None:
        """The first place where `value` is visible."""
        owner = value.owner
        if isinstance(owner, Block):
            return self._next_place(owner, 0)
        return self._next_place(_block_of(owner), self.key(owner)[0] // 2 + 1)

    def _next_place(self, block: Block, number: int) -> Operation | None:
        ops = self.ops_of(block)
        while number < len(ops) and not self.is_place(ops[number]):
            number += 1
        return ops[number] if number < len(ops) else None

    # Questions.

    def is_visible(self, value: SSAValue, op: Operation) -> bool:
        """Whether `op` could use `value`; False where only dominance could tell."""
        owner = value.owner
        block = owner if isinstance(owner, Block) else _block_of(owner)
        ancestor = _find_ancestor(block, op)
        if ancestor is None:
            return _is_entry_around(block, op)
        if isinstance(value, BlockArgument):
            return True
        assert isinstance(owner, Operation)
        return self.key(owner) < self.key(ancestor)

    def dominates(self, place: Operation, op: Operation) -> bool:
        """Whether `place` is `op` or comes before it whenever it runs."""
        block = _block_of(place)
        ancestor = _find_ancestor(block, op)
        if ancestor is None:
            return _is_entry_around(block, op)
        return self.key(place) <= self.key(ancestor)

    def comes_before(self, op: Operation, other: Operation) -> bool:
        """Whether `op` precedes `other`, in the same block."""
        # Most often both are numbered already.
        first, second = self._keys.get(op), self._keys.get(other)
        return (first or self.key(op)) < (second or self.key(other))

    def find_last(self, values: Sequence[SSAValue]) -> SSAValue | None:
        """The value that is visible only where all others are, if that is one.

        All are visible at some op, so that their blocks are nested.
        """
        if not values:
            return None
        last = max(values, key=self._rank)
        region = _block_of_value(last).parent_region()
        for value in values:
            block = _block_of_value(value)
            if (
                block.parent_region() is region
                and block is not _block_of_value(last)
                and not _is_entry(block)
            ):
                return None
        return last

    def _rank(self, value: SSAValue) -> tuple[int, int, Key]:
        block = _block_of_value(value)
        owner = value.owner
        key = (-1, 0) if isinstance(owner, Block) else self.key(owner)
        return _depth(block), 0 if _is_entry(block) else 1, key

    def key(self, op: Operation) -> Key:
        """The numbers of an op: lower than those of the ops behind it in its block."""
        key = self._keys.get(op)
        if key is None:
            self.ops_of(_block_of(op))
            key = self._keys[op]
        return key

    def ops_of(self, block: Block) -> list[Operation]:
        """The ops of a block as they were from the start."""
        ops = self._ops.get(block)
        if ops is None:
            # `list(block.ops)` would first count the ops, one after the other.
            ops = self._ops[block] = list(iter(block.ops))
            self._keys |= {op: (2 * number, 0) for number, op in enumerate(ops)}
        return ops


def _block_of(op: Operation) -> Block:
    block = op.parent_block()
    assert block is not None, "the op is inside a module"
    return block


def _block_of_value(value: SSAValue) -> Block:
    owner = value.owner
    return owner if isinstance(owner, Block) else _block_of(owner)


def _find_ancestor(block: Block, op: Operation) -> Operation | None:
    """`op` or the op around it that stands in `block`."""
    at: Operation | None = op
    while at is not None and at.parent_block() is not block:
        at = at.parent_op()
    return at


def _is_entry(block: Block) -> bool:
    region = block.parent_region()
    return region is not None and region.first_block is block


def _is_entry_around(block: Block, op: Operation) -> bool:
    """Whether `op` is in another block of the region that begins with `block`."""
    if not _is_entry(block):
        return False
    at: Operation | None = op
    while at is not None:
        if at.parent_region() is block.parent_region():
            return True
        at = at.parent_op()
    return False


def _depth(block: Block) -> int:
    depth = 0
    op = block.parent_op()
    while op is not None:
        depth += 1
        op = op.parent_op()
    return depth
