"""One-Shot Analysis as MLIR states it: every read against every write, set by set.

Quadratic and worse, and as plain as can be. It shares with the analysis only what
models answer; definitions, subsets, order of execution and alias sets are its own, each
by the walk that the rule describes.
"""

from collections.abc import Callable

from xdsl.ir import Block, BlockArgument, Operation, OpResult, Region, SSAValue

from xdsl_bufferization.bufferization.analyses.one_shot.heuristics import order_ops
from xdsl_bufferization.bufferization.analyses.tensor_facts.tensor_facts import (
    TensorFacts,
)
from xdsl_bufferization.bufferization.interfaces.operands import (
    OpOperand,
    owner_op,
    tensor_operands,
)
from xdsl_bufferization.bufferization.interfaces.options import (
    AnalysisHeuristic,
    BufferizationOptions,
)
from xdsl_bufferization.bufferization.interfaces.region_branch import get_region_branch
from xdsl_bufferization.bufferization.interfaces.state import BufferRelation
from xdsl_bufferization.bufferization.interfaces.subset import (
    SubsetExtractionOpInterface,
    SubsetInsertionOpInterface,
)


class SlowReference:
    """Decides about one root op.

    With `as_mlir` it decides as mlir-opt 22 does. That tool overlooks writes in blocks
    after the block of a block argument. It also overlooks loops of blocks around the
    regions that a read and a write are in.
    """

    def __init__(
        self, root: Operation, options: BufferizationOptions, *, as_mlir: bool = False
    ):
        self.root = root
        self.as_mlir = as_mlir
        self.facts = TensorFacts(root, options, lambda _: None)
        self.sets: dict[SSAValue, set[SSAValue]] = {v: {v} for v in self.facts.values}
        self.in_place: set[OpOperand] = set()
        ops = _post_order(root)
        for op in ops:
            model = self.facts.get_model(op)
            for operand in tensor_operands(op):
                if model and model.must_bufferize_in_place(operand, self.facts):
                    self.unite(operand)
        order = ops[::-1]
        if options.analysis_heuristic is not AnalysisHeuristic.BOTTOM_UP:
            order = order_ops(self.facts)
        for op in order:
            for operand in tensor_operands(op):
                if operand not in self.in_place and self.can_be_in_place(operand):
                    self.unite(operand)

    # Decisions.

    def unite(self, operand: OpOperand) -> None:
        self.in_place.add(operand)
        for value in self.aliasing_values(operand):
            union = self.sets[operand.value] | self.sets[value]
            for member in union:
                self.sets[member] = union

    def can_be_in_place(self, operand: OpOperand) -> bool:
        values = set(self.sets[operand.value])
        for value in self.aliasing_values(operand):
            values |= self.sets[value]
        uses = [use for value in values for use in _uses(value)]
        reads = [use for use in uses if self.is_read(use)]
        kept = [use for use in uses if self.is_kept(use)]
        writes = [use for use in uses if use in self.in_place and self.is_write(use)]
        if self.is_write(operand):
            writes.append(operand)
        if writes and not all(self.is_writable(value) for value in values):
            return False
        if any(self.conflict(r, w) for r in reads for w in writes):
            return False
        return not any(self.is_meanwhile(k, w) for k in kept for w in writes)

    def is_kept(self, operand: OpOperand) -> bool:
        """Whether nobody else may write while the op runs; MLIR does not ask."""
        use = self.facts.get_use(operand)
        return not self.as_mlir and use.is_passed_on and self.facts.changes(use)

    def is_meanwhile(self, kept: OpOperand, write: OpOperand) -> bool:
        """Whether a write is by another operand of an op, or inside of the op."""
        is_inside = kept != write and kept.owner.is_ancestor(write.owner)
        return is_inside and self.facts.changes(self.facts.get_use(write))

    def aliasing_values(self, operand: OpOperand) -> list[SSAValue]:
        return [alias.value for alias in self.facts.get_aliasing_values(operand)]

    def is_writable(self, value: SSAValue) -> bool:
        return self.facts.is_writable(value)

    def is_write(self, operand: OpOperand) -> bool:
        return self.facts.bufferizes_to_memory_write(operand)

    def is_read(self, operand: OpOperand) -> bool:
        return self.facts.bufferizes_to_memory_read(operand) or (
            not self.is_write(operand)
            and any(self.facts.is_value_read(v) for v in self.aliasing_values(operand))
        )

    # The rules for a pair.

    def conflict(self, read: OpOperand, write: OpOperand) -> bool:
        definitions = self.definitions(read)
        if not definitions:
            return False
        if self.can_use_dominance(read, write, definitions) and (
            self.happens_before(read.owner, write.owner)
            or read == write
            or self.mutually_exclusive(read.owner, write.owner)
            or self.elementwise(read, write)
        ):
            return False
        if self.non_conflicting_subsets(read, write):
            return False
        return any(
            self.overwrites(read, write, definition) for definition in definitions
        )

    def overwrites(
        self, read: OpOperand, write: OpOperand, definition: SSAValue
    ) -> bool:
        if isinstance(definition, OpResult):
            if self.happens_before(write.owner, definition.op):
                return False
            if definition.op is not write.owner and definition.op.is_ancestor(
                write.owner
            ):
                return False
        else:
            assert isinstance(definition, BlockArgument)
            if not self.runs_between(definition.block, write.owner, read.owner):
                return False
        return self.aliasing_values(write) != [definition]

    def runs_between(self, block: Block, write: Operation, read: Operation) -> bool:
        """Whether a write may run after `block` and before a read."""
        if block.find_ancestor_op_in_block(write) is not None:
            return True
        region = block.parent
        ends = [_block_within(region, op) for op in (write, read)]
        if self.as_mlir or ends[0] is None:
            return False
        return self.dominates(block, ends[0]) and (
            ends[0] is ends[1] or _leads_to(ends[0], ends[1], without=block)
        )

    def can_use_dominance(
        self, read: OpOperand, write: OpOperand, definitions: list[SSAValue]
    ) -> bool:
        return self.can_use_dominance_due_to_regions(
            read, write, definitions
        ) and self.can_use_dominance_due_to_blocks(read, write, definitions)

    def can_use_dominance_due_to_blocks(
        self, read: OpOperand, write: OpOperand, definitions: list[SSAValue]
    ) -> bool:
        region = read.owner.parent_region()
        if self.as_mlir and region is not write.owner.parent_region():
            return True
        while region is not None and region.parent is not self.root.parent_op():
            blocks = [_block_within(region, op) for op in (read.owner, write.owner)]
            for definition in definitions:
                # Inside the op that the definition is in, nothing of it is older.
                if blocks[1] is None or _is_deeper(_region_of(definition), region):
                    continue
                block = _block_of(definition)
                if _leads_to(blocks[0], blocks[1], without=block) and _leads_to(
                    blocks[1], blocks[0], without=block
                ):
                    return False
            if self.as_mlir:
                return True
            region = _outer(region)
        return True

    def can_use_dominance_due_to_regions(
        self, read: OpOperand, write: OpOperand, definitions: list[SSAValue]
    ) -> bool:
        for definition in definitions:
            region = self.repetitive(read.owner.parent_region())
            defined = self.repetitive(_region_of(definition))
            if region is defined:
                continue
            while True:
                assert region is not None
                outer = self.repetitive(_outer(region))
                if outer is defined:
                    break
                region = outer
            op = region.parent_op()
            assert op is not None
            if op.is_ancestor(write.owner):
                return False
        return True

    def repetitive(self, region: Region | None) -> Region | None:
        """The innermost repetitive region from `region` outwards."""
        while region is not None:
            op = region.parent_op()
            if op is None or op is self.root:
                return None
            if self.facts.is_repetitive_region(op, op.regions.index(region)):
                return region
            region = op.parent_region()
        return None

    def happens_before(self, first: Operation, second: Operation) -> bool:
        current: Operation | None = first
        while current is not None:
            if current is not second and current.is_ancestor(second):
                return False
            block = current.parent
            if block is None or current is self.root:
                return False
            ancestor = block.find_ancestor_op_in_block(second)
            if ancestor is not None:
                return current is not ancestor and current.is_before_in_block(ancestor)
            other = _block_within(block.parent, second)
            if other is not None and self.dominates(block, other):
                return True
            current = current.parent_op()
        return False

    def dominates(self, first: Block, second: Block) -> bool:
        """Whether all paths to `second` lead through `first`."""
        entry = first.parent.blocks[0] if first.parent else None
        if first in (entry, second):
            return True
        return entry is not second and not _leads_to(entry, second, without=first)

    def mutually_exclusive(self, first: Operation, second: Operation) -> bool:
        child, parent = first, first.parent_op()
        while parent is not None and parent is not self.root.parent_op():
            branch = get_region_branch(parent)
            if (
                branch is not None
                and parent is not second
                and parent.is_ancestor(second)
            ):
                numbers = [
                    next(
                        n
                        for n, region in enumerate(parent.regions)
                        for block in region.blocks
                        if block.find_ancestor_op_in_block(op) is not None
                    )
                    for op in (child, second)
                ]
                return numbers[0] != numbers[1] and (
                    branch.regions_are_mutually_exclusive(parent, *numbers)
                )
            child, parent = parent, parent.parent_op()
        return False

    def elementwise(self, read: OpOperand, write: OpOperand) -> bool:
        if read.owner is not write.owner:
            return False
        model = self.facts.get_model(read.owner)
        if model is None:
            return False
        return model.bufferizes_to_elementwise_access(
            read.owner, (read, write), self.facts
        ) and (
            self.is_equivalent_in_chain(read.value, write.value)
            or self.is_equivalent_in_chain(write.value, read.value)
        )

    def is_equivalent_in_chain(self, start: SSAValue, goal: SSAValue) -> bool:
        seen: set[SSAValue] = set()
        todo = [start]
        while todo:
            value = todo.pop()
            if value is goal:
                return True
            if value in seen:
                continue
            seen.add(value)
            todo += [
                alias.operand.value
                for alias in self.facts.get_aliasing_op_operands(value)
                if alias.relation is BufferRelation.EQUIVALENT
                and (alias.operand.value.type == value.type or _is_cast(value))
            ]
        return False

    def non_conflicting_subsets(self, read: OpOperand, write: OpOperand) -> bool:
        insertion = read.owner.get_trait(SubsetInsertionOpInterface)
        if insertion is not None:
            container = insertion.get_container(read.owner)
            source = insertion.get_source(read.owner)
            if read == container and self.matches(write, read.owner):
                return True
            if read == source and write == container and self.matches(read, read.owner):
                return True
        insertion = write.owner.get_trait(SubsetInsertionOpInterface)
        if insertion is None or write != insertion.get_container(write.owner):
            return False
        source = insertion.get_source(write.owner)
        return read.value is source.value and self.matches(source, write.owner)

    def matches(self, operand: OpOperand, insertion: Operation) -> bool:
        """All leaves of the backward slice are the subset that is inserted."""
        model = insertion.get_trait(SubsetInsertionOpInterface)
        assert model is not None
        key = (model.get_container(insertion).value, model.get_subset(insertion))

        def is_match(value: SSAValue) -> bool:
            op = value.owner
            if not isinstance(op, Operation):
                return False
            extraction = op.get_trait(SubsetExtractionOpInterface)
            return extraction is not None and key == (
                extraction.get_container(op).value,
                extraction.get_subset(op),
            )

        leaves = self.chain(operand, is_match, include_leaves=True)
        return all(is_match(leaf) for leaf in leaves)

    # Walks.

    def definitions(self, operand: OpOperand) -> list[SSAValue]:
        return self.chain(operand, self.is_definition, include_leaves=False)

    def is_definition(self, value: SSAValue) -> bool:
        """A value that gets its contents where it is defined, by the three cases."""
        if not isinstance(value, OpResult):
            return True
        if self.facts.get_model(value.op) is None:
            return True
        if not self.facts.value_bufferizes_to_memory_write(value) and (
            value.op.name in ("tensor.empty", "bufferization.alloc_tensor")
        ):
            return False
        op = value.op
        operands = [a.operand for a in self.facts.get_aliasing_op_operands(value)]
        if not operands or any(self.is_write(operand) for operand in operands):
            return True
        return any(
            self.chain(
                operand,
                lambda v: _is_inside(op, v) and self.is_definition(v),
                include_leaves=False,
            )
            for operand in operands
        )

    def chain(
        self,
        operand: OpOperand,
        stop: Callable[[SSAValue], bool],
        include_leaves: bool,
    ) -> list[SSAValue]:
        found: list[SSAValue] = []
        seen: set[SSAValue] = set()
        todo = [operand.value]
        while todo:
            value = todo.pop()
            if value in seen:
                # What becomes itself around a loop counts as a leaf as well.
                found += [value] if include_leaves else []
                continue
            seen.add(value)
            if stop(value):
                found.append(value)
                continue
            op = owner_op(value)
            known = op is not None and self.facts.get_model(op) is not None
            aliases = self.facts.get_aliasing_op_operands(value) if known else ()
            origins = dict.fromkeys(alias.operand.value for alias in aliases)
            todo += [origin for origin in origins if origin not in todo]
            if not aliases and include_leaves:
                found.append(value)
        return found


