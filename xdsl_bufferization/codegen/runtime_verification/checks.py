"""What checks are built of: numbers that are known as far as possible, and conditions.

    checks = Checks(op, scope)
    size = checks.size(op.memref, 0)                    8, or the result of a memref.dim
    checks.require_same(size, 8, "size {0} ...", size)  nothing, if it was checked above
    inside = checks.holds("ult", index, size)         True, or the result of a cmpi
    checks.require(inside, "index {0} ...", index)      nothing, if it is known to hold

Ops are put before the op that is checked. A check of which all numbers are known to be
right costs nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import TypeVar

from typing_extensions import override
from xdsl.dialects import arith, cf, memref, tensor
from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    IndexType,
    IntegerAttr,
    IntegerType,
    MemRefType,
    UnrankedMemRefType,
    i1,
)
from xdsl.ir import Attribute, Block, Operation, SSAValue
from xdsl.rewriter import InsertPoint
from xdsl.utils.hints import isa

from xdsl_bufferization.bufferization.interfaces.operands import is_ranked_tensor_type
from xdsl_bufferization.dialects import index
from xdsl_bufferization.dialects.arith.builder import ArithBuilder, Truth
from xdsl_bufferization.dialects.common.static_values import OpFoldResult, mixed_values
from xdsl_bufferization.dialects.memref.layouts import get_strided_form
from xdsl_bufferization.dialects.parsing import locate
from xdsl_bufferization.runtime.failure_kinds import escaped
from xdsl_bufferization.support.errors import op_name

from ..check_ops import CheckOp
from .tensor_sizes import Size, SizeOrigins, ask_for_size, shape_of

_Op = TypeVar("_Op", bound=Operation)
_INDEX = IndexType()


@dataclass
class FunctionScope:
    """What the checks of one function share."""

    entry: Block
    shows_values: bool
    """Whether failures show values, which no text of a program can say."""

    origins: SizeOrigins = field(default_factory=SizeOrigins)
    _constants: dict[tuple[int, Attribute], SSAValue] = field(
        default_factory=dict[tuple[int, Attribute], SSAValue]
    )
    _dims: dict[tuple[Block, SSAValue, int], SSAValue] = field(
        default_factory=dict[tuple[Block, SSAValue, int], SSAValue]
    )
    _same: set[tuple[Block, OpFoldResult, OpFoldResult]] = field(
        default_factory=set[tuple[Block, OpFoldResult, OpFoldResult]]
    )

    def constant(self, value: int, type: Attribute) -> SSAValue:
        """An integer constant at the start of the function."""
        known = self._constants.get((value, type))
        if known is None:
            op = arith.ConstantOp(integer_attribute(value, type))
            first = self.entry.first_op
            assert first is not None
            self.entry.insert_op_before(op, first)
            known = self._constants[value, type] = op.result
        return known

    def dim(self, tensor_: SSAValue, dimension: int, block: Block) -> SSAValue | None:
        """A size that was asked for before, in `block` or where the function starts."""
        for each in (block, self.entry):
            if (known := self._dims.get((each, tensor_, dimension))) is not None:
                return known
        return None

    def keep_dim(
        self, tensor_: SSAValue, dimension: int, size: SSAValue, block: Block
    ) -> None:
        """Note that a block asks for a size."""
        self._dims[block, tensor_, dimension] = size

    def are_same(self, one: OpFoldResult, other: OpFoldResult, block: Block) -> bool:
        """Whether a check before, in `block` or the first block, finds a difference."""
        return any(
            (each, *pair) in self._same
            for each in (block, self.entry)
            for pair in ((one, other), (other, one))
        )

    def note_same(self, one: OpFoldResult, other: OpFoldResult, block: Block) -> None:
        """Note that a block checks whether two numbers are the same."""
        self._same.add((block, one, other))


class Checks(ArithBuilder):
    """Writes the checks of one op, before that op or the one that holds it."""

    op: Operation
    scope: FunctionScope
    emitted: list[Operation]
    """The ops that were put in front, in order."""

    def __init__(
        self, op: Operation, scope: FunctionScope, before: Operation | None = None
    ):
        super().__init__(InsertPoint.before(before or op), op.location)
        self.op = op
        self.scope = scope
        self.emitted = []

    @override
    def insert(self, op: _Op) -> _Op:
        """Put an op in front."""
        self.emitted.append(op)
        return super().insert(op)

    # Demands.

    def require(self, condition: Truth, reason: str, *values: OpFoldResult) -> None:
        """Have the program fail for a `reason` (see `Failure`), unless it holds."""
        if condition is True:
            return
        bit = self.bit(condition)
        if self.scope.shows_values:
            shown = [self.index(each) for each in values]
            name, place = op_name(self.op), self.op.location
            self.insert(CheckOp(bit, name, reason, shown, place))
            return
        known = map(self.number_of, values)
        words = ["?" if isinstance(v, SSAValue) else str(v) for v in known]
        place = locate(self.op)
        at = f"{escaped(place)}: " if place else ""
        text = f"{at}'{op_name(self.op)}': {reason}".format(*words)
        self.insert(cf.AssertOp(bit, text))

    def require_same(
        self,
        found: OpFoldResult,
        wanted: OpFoldResult,
        reason: str,
        *values: OpFoldResult,
    ) -> None:
        """Demand that two numbers are the same, unless that was demanded before."""
        found, wanted = self.number_of(found), self.number_of(wanted)
        if self.scope.are_same(found, wanted, self.block):
            return
        self.require(self.holds("eq", found, wanted), reason, *values)
        self.scope.note_same(found, wanted, self.block)

    def require_static(self, found: OpFoldResult, wanted: int, dimension: int) -> None:
        """Demand that a size is what a type says, if the type says anything."""
        if wanted != DYNAMIC_INDEX:
            reason = f"size {{0}} of dimension {dimension} is not {{1}}"
            self.require_same(found, wanted, reason, found, wanted)

    def require_index(
        self,
        index: OpFoldResult,
        size: OpFoldResult,
        dimension: int,
        last: OpFoldResult = 0,
    ) -> None:
        """Demand that an element is there, and the one `last` elements further."""
        if last == 0:
            self.require(
                self.holds("ult", index, size),
                f"index {{0}} is out of bounds: dimension {dimension} has size {{1}}",
                index,
                size,
            )
            return
        room = self.subtract(size, last)
        is_inside = self.both(
            self.holds("sgt", room, 0), self.holds("ult", index, room)
        )
        self.require(
            is_inside,
            f"the elements from {{0}} to {{0}} + {{1}} are out of bounds: dimension "
            f"{dimension} has size {{2}}",
            index,
            last,
            size,
        )

    # Numbers.

    def number_of(self, value: OpFoldResult) -> OpFoldResult:
        """A number that is known if it is a constant."""
        if not isinstance(value, SSAValue):
            return value
        owner = value.owner
        if isinstance(owner, arith.ConstantOp | index.ConstantOp):
            constant = owner.value
            return constant.value.data if isa(constant, IntegerAttr) else value
        if isinstance(owner, tensor.DimOp):
            return self._size(self.scope.origins.of_number(value))
        return value

    def _size(self, size: OpFoldResult | Size) -> OpFoldResult:
        """A size as a number."""
        return self._ask(*size) if isinstance(size, tuple) else size

    def mixed_values(
        self, static: Iterable[int], dynamic: Iterable[SSAValue]
    ) -> list[OpFoldResult]:
        """The numbers of an op in order: those written in it, and operands."""
        return [self.number_of(each) for each in mixed_values(static, dynamic)]

    @override
    def index(self, number: OpFoldResult) -> SSAValue:
        """An index as a value; a constant is written once, at the function's start."""
        if isinstance(number, int):
            return self.scope.constant(number, _INDEX)
        return number

    @override
    def apply(self, op: type[Operation], a: SSAValue, b: SSAValue) -> SSAValue:
        # The constructors of arith cost more than all else here.
        return self.value(op.create(operands=(a, b), result_types=[_INDEX]))

    def product(self, values: Iterable[OpFoldResult]) -> OpFoldResult:
        """The product of several."""
        result: OpFoldResult = 1
        for value in values:
            result = self.multiply(result, value)
        return result

    def divide(self, lhs: OpFoldResult, rhs: OpFoldResult) -> OpFoldResult:
        """The quotient of two numbers that are not negative; of a zero divisor: lhs."""
        if isinstance(lhs, int) and isinstance(rhs, int):
            return lhs // max(rhs, 1)
        if not isinstance(rhs, int):
            rhs = self.apply(arith.MaxUIOp, rhs, self.index(1))
        return self.apply(arith.DivUIOp, self.index(lhs), self.index(rhs))

    # Conditions.

    def bit(self, condition: Truth) -> SSAValue:
        """A condition as an SSA value."""
        if isinstance(condition, SSAValue):
            return condition
        return self.scope.constant(int(condition), i1)

    def holds(self, predicate: str, lhs: OpFoldResult, rhs: OpFoldResult) -> Truth:
        """A comparison of indices, named as in `arith.cmpi`."""
        lhs, rhs = self.number_of(lhs), self.number_of(rhs)
        if isinstance(lhs, int) and isinstance(rhs, int):
            return _COMPARISONS[predicate](lhs, rhs)
        if lhs is rhs and predicate in ("eq", "sle", "sge"):
            return True
        return self.compare(predicate, self.index(lhs), self.index(rhs))

    # Buffers and tensors.

    def size(self, shaped: SSAValue, dimension: int) -> OpFoldResult:
        """The size of a dimension of a buffer or tensor with a rank."""
        if is_ranked_tensor_type(shaped.type):
            origin = self.scope.origins.of_size(shaped, dimension)
            return self.number_of(self._size(origin))
        assert isa(shaped.type, MemRefType)
        static = shaped.type.get_shape()[dimension]
        return self._ask(shaped, dimension) if static == DYNAMIC_INDEX else static

    def sizes(self, shaped: SSAValue) -> list[OpFoldResult]:
        """The sizes of all dimensions of a buffer or tensor with a rank."""
        shape = shape_of(shaped)
        assert shape is not None
        return [self.size(shaped, each) for each in range(len(shape))]

    def _ask(self, shaped: SSAValue, dimension: int) -> SSAValue:
        """The size as the running program knows it."""
        known = self.scope.dim(shaped, dimension, self.block)
        if known is not None:
            return known
        size = self.value(ask_for_size(shaped, self.index(dimension)))
        self.scope.keep_dim(shaped, dimension, size, self.block)
        return size

    def layout(self, buffer: SSAValue) -> tuple[list[OpFoldResult], OpFoldResult]:
        """The strides and the offset of a ranked buffer."""
        assert isa(buffer.type, MemRefType)
        form = get_strided_form(buffer.type)
        if form is not None and None not in (*form.strides, form.offset):
            return [s for s in form.strides if s is not None], form.offset or 0
        metadata = memref.ExtractStridedMetaDataOp(buffer)
        self.value(metadata)
        if form is None:
            return list(metadata.strides), metadata.offset
        strides: list[OpFoldResult] = [
            found if known is None else known
            for known, found in zip(form.strides, metadata.strides, strict=True)
        ]
        return strides, metadata.offset if form.offset is None else form.offset


_COMPARISONS: dict[str, Callable[[int, int], bool]] = {
    "eq": lambda a, b: a == b,
    "ne": lambda a, b: a != b,
    "slt": lambda a, b: a < b,
    "sle": lambda a, b: a <= b,
    "sgt": lambda a, b: a > b,
    "sge": lambda a, b: a >= b,
    "ult": lambda a, b: _unsigned(a) < _unsigned(b),
    "ule": lambda a, b: _unsigned(a) <= _unsigned(b),
}


def integer_attribute(value: int, type: Attribute) -> IntegerAttr:
    """The constant `value` of an integer type or of indices."""
    assert isa(type, IntegerType) or isinstance(type, IndexType)
    return IntegerAttr(value, type)


def _unsigned(number: int) -> int:
    return number % (1 << 64)


def is_unranked(value: SSAValue) -> bool:
    """Whether a buffer may have any rank."""
    return isa(value.type, UnrankedMemRefType)
