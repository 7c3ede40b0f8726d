"""Values on their way from old types to new ones and back, where signatures change.

    %t = bufferization.to_tensor %m : memref<5xf32> to tensor<5xf32>
    %p = "custom.make_tuple"(%m, %b) : (memref<5xf32>, i1) -> tuple<memref<5xf32>, i1>
    %v = builtin.unrealized_conversion_cast %p
        : tuple<memref<5xf32>, i1> to tuple<tensor<5xf32>, i1>

A value that was converted from a new one leads back to it: the parts of `%v` are those
of `%p`. The cast is removed when nothing needs the old type any more. If something
still needs the old type, the old value is packed anew, of parts of old types.
"""

from collections.abc import Sequence

from xdsl.builder import Builder, BuilderListener
from xdsl.dialects import bufferization
from xdsl.dialects.builtin import UnrealizedConversionCastOp
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.rewriter import InsertPoint
from xdsl.utils.hints import isa

from xdsl_bufferization.support.errors import fail_at

from ..interfaces.operands import is_tensor_type
from ..interfaces.state import BufferType
from .type_converter import BufferizeTypeConverter


class ValueConversion:
    """Converts values at one place of a program, for the sake of one op."""

    def __init__(
        self, converter: BufferizeTypeConverter, op: Operation, point: InsertPoint
    ):
        self._converter = converter
        self._op = op
        self.builder = located_builder(op, point)

    def to_parts(self, value: SSAValue) -> Sequence[SSAValue]:
        """The parts of a value of an old type, converted."""
        new = [
            self._converter.convert_part(type_, self._op)
            for type_ in self._converter.decompose(value.type, self._op)
        ]
        parts = self._known_parts(value, len(new)) or self._unpack(value)
        if len(parts) != len(new):
            fail_at(
                self._op,
                f"a value of type {value.type} has {len(new)} parts, but is unpacked "
                f"into {len(parts)}; let add_decompose_value_conversion and "
                "add_decompose_type_conversion agree",
            )
        return [self._cast(part, type_) for part, type_ in zip(parts, new, strict=True)]

    def from_parts(self, type_: Attribute, parts: Sequence[SSAValue]) -> SSAValue:
        """A value of an old type, made of parts that are converted already."""
        if not self._converter.is_decomposed(type_, self._op):
            (part,) = parts
            return self._cast(part, type_)
        packed = self._converter.pack(self.builder, type_, parts)
        if packed is not None and packed.type == type_:
            return packed
        inputs = parts if packed is None else [packed]
        cast = UnrealizedConversionCastOp.get(inputs, [type_])
        return self.builder.insert(cast).results[0]

    def legalize(self, cast: UnrealizedConversionCastOp) -> None:
        """Replace the value of `from_parts`, which `cast` gives, by parts of old types.

        Does nothing if only `cast` can do that.
        """
        (value,) = cast.outputs
        types = self._converter.decompose(value.type, self._op)
        parts = [
            self._cast(part, type_)
            for part, type_ in zip(self.to_parts(value), types, strict=True)
        ]
        packed = self._converter.pack(self.builder, value.type, parts)
        if packed is None:
            new = UnrealizedConversionCastOp.get(parts, [value.type])
            packed = self.builder.insert(new).results[0]
        elif packed.type != value.type:
            fail_at(
                next(iter(value.uses)).operation,
                f"needs a {value.type}, but the parts of one are packed as "
                f"{packed.type}; convert this op, or let add_argument_materialization "
                "give the type that it is called with",
            )
        value.replace_all_uses_with(packed)

    def _known_parts(self, value: SSAValue, number: int) -> Sequence[SSAValue] | None:
        """The parts of which `from_parts` made `value`, if it did."""
        cast = value.owner
        if (
            not isinstance(cast, UnrealizedConversionCastOp)
            or len(cast.outputs) != 1
            or not self._converter.is_decomposed(value.type, self._op)
        ):
            return None
        parts = [part for each in cast.inputs for part in self._unpack(each)]
        return parts if len(parts) == number else None

    def _unpack(self, value: SSAValue) -> Sequence[SSAValue]:
        """The parts of `value`, all the way down; itself if it has none."""
        types = self._converter.decompose(value.type, self._op)
        if types == (value.type,):
            return (value,)
        if not types:
            return ()
        parts = self._converter.unpack(self.builder, value)
        if parts is None:
            cast = UnrealizedConversionCastOp.get([value], types)
            return self.builder.insert(cast).results
        return [inner for part in parts for inner in self._unpack(part)]

    def _cast(self, value: SSAValue, type_: Attribute) -> SSAValue:
        """A value as one of another type, without a cast there and back."""
        if value.type == type_:
            return value
        source = value.owner
        if isinstance(source, bufferization.ToTensorOp | UnrealizedConversionCastOp):
            before = source.operands[0]
            if len(source.operands) == 1 and before.type == type_:
                return before
        op = self.builder.insert(_cast_op(value, type_))
        op.results[0].name_hint = value.name_hint
        return op.results[0]


def located_builder(op: Operation, point: InsertPoint) -> Builder:
    """A builder of ops that have the location of `op`."""

    def set_location(new: Operation) -> None:
        new.location = op.location

    builder = Builder(point)
    builder.extend_from_listener(
        BuilderListener(operation_insertion_handler=[set_location])
    )
    return builder


def _cast_op(value: SSAValue, type_: Attribute) -> Operation:
    if is_tensor_type(value.type) and isa(type_, BufferType):
        return bufferization.ToBufferOp.create(operands=[value], result_types=[type_])
    if isa(value.type, BufferType) and is_tensor_type(type_):
        return bufferization.ToTensorOp.create(operands=[value], result_types=[type_])
    return UnrealizedConversionCastOp.get([value], [type_])