def _post_order(op: Operation) -> list[Operation]:
    ops = [
        inner
        for region in op.regions
        for block in region.blocks
        for child in block.ops
        for inner in _post_order(child)
    ]
    return [*ops, op]


def _is_cast(value: SSAValue) -> bool:
    return isinstance(value.owner, Operation) and value.owner.name == "tensor.cast"


def _uses(value: SSAValue) -> list[OpOperand]:
    return [OpOperand(use.operation, use.index) for use in value.uses]


def _region_of(value: SSAValue) -> Region | None:
    owner = value.owner
    return owner.parent if isinstance(owner, Block) else owner.parent_region()


def _block_of(value: SSAValue) -> Block | None:
    owner = value.owner
    return owner if isinstance(owner, Block) else owner.parent


def _block_within(region: Region | None, op: Operation) -> Block | None:
    """The block of `region` that `op` is in, at any depth."""
    current: Operation | None = op
    while current is not None:
        if current.parent_region() is region:
            return current.parent
        current = current.parent_op()
    return None


def _is_deeper(region: Region | None, other: Region) -> bool:
    """Whether `region` is in an op of `other`."""
    while region is not None:
        region = _outer(region)
        if region is other:
            return True
    return False


def _leads_to(start: Block | None, goal: Block | None, without: Block | None) -> bool:
    """Whether there is a way of one branch or more that does not enter `without`."""
    seen: set[Block] = set()
    todo = [start]
    while todo:
        block = todo.pop()
        end = None if block is None else block.last_op
        for successor in () if end is None else end.successors:
            if successor is without or successor in seen:
                continue
            if successor is goal:
                return True
            seen.add(successor)
            todo.append(successor)
    return False


def _outer(region: Region) -> Region | None:
    op = region.parent_op()
    return None if op is None else op.parent_region()


def _is_inside(op: Operation, value: SSAValue) -> bool:
    owner = value.owner
    inner = owner.parent_op() if isinstance(owner, Block) else owner
    # A value belongs to the op where it is a block argument of one of its blocks.
    return (
        inner is not None
        and op.is_ancestor(inner)
        and (isinstance(owner, Block) or inner is not op)
    )
