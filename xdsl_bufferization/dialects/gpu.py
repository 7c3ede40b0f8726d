"""Attributes of MLIR's gpu dialect that name processors and memory spaces.

xDSL 0.74 lacks them. `scf.forall` says by a processor where its iterations run. A
buffer says by a memory space where it is.

    {mapping = [#gpu.block<x>, #gpu.thread<linear_dim_0>]}
    memref<4xf32, #gpu.address_space<workgroup>>

Source: https://mlir.llvm.org/docs/Dialects/GPU/#attributes
"""

from typing_extensions import override
from xdsl.dialects.utils import EnumAttribute
from xdsl.ir import Data
from xdsl.irdl import irdl_attr_definition
from xdsl.parser import AttrParser
from xdsl.printer import Printer
from xdsl.utils.str_enum import StrEnum

from .common.enums import InAngleBrackets


class MappingId(StrEnum):
    """A dimension of a grid of processors, or of its linear numbering."""

    X = "x"
    Y = "y"
    Z = "z"
    LINEAR_DIM_0 = "linear_dim_0"
    LINEAR_DIM_1 = "linear_dim_1"
    LINEAR_DIM_2 = "linear_dim_2"
    LINEAR_DIM_3 = "linear_dim_3"
    LINEAR_DIM_4 = "linear_dim_4"
    LINEAR_DIM_5 = "linear_dim_5"
    LINEAR_DIM_6 = "linear_dim_6"
    LINEAR_DIM_7 = "linear_dim_7"
    LINEAR_DIM_8 = "linear_dim_8"
    LINEAR_DIM_9 = "linear_dim_9"


class AddressSpace(StrEnum):
    """Where a buffer is."""

    GLOBAL = "global"
    WORKGROUP = "workgroup"
    PRIVATE = "private"


@irdl_attr_definition
class BlockMappingAttr(InAngleBrackets, EnumAttribute[MappingId]):
    """A block of the grid."""

    name = "gpu.block"


@irdl_attr_definition
class WarpgroupMappingAttr(InAngleBrackets, EnumAttribute[MappingId]):
    """A group of warps."""

    name = "gpu.warpgroup"


@irdl_attr_definition
class WarpMappingAttr(InAngleBrackets, EnumAttribute[MappingId]):
    """A warp of a block."""

    name = "gpu.warp"


@irdl_attr_definition
class ThreadMappingAttr(InAngleBrackets, EnumAttribute[MappingId]):
    """A thread of a block."""

    name = "gpu.thread"


@irdl_attr_definition
class LaneMappingAttr(InAngleBrackets, EnumAttribute[MappingId]):
    """A lane of a warp."""

    name = "gpu.lane"


@irdl_attr_definition
class MaskMappingAttr(Data[int]):
    """Which processors take part: bit by bit."""

    name = "gpu.mask"

    @override
    @classmethod
    def parse_parameter(cls, parser: AttrParser) -> int:
        """Parse `<3>`."""
        with parser.in_angle_brackets():
            return parser.parse_integer(allow_boolean=False, allow_negative=False)

    @override
    def print_parameter(self, printer: Printer) -> None:
        """Print `<3>`."""
        with printer.in_angle_brackets():
            printer.print_int(self.data)


@irdl_attr_definition
class AddressSpaceAttr(InAngleBrackets, EnumAttribute[AddressSpace]):
    """The memory space of a buffer."""

    name = "gpu.address_space"
