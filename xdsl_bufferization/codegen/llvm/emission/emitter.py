"""Appending ops of the llvm dialect to a function under construction.

One short method per kind of op, so that the rules read like the code they produce.
The op classes' own constructors parse and default every field, which costs more than
all the rest of the lowering; the common ops are created from their parts.

    pointer = emitter.element_pointer(base, index, f32)
    value = emitter.load(pointer, f32)
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache

from xdsl.dialects import llvm
from xdsl.dialects.builtin import (
    IntegerAttr,
    SymbolRefAttr,
    UnitAttr,
    VectorType,
    i1,
    i32,
    i64,
)
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.utils.hints import isa

from xdsl_bufferization.dialects.common.arrays import array_of
from xdsl_bufferization.dialects.common.elementwise import with_element_type
from xdsl_bufferization.dialects.common.making import create, make
from xdsl_bufferization.dialects.common.static_values import OpFoldResult

from .blocks import BlockBuilder
from .types import PTR

NO_FAST_MATH = llvm.FastMathAttr(None)
_NO_FAST_MATH = {"fastmathFlags": NO_FAST_MATH}
_PLAIN_CALL = {
    **_NO_FAST_MATH,
    "CConv": llvm.CallingConventionAttr("ccc"),
    "op_bundle_sizes": array_of(i32, ()),
}
_NSW = IntegerAttr(1, 32)
_NO_WRAP_FLAGS = IntegerAttr(0, 32)
_ORDERING = IntegerAttr(0, i64)
_ONE_DYNAMIC_INDEX = array_of(i32, [llvm.GEP_USE_SSA_VAL])


def intrinsic_suffix(type: Attribute) -> str:
    """Return the name of a type inside the name of an intrinsic: `f32`, `v4f32`."""
    if isa(type, VectorType):
        return f"v{type.get_shape()[0]}{type.element_type}"
    return str(type)


def _access_properties(alignment: int | None) -> dict[str, Attribute]:
    if alignment is None:
        return {"ordering": _ORDERING}
    return {"ordering": _ORDERING, "alignment": _number(alignment)}


@lru_cache(maxsize=1 << 10)
def _number(value: int) -> Attribute:
    return IntegerAttr(value, i64)


@lru_cache(maxsize=1 << 10)
def _symbol(name: str) -> Attribute:
    return SymbolRefAttr(name)


class Emitter(BlockBuilder):
    """One short method per kind of op of the llvm dialect."""

    def integer_op(
        self,
        op: type[Operation],
        lhs: SSAValue,
        rhs: SSAValue,
        properties: Mapping[str, Attribute] | None = None,
    ) -> SSAValue:
        """Emit an integer operation of two operands of one type."""
        return self.create(op, (lhs, rhs), lhs.type, properties)

    def float_op(self, op: type[Operation], *operands: SSAValue) -> SSAValue:
        """Emit a floating-point operation on operands of one type."""
        return self.create(op, operands, operands[0].type, _NO_FAST_MATH)

    def compare(self, predicate: str, lhs: SSAValue, rhs: SSAValue) -> SSAValue:
        """Emit an integer comparison."""
        number = llvm.ICMP_INDEX_BY_FLAG[llvm.ICmpPredicateFlag(predicate)]
        type = with_element_type(lhs.type, i1)
        properties = {"predicate": _number(number)}
        return self.create(llvm.ICmpOp, (lhs, rhs), type, properties)

    def compare_floats(self, predicate: str, lhs: SSAValue, rhs: SSAValue) -> SSAValue:
        """Emit a comparison of floating-point numbers."""
        number = llvm.FCMP_INDEX_BY_FLAG[llvm.FCmpPredicateFlag(predicate)]
        type = with_element_type(lhs.type, i1)
        properties = {"predicate": IntegerAttr(number, i64), **_NO_FAST_MATH}
        return self.create(llvm.FCmpOp, (lhs, rhs), type, properties)

    def select(self, cond: SSAValue, lhs: SSAValue, rhs: SSAValue) -> SSAValue:
        """Emit a choice between two values."""
        return self.create(llvm.SelectOp, (cond, lhs, rhs), lhs.type, _NO_FAST_MATH)

    def cast(self, op: type[Operation], value: SSAValue, type: Attribute) -> SSAValue:
        """Emit a conversion to `type`."""
        return self.create(op, (value,), type)

    def intrinsic(
        self, name: str, arguments: Sequence[SSAValue], result: Attribute | None
    ) -> SSAValue | None:
        """Emit a call of an LLVM intrinsic, `name` with its type suffixes."""
        op = llvm.CallIntrinsicOp(name, arguments, [] if result is None else [result])
        self.block.add_op(op)
        return None if result is None else op.results[0]

    def value_of_intrinsic(
        self, name: str, arguments: Sequence[SSAValue], result: Attribute
    ) -> SSAValue:
        """Emit a call of an LLVM intrinsic that returns a value."""
        value = self.intrinsic(name, arguments, result)
        assert value is not None
        return value

    def typed_intrinsic(self, name: str, arguments: Sequence[SSAValue]) -> SSAValue:
        """Emit a call of `name.T`, T being the type of its first operand and result."""
        type = arguments[0].type
        return self.value_of_intrinsic(
            f"{name}.{intrinsic_suffix(type)}", arguments, type
        )

    def call(
        self, name: str, arguments: Sequence[SSAValue], result: Attribute | None
    ) -> Operation:
        """Emit a call of the function `name`."""
        op = make(
            llvm.CallOp,
            operands=[arguments, ()],
            properties={"callee": _symbol(name), **_PLAIN_CALL},
            result_types=[result],
        )
        self.block.add_op(op)
        return op

    def extract(self, aggregate: SSAValue, position: Sequence[int]) -> SSAValue:
        """Emit a read of a field of a struct value."""
        type = aggregate.type
        for index in position:
            if isinstance(type, llvm.LLVMStructType):
                type = type.types.data[index]
            else:
                assert isinstance(type, llvm.LLVMArrayType)
                type = type.type
        where = array_of(i64, position)
        return self.emit(llvm.ExtractValueOp(where, aggregate, type))

    def insert(
        self, aggregate: SSAValue, value: SSAValue, position: Sequence[int]
    ) -> SSAValue:
        """Emit a struct value with one field replaced."""
        where = array_of(i64, position)
        return self.emit(llvm.InsertValueOp(where, aggregate, value))

    def aggregate(
        self, type: Attribute, parts: Iterable[tuple[Sequence[int], SSAValue]]
    ) -> SSAValue:
        """Emit a struct or an array of `parts`, each with its position."""
        value = self.emit(llvm.UndefOp(type))
        for position, part in parts:
            value = self.insert(value, part, position)
        return value

    def struct(self, fields: Sequence[SSAValue]) -> SSAValue:
        """Emit the struct of `fields`."""
        type = llvm.LLVMStructType.from_type_list([each.type for each in fields])
        return self.aggregate(type, (([n], each) for n, each in enumerate(fields)))

    # Memory.

    def load(
        self, pointer: SSAValue, type: Attribute, alignment: int | None = None
    ) -> SSAValue:
        """Emit a load; `alignment` in bytes is by default that of `type`."""
        properties = _access_properties(alignment)
        return self.create(llvm.LoadOp, (pointer,), type, properties)

    def store(
        self, value: SSAValue, pointer: SSAValue, alignment: int | None = None
    ) -> None:
        """Emit a store; `alignment` in bytes is by default that of the type."""
        self.block.add_op(
            create(
                llvm.StoreOp,
                operands=(value, pointer),
                properties=_access_properties(alignment),
            )
        )

    def slot(self, type: Attribute) -> SSAValue:
        """Return a place on the stack for one value, the same in each run of a loop."""
        op = create(
            llvm.AllocaOp,
            operands=(self.integer(1),),
            result_types=(PTR,),
            properties={"elem_type": type},
        )
        return self.untyped(self.at_entry(op))

    def untyped(self, pointer: SSAValue) -> SSAValue:
        """Return `pointer` as plain `ptr`.

        xDSL's back end remembers what the pointers of alloca, addressof and
        getelementptr point to and refuses to mix them with others; a bitcast forgets.
        """
        return self.once(llvm.BitcastOp, (pointer,), PTR, {})

    def address_of(self, symbol: str) -> SSAValue:
        """Return the address of a function or a global."""
        name = {"global_name": _symbol(symbol)}
        return self.untyped(self.create(llvm.AddressOfOp, (), PTR, name))

    def element_pointer(
        self,
        base: SSAValue,
        index: OpFoldResult,
        element: Attribute,
        *,
        exists: bool = True,
    ) -> SSAValue:
        """Return the address of `base[index]`, to load or store an `element`.

        If it need not exist, the address may lie anywhere.
        """
        if isinstance(index, int):
            index = self.integer(index)
        properties: dict[str, Attribute] = {
            "rawConstantIndices": _ONE_DYNAMIC_INDEX,
            "elem_type": element,
            "noWrapFlags": _NO_WRAP_FLAGS,
        }
        if exists:
            properties["inbounds"] = UnitAttr()
        return self.once(llvm.GEPOp, (base, index), PTR, properties)

    # Index arithmetic, on numbers that are known as far as possible.

    def known(self, value: OpFoldResult) -> OpFoldResult:
        """Return the number that `value` is, where that is known."""
        return value if isinstance(value, int) else self._numbers.get(value, value)

    def index(self, value: OpFoldResult, type: Attribute | None = None) -> SSAValue:
        """Return `value` as an SSA value; a number gets `type`, by default an index."""
        return self.integer(value, type) if isinstance(value, int) else value

    def add(self, lhs: OpFoldResult, rhs: OpFoldResult) -> OpFoldResult:
        """Return `lhs + rhs`; addresses do not overflow."""
        lhs, rhs = self.known(lhs), self.known(rhs)
        if isinstance(lhs, int) and isinstance(rhs, int):
            return lhs + rhs
        if lhs == 0:
            return rhs
        if rhs == 0:
            return lhs
        return self._index_op(llvm.AddOp, lhs, rhs)

    def multiply(self, lhs: OpFoldResult, rhs: OpFoldResult) -> OpFoldResult:
        """Return `lhs * rhs`; addresses do not overflow."""
        lhs, rhs = self.known(lhs), self.known(rhs)
        if isinstance(lhs, int) and isinstance(rhs, int):
            return lhs * rhs
        if lhs == 0 or rhs == 0:
            return 0
        if lhs == 1:
            return rhs
        if rhs == 1:
            return lhs
        return self._index_op(llvm.MulOp, lhs, rhs)

    def product(self, values: Iterable[OpFoldResult]) -> OpFoldResult:
        """Return the product of `values`."""
        result: OpFoldResult = 1
        for value in values:
            result = self.multiply(result, value)
        return result

    def _index_op(
        self, op: type[Operation], lhs: OpFoldResult, rhs: OpFoldResult
    ) -> SSAValue:
        """Emit an op of which at least one operand is not known."""
        if isinstance(lhs, int):
            assert isinstance(rhs, SSAValue)
            lhs = self.integer(lhs, rhs.type)
        elif isinstance(rhs, int):
            rhs = self.integer(rhs, lhs.type)
        return self.once(op, (lhs, rhs), lhs.type, {"overflowFlags": _NSW})
