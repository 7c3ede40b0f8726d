"""Ops of StableHLO whose sizes are numbers that the program computes.

    %n = stablehlo.get_dimension_size %x, dim = 0 : (tensor<?x4xf32>) -> tensor<i32>
    %0 = stablehlo.dynamic_broadcast_in_dim %c, %sizes, dims = []
        : (tensor<f32>, tensor<2xi32>) -> tensor<?x4xf32>

`jax.export` writes them for functions with symbolic shapes. The pass
`stablehlo-refine-shapes` replaces all of them as soon as sizes of arguments are known.

Source: https://openxla.org/stablehlo/spec#ops
"""

from collections.abc import Sequence
from typing import ClassVar, Final

from typing_extensions import override
from xdsl.dialects.builtin import DenseArrayBase, IntegerAttr
from xdsl.irdl import irdl_op_definition, opt_prop_def, prop_def
from xdsl.utils.exceptions import VerifyException

from .attributes import GatherAttr
from .contractions import AnyConvolutionOp
from .shapes import verify_dimensions
from .syntax import Clause, PrettyOp, StableHLOOp


@irdl_op_definition
class GetDimensionSizeOp(PrettyOp):
    """A size of a tensor, as a number."""

    name = "stablehlo.get_dimension_size"

    dimension = prop_def(IntegerAttr)

    CLAUSES: ClassVar[Sequence[Clause]] = (Clause("dimension", "dim", is_list=False),)

    @override
    def verify_(self) -> None:
        """The dimension is one of the operand's, and the result one number."""
        super().verify_()
        verify_dimensions((self.integer("dimension"),), len(self.shape()))
        if self.result_shape:
            raise VerifyException("expected one number as the result")


@irdl_op_definition
class DynamicBroadcastInDimOp(PrettyOp):
    """`broadcast_in_dim` to sizes that are numbers."""

    name = "stablehlo.dynamic_broadcast_in_dim"

    broadcast_dimensions = prop_def(DenseArrayBase)
    known_expanding_dimensions = opt_prop_def(DenseArrayBase)
    known_nonexpanding_dimensions = opt_prop_def(DenseArrayBase)

    ARITY: ClassVar[int | None] = 2
    CLAUSES: ClassVar[Sequence[Clause]] = (Clause("broadcast_dimensions", "dims"),)


@irdl_op_definition
class DynamicReshapeOp(PrettyOp):
    """`reshape` to sizes that are numbers."""

    name = "stablehlo.dynamic_reshape"

    ARITY: ClassVar[int | None] = 2


@irdl_op_definition
class DynamicIotaOp(PrettyOp):
    """`iota` of sizes that are numbers."""

    name = "stablehlo.dynamic_iota"

    iota_dimension = prop_def(IntegerAttr)

    CLAUSES: ClassVar[Sequence[Clause]] = (
        Clause("iota_dimension", "dim", is_list=False),
    )


@irdl_op_definition
class DynamicPadOp(PrettyOp):
    """`pad` by as many elements as numbers say: in front, behind and between."""

    name = "stablehlo.dynamic_pad"

    ARITY: ClassVar[int | None] = 5


@irdl_op_definition
class RealDynamicSliceOp(PrettyOp):
    """`slice` with starts, ends and steps that are numbers."""

    name = "stablehlo.real_dynamic_slice"

    ARITY: ClassVar[int | None] = 4


@irdl_op_definition
class DynamicGatherOp(StableHLOOp):
    """`gather` of parts whose sizes are numbers."""

    name = "stablehlo.dynamic_gather"

    dimension_numbers = prop_def(GatherAttr)
    indices_are_sorted = opt_prop_def()


@irdl_op_definition
class DynamicConvOp(AnyConvolutionOp):
    """`convolution` with padding that is numbers."""

    name = "stablehlo.dynamic_conv"

    @override
    def verify_(self) -> None:
        """What fits is known once the padding is."""
        self.verify_counts(3)


OPS_WITH_SIZES: Final = (
    DynamicBroadcastInDimOp,
    DynamicConvOp,
    DynamicGatherOp,
    DynamicIotaOp,
    DynamicPadOp,
    DynamicReshapeOp,
    GetDimensionSizeOp,
    RealDynamicSliceOp,
)
"""The ops of this file."""
