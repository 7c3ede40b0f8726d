"""`tm_tensor.sort`: sort tensors together along one dimension.

%v, %i = tm_tensor.sort dimension(0)
    outs(%x, %n : tensor<4xf32>, tensor<4xi64>) {
^bb0(%v0: f32, %v1: f32, %i0: i64, %i1: i64):
  %le = arith.cmpf ole, %v0, %v1 : f32
  tm_tensor.yield %le : i1
} -> tensor<4xf32>, tensor<4xi64>

torch-mlir writes such ops for `sort`, `argsort`, `topk` and `kthvalue`.
"""

import sys
from collections.abc import Sequence
from typing import ClassVar

from typing_extensions import override
from xdsl.dialects.builtin import IntegerAttr, i1, i64
from xdsl.ir import Region, SSAValue
from xdsl.irdl import irdl_op_definition, traits_def
from xdsl.traits import RecursiveMemoryEffect

from ..linalg.structure import element_type_of, shape_of
from .common import AlongDimensionOp, TMTensorEffects, verify_shape


@irdl_op_definition
class SortOp(AlongDimensionOp):
    """Sort tensors together, along one dimension.

    The region gets two elements of each tensor, and says whether the first may stay in
    front of the second. Equal elements keep their order.
    """

    name = "tm_tensor.sort"

    traits = traits_def(TMTensorEffects(), RecursiveMemoryEffect())

    INPUT_COUNTS: ClassVar[range] = range(1)
    OUTPUT_COUNTS: ClassVar[range] = range(1, sys.maxsize)

    def __init__(self, outputs: Sequence[SSAValue], dimension: int, body: Region):
        super().__init__(
            [],
            outputs,
            {"dimension": IntegerAttr(dimension, i64)},
            body,
        )

    @override
    def reads_output(self, number: int) -> bool:
        return True

    @override
    def verify_(self) -> None:
        """The tensors have one shape, and the region compares their elements."""
        self.verify_operands()
        self.verify_dimension(self.outputs[0])
        shape = shape_of(self.outputs[0].type)
        for number, output in enumerate(self.outputs[1:], 1):
            verify_shape(f"`outs` operand {number}", output, shape)
        elements = [element_type_of(output.type) for output in self.outputs]
        self.verify_body([each for each in elements for _ in range(2)], i1)
