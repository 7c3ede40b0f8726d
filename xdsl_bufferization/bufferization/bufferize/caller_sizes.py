"""Sizes that a caller can compute itself: numbers made of a function's arguments.

    func.func private @f(%a: memref<?xf32>)        // call @f(%x)
      %n = memref.dim %a, %c0                      // %n = memref.dim %x, %c0
      %m = arith.muli %n, %n : index               // %m = arith.muli %n, %n
      %r = memref.alloc(%m) : memref<?xf32>        // %r = memref.alloc(%m)

What is computed twice in the function, such as in two branches, is one number here.
An op may fail, such as a division by an argument. It counts only if each call runs it:
if nothing before it may end the program, or run without an end.
"""

from collections.abc import Sequence
from typing import NamedTuple

from xdsl.dialects import memref
from xdsl.dialects.builtin import DYNAMIC_INDEX, MemRefType
from xdsl.dialects.func import FuncOp
from xdsl.ir import Block, BlockArgument, Operation, SSAValue
from xdsl.utils.hints import isa

from xdsl_bufferization.dialects.common.static_values import index_constant

from ..models.slices import constant_value
from .movable_definitions import is_movable, may_stop

Number = int
"""Stands for what is computed in one way: equal numbers are equal sizes."""


class _Way(NamedTuple):
    """How a number is computed."""

    op: Operation | None
    """An op like the one that computes it; None for an argument."""

    operands: tuple[Number, ...]
    argument: int = -1


class CallerSizes:
    """Which values of a function its callers can compute, and how."""

    def __init__(self, function: FuncOp):
        self._entry = function.body.blocks[0]
        self._ways: list[_Way] = []
        self._numbers: dict[object, Number] = {}
        self._found: dict[SSAValue, Number | SSAValue] = {}
        self._certain: set[Operation] | None = None

    def find(self, size: SSAValue) -> Number | SSAValue:
        """The number that `size` is, or the value that no caller can compute."""
        todo, open_ = [size], set[SSAValue]()
        while todo:
            value = todo[-1]
            needed = () if value in self._found else self._needed_for(value)
            missing = [each for each in needed or () if each not in self._found]
            if needed is None or not open_.isdisjoint(missing):
                self._found[value] = value
            elif missing:
                open_.add(value)
                todo += missing
                continue
            elif value not in self._found:
                self._found[value] = self._number(value, needed)
            open_.discard(value)
            todo.pop()
        return self._found[size]

    def _needed_for(self, value: SSAValue) -> Sequence[SSAValue] | None:
        """What `value` is computed from; None if the caller cannot compute it."""
        if isinstance(value, BlockArgument):
            return () if value.block is self._entry else None
        op = value.owner
        assert not isinstance(op, Block)
        if isinstance(op, memref.DimOp):
            return self._needed_for_dim(op)
        if _is_arithmetic(op) and (is_movable(op) or self._is_certain(op)):
            return op.operands
        return None

    def _needed_for_dim(self, op: memref.DimOp) -> Sequence[SSAValue] | None:
        source, size = _find_size(op)
        if size is not None:
            return (size,)
        is_argument = isinstance(source, BlockArgument) and source.block is self._entry
        if is_argument and (_has_dimension(op) or self._is_certain(op)):
            return source, op.index
        return None

    def _is_certain(self, op: Operation) -> bool:
        """Whether each call of the function gets to `op`, or fails before."""
        if self._certain is None:
            self._certain = set()
            for each in self._entry.ops:
                self._certain.add(each)
                if may_stop(each):
                    break
        return op in self._certain

    def _number(self, value: SSAValue, needed: Sequence[SSAValue]) -> Number | SSAValue:
        if isinstance(value, BlockArgument):
            return self._intern(value, _Way(None, (), value.index))
        operands: list[Number] = []
        for each in needed:
            found = self._found[each]
            if isinstance(found, SSAValue):
                return found
            operands.append(found)
        op = value.owner
        assert not isinstance(op, Block)
        if isinstance(op, memref.DimOp) and len(operands) == 1:
            return operands[0]
        key = (
            type(op),
            value.type,
            frozenset(op.properties.items()),
            frozenset(op.attributes.items()),
            tuple(operands),
        )
        return self._intern(key, _Way(op, tuple(operands)))

    def _intern(self, key: object, way: _Way) -> Number:
        number = self._numbers.setdefault(key, len(self._ways))
        if number == len(self._ways):
            self._ways.append(way)
        return number

    def compute(
        self, numbers: Sequence[Number], arguments: Sequence[SSAValue], call: Operation
    ) -> list[SSAValue]:
        """The values of `numbers` for a call with `arguments`, computed before it."""
        block = call.parent_block()
        assert block is not None
        values: dict[Number, SSAValue] = {}
        # Operands have lower numbers than what is computed from them.
        for number in sorted(self._reach(numbers)):
            way = self._ways[number]
            if way.op is None:
                values[number] = arguments[way.argument]
                continue
            op = _like(way.op, [values[each] for each in way.operands])
            op.location = call.location
            block.insert_op_before(op, call)
            values[number] = op.results[0]
        return [values[number] for number in numbers]

    def _reach(self, numbers: Sequence[Number]) -> set[Number]:
        reached, todo = set(numbers), list(numbers)
        while todo:
            new = set(self._ways[todo.pop()].operands) - reached
            reached |= new
            todo += new
        return reached


def _find_size(op: memref.DimOp) -> tuple[SSAValue, SSAValue | None]:
    """What is measured, without casts, and its size if that is known otherwise."""
    source = op.source
    while isinstance(source.owner, memref.CastOp):
        source = source.owner.source
    number, type_ = constant_value(op.index), source.type
    if number is None or not (isa(type_, MemRefType) and _has_dimension(op)):
        return source, None
    shape = type_.get_shape()
    if shape[number] != DYNAMIC_INDEX:
        return source, index_constant(shape[number]).result
    if isinstance(source.owner, memref.AllocOp):
        dynamic = [at for at, each in enumerate(shape) if each == DYNAMIC_INDEX]
        return source, source.owner.dynamic_sizes[dynamic.index(number)]
    return source, None


def _has_dimension(op: memref.DimOp) -> bool:
    number, type_ = constant_value(op.index), op.source.type
    return (
        number is not None
        and isa(type_, MemRefType)
        and 0 <= number < type_.get_num_dims()
    )


def _is_arithmetic(op: Operation) -> bool:
    """Whether an op computes its one result from numbers, and does nothing else."""
    is_known = op.name in _AFFINE or op.dialect_name() in ("arith", "index")
    return is_known and len(op.results) == 1 and not op.regions


_AFFINE = frozenset({"affine.apply", "affine.min", "affine.max"})


def _like(op: Operation, operands: Sequence[SSAValue]) -> Operation:
    return type(op).create(
        operands=operands,
        result_types=[result.type for result in op.results],
        properties=op.properties,
        attributes=op.attributes,
    )
