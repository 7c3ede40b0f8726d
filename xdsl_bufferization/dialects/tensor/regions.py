"""Ops with a region that computes elements: `tensor.generate`, `pad` and `yield`.

xDSL 0.74 lacks `tensor.generate`, and does not verify what `tensor.pad` yields.

    %0 = tensor.generate %n {
    ^bb0(%i: index):
      tensor.yield %v : f32
    } : tensor<?xf32>

Source: https://mlir.llvm.org/docs/Dialects/TensorOps/#tensorgenerate-tensorgenerateop
"""

from collections.abc import Sequence

from typing_extensions import override
from xdsl.dialects import tensor
from xdsl.dialects.builtin import DYNAMIC_INDEX, IndexType, TensorType
from xdsl.ir import Attribute, Block, Operation, Region, SSAValue
from xdsl.irdl import (
    IRDLOperation,
    irdl_op_definition,
    lazy_traits_def,
    region_def,
    result_def,
    traits_def,
    var_operand_def,
)
from xdsl.traits import (
    HasParent,
    Pure,
    RecursiveMemoryEffect,
    ReturnLike,
    SingleBlockImplicitTerminator,
)
from xdsl.utils.exceptions import VerifyException

from xdsl_bufferization.dialects.tensor.canonicalization.pads import PadCanonicalization
from xdsl_bufferization.dialects.tensor.constraints import (
    RANKED,
    ranked_type,
    verify_dynamic_sizes,
)


@irdl_op_definition
class YieldOp(IRDLOperation):
    """The element that a region computes."""

    name = "tensor.yield"

    arguments = var_operand_def()

    traits = lazy_traits_def(
        lambda: (Pure(), ReturnLike(), HasParent(GenerateOp, tensor.PadOp))
    )

    assembly_format = "$arguments attr-dict `:` type($arguments)"

    @override
    def verify_(self) -> None:
        """It yields one element."""
        if len(self.arguments) != 1:
            raise VerifyException("'tensor.yield' op requires a single operand")


@irdl_op_definition
class GenerateOp(IRDLOperation):
    """The tensor whose elements the region computes from their indices."""

    name = "tensor.generate"

    dynamic_extents = var_operand_def(IndexType())
    result = result_def(RANKED)
    body = region_def("single_block")

    traits = traits_def(
        RecursiveMemoryEffect(), SingleBlockImplicitTerminator(tensor.YieldOp)
    )

    assembly_format = "$dynamic_extents $body attr-dict `:` type($result)"

    def __init__(
        self,
        dynamic_extents: Sequence[SSAValue],
        body: Region,
        result_type: TensorType[Attribute],
    ):
        super().__init__(
            operands=[dynamic_extents], result_types=[result_type], regions=[body]
        )

    @override
    def verify_(self) -> None:
        """The region takes an index for each dimension, and yields an element."""
        verify_dynamic_sizes(self.dynamic_extents, self.result.type)
        rank = self.result.type.get_num_dims()
        _verify_element(self, self.body.block, rank, self.result.type)


def _verify_element(op: Operation, block: Block, rank: int, type_: TensorType) -> None:
    """`block` computes an element of `type_` from its `rank` indices."""
    if len(block.args) != rank:
        raise VerifyException(
            f"must have one body argument per input dimension: expected {rank}, got "
            f"{len(block.args)}"
        )
    for index, argument in enumerate(block.args, start=1):
        if argument.type != IndexType():
            raise VerifyException(
                f"'{op.name}' op expected block argument {index} to be an index"
            )
    last = block.last_op
    if not isinstance(last, tensor.YieldOp):
        raise VerifyException(
            f"'{op.name}' op body must be terminated with a `tensor.yield` operation"
        )
    if [value.type for value in last.arguments] != [type_.element_type]:
        raise VerifyException(
            f"'{op.name}' op expected yield type to match the element type of {type_}"
        )


class PadOp(tensor.PadOp):
    """What `tensor.pad` should do differently."""

    traits = traits_def(PadCanonicalization())

    @override
    def verify_(self) -> None:
        """The result has the sizes of source and padding, and the region an element."""
        source, result = ranked_type(self.source), ranked_type(self.result)
        shape = source.get_shape()
        low, high = self.static_low.get_values(), self.static_high.get_values()
        for name, static, dynamic in (
            ("low", low, self.low),
            ("high", high, self.high),
        ):
            if len(static) != len(shape):
                raise VerifyException(
                    f"expected {len(shape)} {name} pad sizes for {source}, got "
                    f"{len(static)}"
                )
            if static.count(DYNAMIC_INDEX) != len(dynamic):
                raise VerifyException(
                    f"expected {static.count(DYNAMIC_INDEX)} dynamic {name} pad sizes, "
                    f"got {len(dynamic)}"
                )
        inferred = TensorType(
            source.element_type,
            [
                DYNAMIC_INDEX if DYNAMIC_INDEX in sizes else sum(sizes)
                for sizes in zip(shape, low, high, strict=True)
            ],
        )
        if not _refines(result, inferred):
            raise VerifyException(
                f"specified type '{result}' does not match the inferred type "
                f"'{inferred}'"
            )
        _verify_element(self, self.region.block, len(shape), result)


def _refines(type_: TensorType, inferred: TensorType) -> bool:
    """Whether `type_` is `inferred`, with dynamic sizes perhaps known."""
    shape, known = type_.get_shape(), inferred.get_shape()
    return (
        type_.element_type == inferred.element_type
        and len(shape) == len(known)
        and all(b in (a, DYNAMIC_INDEX) for a, b in zip(shape, known, strict=True))
    )


OPERATIONS: tuple[type[Operation], ...] = (GenerateOp,)

DEFINITIONS: dict[type[IRDLOperation], type[IRDLOperation]] = {
    tensor.PadOp: PadOp,
    tensor.YieldOp: YieldOp,
}
