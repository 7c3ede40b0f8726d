"""`tensor.pad`: a tensor with more elements around it, which a region computes.

xDSL 0.74 does not verify what the region of `tensor.pad` yields.

    %0 = tensor.pad %t low[1] high[2] {
    ^bb0(%i: index):
      tensor.yield %v : f32
    } : tensor<4xf32> to tensor<7xf32>

Source: https://mlir.llvm.org/docs/Dialects/TensorOps/#tensorpad-tensorpadop
"""

from typing_extensions import override
from xdsl.dialects import tensor
from xdsl.dialects.builtin import DYNAMIC_INDEX, TensorType
from xdsl.irdl import traits_def
from xdsl.utils.exceptions import VerifyException

from ..common.canonicalized import Canonicalized
from .constraints import ranked_type
from .regions import verify_element


class PadOp(tensor.PadOp):
    """What `tensor.pad` should do differently."""

    traits = traits_def(Canonicalized())

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
        verify_element(self, self.region.block, len(shape), result)


def _refines(type_: TensorType, inferred: TensorType) -> bool:
    """Whether `type_` is `inferred`, with dynamic sizes perhaps known."""
    shape, known = type_.get_shape(), inferred.get_shape()
    return (
        type_.element_type == inferred.element_type
        and len(shape) == len(known)
        and all(b in (a, DYNAMIC_INDEX) for a, b in zip(shape, known, strict=True))
    )
