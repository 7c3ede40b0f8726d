"""A function that decides about long lists of `bufferization.dealloc` in loops.

    %f:3, %o:5 = call @dealloc_helper_3_5(%p0, %p1, %p2, %c0, %c1, %c2, %q0 ... %q4)

It gets the pointers of 3 memrefs, their conditions, and the pointers of 5 retained
memrefs. It returns which memrefs to free, and which of the retained ones own their
memory. Its tables are on its own stack: it can be called in any loop and any thread.
The work is quadratic in the lengths, as in MLIR's `dealloc_helper`; the code is not.
"""

from collections.abc import Callable, Sequence

from xdsl.builder import Builder
from xdsl.dialects import arith, func, memref, scf
from xdsl.dialects.builtin import IndexType, IntegerAttr, ModuleOp, i1
from xdsl.ir import Attribute, Block, Operation, Region, SSAValue
from xdsl.rewriter import InsertPoint
from xdsl.traits import SymbolTable

from xdsl_bufferization.dialects.common.static_values import index_constant

from .conditions import compare

_INDEX = IndexType()


class DeallocHelpers:
    """The functions of a module that were needed so far, by the lengths of lists."""

    def __init__(self, module: ModuleOp):
        self._module = module
        self._functions: dict[tuple[Operation, int, int], func.FuncOp] = {}

    def call(
        self,
        op: Operation,
        builder: Builder,
        pointers: Sequence[SSAValue],
        conditions: Sequence[SSAValue],
        retained: Sequence[SSAValue],
    ) -> tuple[Sequence[SSAValue], Sequence[SSAValue]]:
        """Which memrefs to free, and which retained ones own their memory."""
        table = _symbol_table(op, self._module)
        key = (table, len(pointers), len(retained))
        if key not in self._functions:
            self._functions[key] = _insert_helper(table, len(pointers), len(retained))
        function = self._functions[key]
        call = func.CallOp(
            function.sym_name.data,
            [*pointers, *conditions, *retained],
            function.function_type.outputs.data,
        )
        results = builder.insert(call).results
        return results[: len(pointers)], results[len(pointers) :]


def _symbol_table(op: Operation, module: ModuleOp) -> Operation:
    """The op around `op` that functions are defined in."""
    parent = op.parent_op()
    while parent is not None and not parent.has_trait(SymbolTable):
        parent = parent.parent_op()
    return parent or module


def _insert_helper(table: Operation, count: int, kept: int) -> func.FuncOp:
    block = table.regions[0].blocks[0]
    taken = {op.sym_name.data for op in block.ops if isinstance(op, func.FuncOp)}
    name = f"dealloc_helper_{count}_{kept}"
    while name in taken:
        name += "_"
    function = _build_helper(name, count, kept)
    block.add_op(function)
    return function


def _build_helper(name: str, count: int, kept: int) -> func.FuncOp:
    inputs: list[Attribute] = [
        *([_INDEX] * count),
        *([i1] * count),
        *([_INDEX] * kept),
    ]
    function = func.FuncOp(
        name,
        (inputs, [i1] * (count + kept)),
        Region(Block(arg_types=inputs)),
        "private",
    )
    block = function.body.blocks[0]
    builder = Builder(InsertPoint.at_end(block))
    arguments = block.args
    pointers = _Table(builder, arguments[:count])
    conditions = _Table(builder, arguments[count : 2 * count])
    retained = _Table(builder, arguments[2 * count :])
    free = _Table(builder, arguments[count : 2 * count])
    no = builder.insert(arith.ConstantOp(IntegerAttr.from_bool(False))).result
    owned = _Table(builder, [no] * kept)

    def decide(builder: Builder, number: SSAValue) -> None:
        pointer = pointers.load(builder, number)
        due = conditions.load(builder, number)

        def keep(builder: Builder, other: SSAValue) -> None:
            equal = compare(builder, "eq", pointer, retained.load(builder, other))
            mine = builder.insert(arith.AndIOp(due, equal)).result
            before = owned.load(builder, other)
            owned.store(
                builder, builder.insert(arith.OrIOp(before, mine)).result, other
            )
            _clear_if(builder, free, number, equal)

        def skip(builder: Builder, other: SSAValue) -> None:
            equal = compare(builder, "eq", pointer, pointers.load(builder, other))
            is_due = conditions.load(builder, other)
            again = builder.insert(arith.AndIOp(equal, is_due)).result
            _clear_if(builder, free, number, again)

        if kept:
            _loop(builder, _constant(builder, kept), keep)
        _loop(builder, number, skip)

    _loop(builder, _constant(builder, count), decide)
    builder.insert(func.ReturnOp(*free.all(builder), *owned.all(builder)))
    return function


class _Table:
    """Values on the stack, found by an index."""

    def __init__(self, builder: Builder, values: Sequence[SSAValue]):
        type_ = values[0].type if values else i1
        self._size = len(values)
        # A table of nothing is never used, but still has to be some memory.
        shape = [max(self._size, 1)]
        self._memref = builder.insert(memref.AllocaOp.get(type_, shape=shape)).memref
        for number, value in enumerate(values):
            self.store(builder, value, _constant(builder, number))

    def load(self, builder: Builder, number: SSAValue) -> SSAValue:
        return builder.insert(memref.LoadOp.get(self._memref, [number])).res

    def store(self, builder: Builder, value: SSAValue, number: SSAValue) -> None:
        builder.insert(memref.StoreOp.get(value, self._memref, [number]))

    def all(self, builder: Builder) -> list[SSAValue]:
        return [
            self.load(builder, _constant(builder, number))
            for number in range(self._size)
        ]


def _clear_if(
    builder: Builder, table: _Table, number: SSAValue, condition: SSAValue
) -> None:
    """Make entry `number` false if `condition` holds."""
    no = builder.insert(arith.ConstantOp(IntegerAttr.from_bool(False))).result
    before = table.load(builder, number)
    after = builder.insert(arith.SelectOp(condition, no, before)).result
    table.store(builder, after, number)


def _constant(builder: Builder, value: int) -> SSAValue:
    return builder.insert(index_constant(value)).result


def _loop(
    builder: Builder, bound: SSAValue, body: Callable[[Builder, SSAValue], None]
) -> None:
    """Run `body` for all numbers from 0 below `bound`."""
    block = Block(arg_types=[_INDEX])
    inner = Builder(InsertPoint.at_end(block))
    body(inner, block.args[0])
    inner.insert(scf.YieldOp())
    start, step = _constant(builder, 0), _constant(builder, 1)
    builder.insert(scf.ForOp(start, bound, step, [], Region(block)))
