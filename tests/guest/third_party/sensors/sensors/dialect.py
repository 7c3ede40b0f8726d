"""The dialect `sensors`: readings with a unit, and samples of them in a buffer.

sensors.sample %buffer : memref<8xf32> {
^bb0(%i: index):
  %r = sensors.read %i of 3 {calibration = #sensors.calibration<2.0 : f32, ...>}
    : !sensors.reading<f32, "celsius">
  %v = sensors.value %r : !sensors.reading<f32, "celsius"> -> f32
  sensors.emit %v : f32
}
"""

from typing import ClassVar

from typing_extensions import override
from xdsl.dialects.builtin import (
    I32,
    AnyFloat,
    AnyFloatConstr,
    Float32Type,
    FloatAttr,
    IndexType,
    IntegerAttr,
    MemRefType,
    StringAttr,
)
from xdsl.ir import (
    Attribute,
    Dialect,
    Operation,
    ParametrizedAttribute,
    SSAValue,
    TypeAttribute,
)
from xdsl.irdl import (
    IRDLOperation,
    VarConstraint,
    irdl_attr_definition,
    irdl_op_definition,
    operand_def,
    opt_prop_def,
    prop_def,
    region_def,
    result_def,
    traits_def,
)
from xdsl.traits import (
    HasParent,
    IsTerminator,
    MemoryReadEffect,
    Pure,
    RecursiveMemoryEffect,
)
from xdsl.utils.exceptions import VerifyException
from xdsl.utils.hints import isa


@irdl_attr_definition
class ReadingType(ParametrizedAttribute, TypeAttribute):
    """A number with a unit."""

    name = "sensors.reading"

    element: AnyFloat
    unit: StringAttr


@irdl_attr_definition
class CalibrationAttr(ParametrizedAttribute):
    """How a raw number becomes a reading: times `scale`, plus `offset`."""

    name = "sensors.calibration"

    scale: FloatAttr[Float32Type]
    offset: FloatAttr[Float32Type]


@irdl_op_definition
class ReadOp(IRDLOperation):
    """Reads a sensor once."""

    name = "sensors.read"

    index = operand_def(IndexType())
    channel = prop_def(IntegerAttr[I32])
    calibration = opt_prop_def(CalibrationAttr)
    reading = result_def(ReadingType)

    traits = traits_def(MemoryReadEffect())

    assembly_format = (
        "$index `of` $channel (`calibrated` $calibration^)? attr-dict "
        "`:` type($reading)"
    )

    @override
    def verify_(self) -> None:
        """Channels are counted from zero."""
        if self.channel.value.data < 0:
            raise VerifyException(f"there is no channel {self.channel.value.data}")


@irdl_op_definition
class ValueOp(IRDLOperation):
    """The number of a reading, without its unit."""

    name = "sensors.value"

    T: ClassVar = VarConstraint("T", AnyFloatConstr)

    reading = operand_def(ReadingType)
    value = result_def(T)

    traits = traits_def(Pure())

    assembly_format = "$reading attr-dict `:` type($reading) `->` type($value)"

    @override
    def verify_(self) -> None:
        """The result has the type that the reading has."""
        reading = self.reading.type
        assert isinstance(reading, ReadingType)
        if reading.element != self.value.type:
            raise VerifyException(
                f"a reading of {reading.element} has no value of {self.value.type}"
            )


@irdl_op_definition
class SampleOp(IRDLOperation):
    """Fills a buffer; the body gives the element of each index."""

    name = "sensors.sample"

    buffer = operand_def(MemRefType)
    body = region_def("single_block")

    traits = traits_def(RecursiveMemoryEffect())

    assembly_format = "$buffer attr-dict-with-keyword `:` type($buffer) $body"

    @property
    def buffer_type(self) -> MemRefType[Attribute]:
        """The type of the buffer that is filled."""
        type_ = self.buffer.type
        assert isa(type_, MemRefType)
        return type_

    @override
    def verify_(self) -> None:
        """The buffer is a vector of known size, and the body takes an index."""
        if len(shape := self.buffer_type.get_shape()) != 1 or shape[0] < 0:
            raise VerifyException(f"cannot sample into {self.buffer_type}")
        if self.body.block.arg_types != (IndexType(),):
            raise VerifyException("the body takes one index")


@irdl_op_definition
class EmitOp(IRDLOperation):
    """Ends the body of a sample with the element."""

    name = "sensors.emit"

    value = operand_def(AnyFloatConstr)

    traits = traits_def(IsTerminator(), HasParent(SampleOp))

    assembly_format = "$value attr-dict `:` type($value)"

    def __init__(self, value: SSAValue | Operation):
        super().__init__(operands=[value])


Sensors = Dialect(
    "sensors", [EmitOp, ReadOp, SampleOp, ValueOp], [CalibrationAttr, ReadingType]
)
