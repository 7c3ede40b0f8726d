"""Kinds, flags and data types of xsmm ops.

The numbers in `abi.py` are what a compiled program passes to the runtime. They are
those of LIBXSMM's enumerations of meltw unary, meltw binary and GEMM operations and
flags, and of tpp-mlir's `xsmm` dialect.

Rows and columns in the names of flags are LIBXSMM's, whose matrices are column-major.
For the row-major buffers here, `bcast_col` repeats one row of `n` elements for all
rows, and `bcast_row` one element of each row for all of its `n` elements.
"""

from xdsl.dialects.builtin import AnyFloat, bf16, f32, f64
from xdsl.dialects.utils import EnumAttribute
from xdsl.irdl import irdl_attr_definition
from xdsl.utils.str_enum import StrEnum

from xdsl_bufferization.support import abi

from ..common.enums import InAngleBrackets


class DataType(StrEnum):
    """The type of the elements of a kernel."""

    F32 = "f32"
    F64 = "f64"
    BF16 = "bf16"

    @property
    def number(self) -> int:
        """The number that the runtime knows it by."""
        return abi.XSMM_DATA_TYPES[self.value]

    @property
    def element_type(self) -> AnyFloat:
        """The element type of the buffers."""
        return {DataType.F32: f32, DataType.F64: f64, DataType.BF16: bf16}[self]


class UnaryKind(StrEnum):
    """What a unary kernel computes of each element; `zero` ignores its input."""

    NONE = "none"
    IDENTITY = "identity"
    ZERO = "zero"
    RELU = "relu"
    TANH = "tanh"
    SIGMOID = "sigmoid"
    GELU = "gelu"
    EXP = "exp"
    VNNI_2 = "vnni_2"
    TRANSPOSE = "transpose"

    @property
    def number(self) -> int:
        """The number that the runtime knows it by."""
        return abi.XSMM_UNARY_KINDS[self.value]


class BinaryKind(StrEnum):
    """What a binary kernel computes of two elements."""

    NONE = "none"
    ADD = "add"
    MUL = "mul"
    SUB = "sub"
    DIV = "div"

    @property
    def number(self) -> int:
        """The number that the runtime knows it by."""
        return abi.XSMM_BINARY_KINDS[self.value]


class UnaryFlag(StrEnum):
    """How the input of a unary kernel is repeated."""

    NONE = "none"
    BCAST_ROW = "bcast_row"
    BCAST_COL = "bcast_col"
    BCAST_SCALAR = "bcast_scalar"

    @property
    def number(self) -> int:
        """The bit that the runtime knows it by."""
        return abi.XSMM_UNARY_FLAGS[self.value]


class BinaryFlag(StrEnum):
    """How the inputs of a binary kernel are repeated."""

    NONE = "none"
    BCAST_ROW_IN0 = "bcast_row_in0"
    BCAST_ROW_IN1 = "bcast_row_in1"
    BCAST_COL_IN0 = "bcast_col_in0"
    BCAST_COL_IN1 = "bcast_col_in1"
    BCAST_SCALAR_IN0 = "bcast_scalar_in0"
    BCAST_SCALAR_IN1 = "bcast_scalar_in1"

    @property
    def number(self) -> int:
        """The bit that the runtime knows it by."""
        return abi.XSMM_BINARY_FLAGS[self.value]


class GemmFlag(StrEnum):
    """`beta_0`: the output is overwritten; `vnni_*`: a matrix has pairs of rows."""

    NONE = "none"
    BETA_0 = "beta_0"
    VNNI_A = "vnni_a"
    VNNI_B = "vnni_b"
    VNNI_C = "vnni_c"

    @property
    def number(self) -> int:
        """The bit that the runtime knows it by."""
        return abi.XSMM_GEMM_FLAGS[self.value]


class WindowKind(StrEnum):
    """What is added up over a window: products, or elements; `max` takes the largest.

    A `product` multiplies all channels of the input with a vector of weights, and
    `depthwise` each channel with its own weight.
    """

    PRODUCT = "product"
    DEPTHWISE = "depthwise"
    ADD = "add"
    MAX = "max"

    @property
    def number(self) -> int:
        """The number that the runtime knows it by."""
        return abi.XSMM_WINDOW_KINDS[self.value]


class WindowFlag(StrEnum):
    """`beta_0`: the output is overwritten; else what is done to a sum at the end."""

    NONE = "none"
    BETA_0 = "beta_0"
    BIAS = "bias"
    RESIDUAL = "residual"
    RELU = "relu"

    @property
    def number(self) -> int:
        """The bit that the runtime knows it by."""
        return abi.XSMM_WINDOW_FLAGS[self.value]


@irdl_attr_definition
class DataTypeAttr(InAngleBrackets, EnumAttribute[DataType]):
    """`#xsmm.data_type<f32>`."""

    name = "xsmm.data_type"


@irdl_attr_definition
class UnaryKindAttr(InAngleBrackets, EnumAttribute[UnaryKind]):
    """`#xsmm.unary_kind<relu>`."""

    name = "xsmm.unary_kind"


@irdl_attr_definition
class BinaryKindAttr(InAngleBrackets, EnumAttribute[BinaryKind]):
    """`#xsmm.binary_kind<add>`."""

    name = "xsmm.binary_kind"


@irdl_attr_definition
class UnaryFlagAttr(InAngleBrackets, EnumAttribute[UnaryFlag]):
    """`#xsmm.unary_flag<bcast_col>`."""

    name = "xsmm.unary_flag"


@irdl_attr_definition
class BinaryFlagAttr(InAngleBrackets, EnumAttribute[BinaryFlag]):
    """`#xsmm.binary_flag<bcast_col_in0>`."""

    name = "xsmm.binary_flag"


@irdl_attr_definition
class GemmFlagAttr(InAngleBrackets, EnumAttribute[GemmFlag]):
    """`#xsmm.gemm_flag<beta_0>`."""

    name = "xsmm.gemm_flag"


@irdl_attr_definition
class WindowKindAttr(InAngleBrackets, EnumAttribute[WindowKind]):
    """`#xsmm.window_kind<product>`."""

    name = "xsmm.window_kind"


@irdl_attr_definition
class WindowFlagAttr(InAngleBrackets, EnumAttribute[WindowFlag]):
    """`#xsmm.window_flag<bias>`."""

    name = "xsmm.window_flag"
