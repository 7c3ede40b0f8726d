"""The dialect `shape`: not MLIR's.

%s = shape.shape_of %t as !shape.extents<2> : tensor<?x4xf32>
%c = shape.const_shape [2, 4] is !shape.extents<2>
%d = shape.extent 0 of %s : !shape.extents<2>
"""

from typing_extensions import override
from xdsl.dialects.builtin import (
    I64,
    DenseArrayBase,
    IndexType,
    IntAttr,
    IntegerAttr,
    MemRefType,
    TensorType,
)
from xdsl.ir import Dialect, ParametrizedAttribute, TypeAttribute
from xdsl.irdl import (
    IRDLOperation,
    base,
    irdl_attr_definition,
    irdl_op_definition,
    operand_def,
    opt_prop_def,
    prop_def,
    result_def,
    traits_def,
)
from xdsl.parser import AttrParser
from xdsl.printer import Printer
from xdsl.traits import Pure
from xdsl.utils.exceptions import VerifyException


@irdl_attr_definition
class ExtentsType(ParametrizedAttribute, TypeAttribute):
    """As many sizes as there are dimensions."""

    name = "shape.extents"

    rank: IntAttr

    @override
    @classmethod
    def parse_parameters(cls, parser: AttrParser) -> list[IntAttr]:
        with parser.in_angle_brackets():
            return [IntAttr(parser.parse_integer(allow_boolean=False))]

    @override
    def print_parameters(self, printer: Printer) -> None:
        with printer.in_angle_brackets():
            printer.print_int(self.rank.data)


@irdl_attr_definition
class LayoutAttr(ParametrizedAttribute):
    """In which order the dimensions are stored."""

    name = "shape.layout"

    order: DenseArrayBase[I64]


@irdl_op_definition
class ConstShapeOp(IRDLOperation):
    """A known shape."""

    name = "shape.const_shape"

    extents = prop_def(DenseArrayBase.constr(I64))
    layout = opt_prop_def(LayoutAttr)
    result = result_def(ExtentsType)

    traits = traits_def(Pure())

    assembly_format = "$extents (`stored` $layout^)? attr-dict `is` type($result)"

    @override
    def verify_(self) -> None:
        """The type has as many dimensions as there are sizes."""
        result = self.result.type
        assert isinstance(result, ExtentsType)
        if result.rank.data != len(self.extents):
            raise VerifyException(f"{len(self.extents)} extents are not {result}")


@irdl_op_definition
class ShapeOfOp(IRDLOperation):
    """The shape of a tensor or buffer."""

    name = "shape.shape_of"

    shaped = operand_def(base(TensorType) | base(MemRefType))
    result = result_def(ExtentsType)

    traits = traits_def(Pure())

    assembly_format = "$shaped attr-dict `as` type($result) `:` type($shaped)"


@irdl_op_definition
class ExtentOp(IRDLOperation):
    """One size of a shape."""

    name = "shape.extent"

    dimension = prop_def(IntegerAttr[I64])
    shape = operand_def(ExtentsType)
    result = result_def(IndexType())

    traits = traits_def(Pure())

    assembly_format = "$dimension `of` $shape attr-dict `:` type($shape)"


Shape = Dialect("shape", [ConstShapeOp, ExtentOp, ShapeOfOp], [ExtentsType, LayoutAttr])
