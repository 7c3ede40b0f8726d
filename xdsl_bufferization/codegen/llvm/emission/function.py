"""The state of lowering one function: where ops go and what values became.

A function is lowered in one forward walk. Rules read operands through `scalar`,
`buffer` and `carry`, emit ops, and `bind` the results; ops with regions lower these
through `lower_ops`.

    def lower_negf(op: arith.NegfOp, f: FunctionLowering) -> None:
        f.bind(op.result, f.float_op(llvm.FNegOp, f.scalar(op.operand)))
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from xdsl.dialects import llvm
from xdsl.dialects.builtin import (
    ModuleOp,
    TensorType,
    UnrankedMemRefType,
    VectorType,
)
from xdsl.ir import Attribute, Block, Operation, SSAValue
from xdsl.utils.hints import isa

from xdsl_bufferization.dialects.common.static_values import OpFoldResult, mixed_values
from xdsl_bufferization.support.classes import of_classes
from xdsl_bufferization.support.errors import fail_at, op_name

from .descriptor import (
    Buffer,
    Unranked,
    buffer_from_carried,
    carried_fields,
    carried_types,
)
from .emitter import Emitter
from .symbols import Symbols
from .types import PTR, BufferType, TypeConverter, is_buffer, memref_type
from .vector_elements import Vector

Lowered = SSAValue | Buffer | Unranked | Vector
"""What a value of the source became."""

Rule = Callable[[Any, "FunctionLowering"], None]
"""How ops of one class are lowered."""

Rules = Mapping[type[Operation], Rule]


@dataclass
class Scope:
    """Memory from `memref.alloca` is given back when its scope ends."""

    start: Block
    """The block that begins the scope."""

    frees: bool
    """Whether the memory is given back before the function returns."""

    hoists: bool
    """Whether nothing inside repeats within one run of the scope.

    Then an alloca of static size can move to the entry of the function: LLVM keeps
    such allocas in registers, and they cost no stack per iteration.
    """

    grows: bool = False
    """Whether some alloca stayed in place."""


@dataclass(kw_only=True)
class FunctionLowering(Emitter):
    """One function of the llvm dialect under construction, and its source."""

    types: TypeConverter = field(init=False)
    symbols: Symbols
    rules: Rules
    values: dict[SSAValue, Lowered] = field(default_factory=dict[SSAValue, Lowered])
    loops: list[Sequence[SSAValue]] = field(default_factory=list[Sequence[SSAValue]])
    """The induction variables of the enclosing linalg ops, innermost last."""

    blocks: dict[Block, Block] = field(default_factory=dict[Block, Block])
    """What the blocks of the source became, where it has several in a region."""

    guarded_call: SSAValue | None = None
    """The call that is told if an iteration of a shared loop fails, if one can."""

    stack_bytes: int = 0
    """What buffers of static sizes take from the stack, all in all."""

    scopes: list[Scope] = field(default_factory=list[Scope])
    _buffer_types: dict[Attribute, BufferType] = field(
        default_factory=dict[Attribute, BufferType]
    )

    def __post_init__(self) -> None:
        self.types = self.symbols.types

    # Values of the function that is being lowered.

    def buffer_type(self, type: Attribute, op: Operation) -> BufferType:
        """Return what a memref type says; an error at `op` if it is none."""
        known = self._buffer_types.get(type)
        if known is None:
            known = self.types.buffer(memref_type(type, op), op)
            self._buffer_types[type] = known
        return known

    def scalar_type(self, type: Attribute, op: Operation) -> Attribute:
        """Return the type that `type` becomes; an error at `op` if there is none."""
        lowered = self.types.scalar(type)
        if lowered is None:
            fail_at(op, _no_type(type))
        return lowered

    def scalar(self, value: SSAValue) -> SSAValue:
        """Return what a value that is no buffer became."""
        lowered = self.values[value]
        assert isinstance(lowered, SSAValue)
        return lowered

    def scalars(self, values: Iterable[SSAValue]) -> list[SSAValue]:
        """Return what values that are no buffers became."""
        return [self.scalar(value) for value in values]

    def indices(self, values: Iterable[SSAValue]) -> list[OpFoldResult]:
        """Return what indices became."""
        return [self.scalar(value) for value in values]

    def mixed_values(
        self, static: Iterable[int], dynamic: Iterable[SSAValue]
    ) -> list[OpFoldResult]:
        """Return the numbers of an op in order: those written in it, and operands."""
        return mixed_values(static, self.scalars(dynamic))

    def buffer(self, value: SSAValue) -> Buffer:
        """Return what a memref became."""
        lowered = self.values[value]
        assert isinstance(lowered, Buffer)
        return lowered

    def unranked(self, value: SSAValue) -> Unranked:
        """Return what an unranked memref became."""
        lowered = self.values[value]
        assert isinstance(lowered, Unranked)
        return lowered

    def vector(self, value: SSAValue) -> Vector:
        """Return what a vector became."""
        lowered = self.values[value]
        if isinstance(lowered, Vector):
            return lowered
        assert isinstance(lowered, SSAValue)
        assert isa(value.type, VectorType)
        return Vector(tuple(value.type.get_shape()), (lowered,))

    def bind_rows(self, value: SSAValue, rows: Sequence[SSAValue]) -> None:
        """Record the rows of the vector `value`."""
        assert isa(value.type, VectorType)
        shape = tuple(value.type.get_shape())
        self.values[value] = Vector(shape, tuple(rows)) if len(shape) > 1 else rows[0]

    def bind(self, value: SSAValue, lowered: Lowered) -> None:
        """Record what `value` became."""
        self.values[value] = lowered

    def bind_index(self, value: SSAValue, index: OpFoldResult) -> None:
        """Record what the index `value` became."""
        self.values[value] = self.index(index)

    # Values that travel through block arguments.

    def carried_types(
        self, types: Iterable[Attribute], op: Operation
    ) -> list[Attribute]:
        """Return the types of the block arguments that carry values of `types`."""
        carried: list[Attribute] = []
        for type in types:
            if is_buffer(type):
                buffer = self.buffer_type(type, op)
                carried += carried_types(buffer, self.types.index)
            elif (rows := self.types.rows(type)) is not None:
                carried += rows
            else:
                carried.append(self.scalar_type(type, op))
        return carried

    def carry(
        self, values: Iterable[SSAValue], types: Iterable[Attribute], op: Operation
    ) -> list[SSAValue]:
        """Return what to pass to block arguments of `types`."""
        carried: list[SSAValue] = []
        for value, type in zip(values, types, strict=True):
            lowered = self.values[value]
            if isinstance(lowered, Buffer):
                fields = carried_fields(lowered, self.buffer_type(type, op))
                carried += map(self.index, fields)
            elif isinstance(lowered, Vector):
                carried += lowered.rows
            elif isinstance(lowered, Unranked):
                fail_at(op, _no_type(type))
            else:
                carried.append(lowered)
        return carried

    def bind_carried(
        self, values: Iterable[SSAValue], carried: Iterable[SSAValue], op: Operation
    ) -> None:
        """Record that `values` arrive in the block arguments `carried`."""
        arguments: Iterator[SSAValue] = iter(carried)
        for value in values:
            if is_buffer(value.type):
                type = self.buffer_type(value.type, op)
                self.values[value] = buffer_from_carried(type, arguments)
            elif (rows := self.types.rows(value.type)) is not None:
                self.bind_rows(value, [next(arguments) for _ in rows])
            else:
                self.values[value] = next(arguments)

    def text(self, value: str) -> SSAValue:
        """Return the address of a text as C has it."""
        return self.address_of(self.symbols.message(value))

    # Functions outside of the module.

    def call_external(
        self,
        name: str,
        arguments: Sequence[SSAValue],
        result: Attribute | None,
        op: Operation,
    ) -> Operation:
        """Emit a call of a function that is declared for it; `op` is what needs it."""
        self.symbols.require(name, [each.type for each in arguments], result, op)
        return self.call(name, arguments, result)

    # The scopes of stack memory.

    def open_scope(self, *, frees: bool = True, hoists: bool = True) -> None:
        """Begin a scope; one that frees begins an empty block."""
        if self.scopes and not frees:
            hoists = hoists and self.scopes[-1].hoists
        self.scopes.append(Scope(self.block, frees, hoists))

    def close_scope(self) -> None:
        """End the innermost scope and give back what it took from the stack."""
        scope = self.scopes.pop()
        if not (scope.frees and scope.grows):
            return
        save = llvm.CallIntrinsicOp("llvm.stacksave.p0", [], [PTR])
        first = scope.start.first_op
        assert first is not None
        scope.start.insert_ops_before([save], first)
        self.intrinsic("llvm.stackrestore.p0", [save.results[0]], None)

    def alloca(self, op: llvm.AllocaOp, *, static: bool) -> SSAValue:
        """Emit `op` at the entry of the function where that is right, else here."""
        if static and self.scopes[-1].hoists:
            return self.untyped(self.at_entry(op))
        owner = next((s for s in reversed(self.scopes) if s.frees), self.scopes[0])
        owner.grows = True
        return self.untyped(self.emit(op))

    # The walk.

    def lower_ops(self, block: Block) -> Operation:
        """Lower the ops of `block` up to its terminator and return that."""
        terminator = block.last_op
        assert terminator is not None
        for op in block.ops:
            if op is terminator:
                break
            self.lower(op)
        return terminator

    def lower(self, op: Operation) -> None:
        """Lower one op by the rule of its class, or of the nearest base class."""
        for cls in type(op).__mro__:
            if (rule := self.rules.get(cls)) is not None:
                rule(op, self)
                return
        if op.dialect_name() == "llvm" and not op.regions and not op.successors:
            self.keep(op)
            return
        fail_at(op, unsupported(op))

    def keep(self, op: Operation) -> None:
        """Copy an op that is in the llvm dialect already.

        xDSL's back end declares the ops for intrinsics without their types, and
        remembers what the pointers of some ops point to.
        """
        operands = self.scalars(op.operands)
        if _is_untyped_intrinsic(op):
            name = op.name.replace("llvm.intr.", "llvm.")
            self.bind(op.results[0], self.typed_intrinsic(name, operands))
            return
        kept = op.clone(dict(zip(op.operands, operands, strict=True)))
        self.run(kept)
        for old, new in zip(op.results, kept.results, strict=True):
            self.bind(old, self.untyped(new) if new.type == PTR else new)


_UNTYPED_INTRINSICS = (
    llvm.FAbsOp,
    llvm.FCeilOp,
    llvm.FCopySignOp,
    llvm.FCosOp,
    llvm.FExp2Op,
    llvm.FExpOp,
    llvm.FFloorOp,
    llvm.FLog2Op,
    llvm.FLogOp,
    llvm.FPowOp,
    llvm.FSinOp,
    llvm.FSqrtOp,
    llvm.VectorFMaxOp,
    llvm.VectorFMinOp,
)

_is_untyped_intrinsic = of_classes(*_UNTYPED_INTRINSICS)
"""What the back end declares once for all types, so that it fails at the second."""


def _no_type(type: Attribute) -> str:
    """Say that values of `type` cannot be lowered here, and what to do."""
    if isinstance(type, UnrankedMemRefType):
        return f"{type} cannot be carried by a block argument; cast it to a ranked one"
    if isinstance(type, TensorType):
        return f"type {type} cannot be lowered: {_EARLIER_STAGES['tensor']}"
    if isinstance(type, VectorType) and any(type.get_scalable_dims()):
        return f"type {type} cannot be lowered: a vector has a fixed size here"
    return f"type {type} cannot be lowered to the llvm dialect"


_EARLIER_STAGES = {
    "tensor": "bufferize it first (one-shot-bufferize)",
    "bufferization": "lower it first (one-shot-bufferize, lower-deallocations, "
    "convert-bufferization-to-memref)",
    "linalg": "generalize it first (linalg-generalize-named-ops)",
    "xsmm": "call the runtime for it first (convert-xsmm-to-func)",
}


def unsupported(op: Operation) -> str:
    """Say that `op` has no lowering, and what to do."""
    if isinstance(op, ModuleOp):
        return (
            "a module inside of another is not lowered with it: make it a program of "
            "its own, or move what it defines"
        )
    if isinstance(op.parent_op(), ModuleOp) and (op.operands or op.results):
        return f"'{op_name(op)}' is outside of all functions: move it into one"
    dialect = op.dialect_name()
    advice = _EARLIER_STAGES.get(dialect, "rewrite it in ops that have one")
    return f"'{op_name(op)}' has no lowering to the llvm dialect: {advice}"
