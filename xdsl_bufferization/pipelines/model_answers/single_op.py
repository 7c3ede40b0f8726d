"""A program of one op: its tensors are buffers of the caller, all of them in place.

%r = tensor.insert %x into %t[%i] : tensor<4xf32>

func.func @trial(%0: memref<f32>, %1: memref<4xf32>, %2: memref<index>)
    -> memref<4xf32, strided<[?], offset: ?>> {
  ... load %0 and %2
  %t = bufferization.to_tensor %1 restrict writable : memref<4xf32>
  %r = tensor.insert %x into %t[%i] : tensor<4xf32>
  %m = bufferization.to_buffer %r
  func.return %m
}

What regions of the op use from outside is an argument as well. Constants stay
constants, as models look at them. Results that are no tensors are stored in buffers of
the caller.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, Final

import numpy as np
from xdsl.dialects import bufferization, func, vector
from xdsl.dialects.builtin import (
    AffineMapAttr,
    ArrayAttr,
    BoolAttr,
    FunctionType,
    MemRefType,
    ModuleOp,
    NoneAttr,
    StringAttr,
    SymbolRefAttr,
    TensorType,
    UnitAttr,
    UnrankedMemRefType,
    UnrankedTensorType,
    VectorType,
    i1,
)
from xdsl.ir import Attribute, Block, Operation, Region, SSAValue
from xdsl.ir.affine import AffineMap
from xdsl.traits import ConstantLike, IsTerminator
from xdsl.utils.hints import isa

from xdsl_bufferization.bufferization.interfaces.layouts import (
    fully_dynamic_layout_type,
    identity_layout_type,
)
from xdsl_bufferization.bufferization.interfaces.operands import is_tensor, owner_op
from xdsl_bufferization.bufferization.models import new_ops
from xdsl_bufferization.dialects.common.static_values import index_constant
from xdsl_bufferization.dialects.common.symbols import lookup_symbol
from xdsl_bufferization.runtime.descriptor import DTYPES

NAME: Final = "trial"
"""The name of the function."""


class LeftOutError(Exception):
    """The reason for which an op has no such program."""


@dataclass(frozen=True, eq=False)
class Given:
    """An argument of the function: what it stands for, and the buffer it is."""

    source: SSAValue
    """The value in the program that the op is from."""

    value: SSAValue
    """The value in this program."""

    type: MemRefType
    operand: int | None
    """The operand of the op that it is, if it is one."""


@dataclass(frozen=True, eq=False)
class Stored:
    """A buffer that the function writes a result to that is no tensor."""

    result: int
    type: MemRefType


@dataclass(frozen=True, eq=False)
class Returned:
    """A result that the function returns as a buffer."""

    result: int
    type: MemRefType


@dataclass(eq=False)
class OpProgram:
    """The module, and what is what in it."""

    module: ModuleOp
    op: Operation
    is_strided: bool
    """Whether the buffers of tensors may have any layout."""

    given: list[Given] = field(default_factory=list[Given])
    stored: list[Stored] = field(default_factory=list[Stored])
    returned: list[Returned] = field(default_factory=list[Returned])


def program_of(op: Operation, *, is_strided: bool = False) -> OpProgram:
    """The program of `op`, which stays as it is.

    With `is_strided`, the buffers of tensors may have any layout. Raises
    `LeftOutError` if there is no such program.
    """
    return _Writer(op, is_strided=is_strided).write()


class _Writer:
    """The program as far as it is written."""

    def __init__(self, op: Operation, *, is_strided: bool):
        self._op = op
        self._is_strided = is_strided
        self._block = Block()
        self._mapping: dict[SSAValue, SSAValue] = {}
        self._given: list[Given] = []

    def write(self) -> OpProgram:
        op = self._op
        if op.has_trait(IsTerminator):
            raise LeftOutError(
                "a terminator: a part of the op around it, and tested with that"
            )
        for value in captured_values(op):
            self._mapping[value] = self._give(value, None)
        # Each operand has a buffer of its own, also if one value is two operands.
        operands = [self._give(value, n) for n, value in enumerate(op.operands)]
        copy = op.clone(value_mapper=dict(self._mapping))
        copy.operands = operands
        self._block.add_op(copy)
        program = OpProgram(ModuleOp([]), copy, self._is_strided, self._given)
        self._end(program)
        program.module.body.block.add_ops([*self._symbols(), self._function()])
        return program

    def _function(self) -> func.FuncOp:
        last = self._block.last_op
        assert last is not None
        types = FunctionType.from_lists(
            [each.type for each in self._block.args],
            [each.type for each in last.operands],
        )
        return func.FuncOp(NAME, types, Region(self._block))

    def _give(self, value: SSAValue, operand: int | None) -> SSAValue:
        """`value` as an argument, or as the constant that it is."""
        owner = value.owner
        if (
            isinstance(owner, Operation)
            and owner.has_trait(ConstantLike)
            and not isinstance(value.type, TensorType)
        ):
            constant = owner.clone()
            self._block.add_op(constant)
            return constant.results[0]
        type_ = self._buffer_type(value)
        argument = self._block.insert_arg(type_, len(self._block.args))
        given = self._read(value, argument)
        self._given.append(Given(value, given, type_, operand))
        return given

    def _buffer_type(self, value: SSAValue) -> MemRefType:
        type_ = value.type
        if isa(type_, MemRefType):
            if not isinstance(type_.layout, NoneAttr):
                raise LeftOutError("buffers with a layout of their own")
            dtype_of(type_.element_type)
            return type_
        if isa(type_, TensorType):
            dtype_of(type_.element_type)
            get = (
                fully_dynamic_layout_type if self._is_strided else identity_layout_type
            )
            buffer = get(type_)
            assert isa(buffer, MemRefType)
            return buffer
        if isa(type_, VectorType):
            if any(type_.get_scalable_dims()):
                raise LeftOutError("vectors whose size is not known")
            dtype_of(type_.element_type)
            return MemRefType(type_.element_type, type_.get_shape())
        dtype_of(type_)
        return MemRefType(type_, [])

    def _read(self, value: SSAValue, argument: SSAValue) -> SSAValue:
        """The value that is in a buffer of the caller."""
        type_ = value.type
        if isa(type_, MemRefType):
            return argument
        if is_tensor(value):
            read = bufferization.ToTensorOp.create(
                operands=[argument],
                result_types=[type_],
                properties={"restrict": UnitAttr(), "writable": UnitAttr()},
            )
            self._block.add_op(read)
            return read.tensor
        if isa(type_, VectorType):
            return self._read_vector(type_, argument)
        load = new_ops.load(argument, [])
        self._block.add_op(load)
        return load.res

    def _read_vector(self, type_: VectorType, argument: SSAValue) -> SSAValue:
        zero = self._zero()
        rank = len(type_.get_shape())
        padding = new_ops.load(argument, [zero] * rank)
        read = vector.TransferReadOp(
            argument,
            [zero] * rank,
            padding.res,
            type_,
            _in_bounds(rank),
            permutation_map=AffineMapAttr(AffineMap.identity(rank)),
        )
        self._block.add_ops([padding, read])
        return read.result

    def _zero(self) -> SSAValue:
        zero = index_constant(0)
        self._block.add_op(zero)
        return zero.result

    def _end(self, program: OpProgram) -> None:
        """Store or return each result."""
        buffers: list[SSAValue] = []
        for number, result in enumerate(program.op.results):
            if isinstance(result.type, UnrankedTensorType | UnrankedMemRefType):
                raise LeftOutError("results of unknown rank")
            if not isa(result.type, MemRefType | TensorType):
                self._store(program, number, result)
                continue
            dtype_of(result.type.element_type)
            buffer = self._buffer_of(result) if is_tensor(result) else result
            buffers.append(buffer)
            assert isa(buffer.type, MemRefType)
            program.returned.append(Returned(number, buffer.type))
        self._block.add_op(func.ReturnOp(*buffers))

    def _buffer_of(self, result: SSAValue) -> SSAValue:
        to_buffer = bufferization.ToBufferOp.create(
            operands=[result],
            result_types=[fully_dynamic_layout_type(result.type)],
        )
        self._block.add_op(to_buffer)
        return to_buffer.memref

    def _store(self, program: OpProgram, number: int, result: SSAValue) -> None:
        type_ = self._buffer_type(result)
        argument = self._block.insert_arg(type_, len(self._block.args))
        program.stored.append(Stored(number, type_))
        if not isa(result.type, VectorType):
            self._block.add_op(new_ops.store(result, argument, []))
            return
        zero, rank = self._zero(), len(type_.get_shape())
        self._block.add_op(
            vector.TransferWriteOp(
                result,
                argument,
                [zero] * rank,
                _in_bounds(rank),
                permutation_map=AffineMapAttr(AffineMap.identity(rank)),
            )
        )

    def _symbols(self) -> Iterator[Operation]:
        """Copies of the functions and globals that the op names, and they in turn."""
        todo, known = [self._op], set[Operation]()
        while todo:
            named = todo.pop()
            for name in _names_in(named):
                symbol = lookup_symbol(self._op, name)
                if symbol is None or symbol in known:
                    continue
                known.add(symbol)
                todo.append(symbol)
                copy = symbol.clone()
                if isinstance(copy, func.FuncOp):
                    # It may have types that a caller has no values of.
                    copy.sym_visibility = StringAttr("private")
                yield copy


def captured_values(op: Operation) -> list[SSAValue]:
    """What the regions of `op` use from outside."""
    ops = [each for each in op.walk() if each is not op]
    inside = {op, *ops}
    found: dict[SSAValue, None] = {}
    for each in ops:
        for value in each.operands:
            if owner_op(value) not in inside:
                found[value] = None
    return [*found]


def _names_in(op: Operation) -> Iterator[SymbolRefAttr]:
    for each in op.walk():
        for attribute in (*each.properties.values(), *each.attributes.values()):
            yield from _names(attribute)


def _names(attribute: Attribute) -> Iterator[SymbolRefAttr]:
    if isinstance(attribute, SymbolRefAttr):
        yield attribute
    elif isa(attribute, ArrayAttr):
        for each in attribute.data:
            yield from _names(each)


def _in_bounds(rank: int) -> ArrayAttr[BoolAttr]:
    return ArrayAttr([BoolAttr(True, i1)] * rank)


def dtype_of(element: Attribute) -> np.dtype[Any]:
    """How NumPy has the elements; raises `LeftOutError` if it has not."""
    name = str(element)
    dtype = DTYPES.get(name) or DTYPES.get(name.removeprefix("u").removeprefix("s"))
    if dtype is None:
        raise LeftOutError(f"NumPy has no values of type {element}")
    return dtype
