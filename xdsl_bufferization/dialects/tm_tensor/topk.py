"""`tm_tensor.topk`: the best elements along one dimension, and where they are.

%v, %i = tm_tensor.topk dimension(0) ins(%x : tensor<9xf32>)
    outs(%worst, %none : tensor<3xf32>, tensor<3xi32>) {
^bb0(%new: f32, %kept: f32):
  %gt = arith.cmpf ogt, %new, %kept : f32
  tm_tensor.yield %gt : i1
} -> tensor<3xf32>, tensor<3xi32>

torch-mlir has a pattern for it, but lowers `topk` by way of `tm_tensor.sort`.
"""

from collections.abc import Sequence
from typing import ClassVar

from typing_extensions import override
from xdsl.dialects.builtin import IntegerAttr, i1, i32, i64
from xdsl.ir import Region, SSAValue
from xdsl.irdl import irdl_op_definition, traits_def
from xdsl.traits import RecursiveMemoryEffect
from xdsl.utils.exceptions import VerifyException

from ..linalg.structure import element_type_of, shape_of
from .common import (
    AlongDimensionOp,
    TMTensorEffects,
    verify_same_elements,
    verify_shape,
)


@irdl_op_definition
class TopkOp(AlongDimensionOp):
    """Keep the best elements, along one dimension.

    The outputs start with what is kept if there is nothing better, usually the worst
    number of all. The region gets an element and one that is kept, and says whether
    the first is better. Of equal elements the one with the smaller index is better.
    Without a tensor of indices, an element's index is its place.
    """

    name = "tm_tensor.topk"

    traits = traits_def(TMTensorEffects(), RecursiveMemoryEffect())

    INPUT_COUNTS: ClassVar[range] = range(1, 3)
    OUTPUT_COUNTS: ClassVar[range] = range(2, 3)

    def __init__(
        self,
        inputs: Sequence[SSAValue],
        outputs: Sequence[SSAValue],
        dimension: int,
        body: Region,
    ):
        super().__init__(
            inputs,
            outputs,
            {"dimension": IntegerAttr(dimension, i64)},
            body,
        )

    @property
    def values(self) -> SSAValue:
        """The elements."""
        return self.inputs[0]

    @property
    def indices(self) -> SSAValue | None:
        """The elements' indices; None: their places."""
        return self.inputs[1] if len(self.inputs) > 1 else None

    @property
    def output_values(self) -> SSAValue:
        """The best elements, the best first."""
        return self.outputs[0]

    @property
    def output_indices(self) -> SSAValue:
        """The indices of the best elements."""
        return self.outputs[1]

    @override
    def reads_output(self, number: int) -> bool:
        return True

    @override
    def verify_(self) -> None:
        """Outputs are as large as inputs, apart from the dimension."""
        self.verify_operands()
        self.verify_dimension(self.values)
        verify_same_elements(
            ("the input", self.values), ("the output", self.output_values)
        )
        shape = shape_of(self.values.type)
        kept = shape_of(self.output_values.type)
        if len(kept) == len(shape):
            shape = (*shape[: self.along], kept[self.along], *shape[self.along + 1 :])
        verify_shape("the output", self.output_values, shape)
        self._verify_indices()
        element = element_type_of(self.values.type)
        self.verify_body([element, element], i1)

    def _verify_indices(self) -> None:
        kept = shape_of(self.output_values.type)
        verify_shape("the output of indices", self.output_indices, kept)
        if self.indices is not None:
            shape = shape_of(self.values.type)
            verify_shape("the input of indices", self.indices, shape)
        for value in (self.indices, self.output_indices):
            if value is not None and element_type_of(value.type) != i32:
                raise VerifyException(
                    f"expected indices to be i32, but got {element_type_of(value.type)}"
                )
