"""`tm_tensor.scan`: cumulative sums, and what is like them.

%out, %last = tm_tensor.scan dimension(0) inclusive(true)
    ins(%x : tensor<4xf32>) outs(%o, %a : tensor<4xf32>, tensor<f32>) {
^bb0(%previous: f32, %element: f32):
  %sum = arith.addf %previous, %element : f32
  tm_tensor.yield %sum : f32
} -> tensor<4xf32>, tensor<f32>

torch-mlir writes such ops for `cumsum`, `cumprod`, `cummax` and `cummin`.
"""

from collections.abc import Sequence
from typing import Any, ClassVar, cast

from typing_extensions import override
from xdsl.dialects.builtin import DYNAMIC_INDEX, BoolAttr, IntegerAttr, i64
from xdsl.ir import Region, SSAValue
from xdsl.irdl import irdl_op_definition, prop_def, traits_def
from xdsl.traits import RecursiveMemoryEffect

from ..linalg.structure import element_type_of, shape_of
from .common import (
    DIMENSION,
    AlongDimensionOp,
    TMTensorEffects,
    Word,
    flag,
    verify_same_elements,
    verify_shape,
)


@irdl_op_definition
class ScanOp(AlongDimensionOp):
    """Combine each element with all before it, along one dimension.

    The region gets the previous output and an element of the input.

    - Inclusive: the first output is the first element.
    - Exclusive: the first output is what the accumulator holds. The last element is not
      used.

    The accumulator becomes the last output, unless the dimension has fewer than two
    elements.
    """

    name = "tm_tensor.scan"

    inclusive = prop_def(BoolAttr)

    WORDS: ClassVar[tuple[Word, ...]] = (DIMENSION, flag("inclusive"))
    HAS_WORDS_FIRST: ClassVar[bool] = True

    traits = traits_def(TMTensorEffects(), RecursiveMemoryEffect())

    INPUT_COUNTS: ClassVar[range] = range(1, 2)
    OUTPUT_COUNTS: ClassVar[range] = range(2, 3)

    def __init__(
        self,
        input: SSAValue,
        outputs: Sequence[SSAValue],
        dimension: int,
        inclusive: bool,
        body: Region,
    ):
        super().__init__(
            [input],
            outputs,
            {
                "dimension": IntegerAttr(dimension, i64),
                "inclusive": BoolAttr.from_bool(inclusive),
            },
            body,
        )

    @property
    def input(self) -> SSAValue:
        """What is combined."""
        return self.inputs[0]

    @property
    def output(self) -> SSAValue:
        """Where every combination is written."""
        return self.outputs[0]

    @property
    def accumulator(self) -> SSAValue:
        """Where an exclusive scan starts, and where the last combination is written."""
        return self.outputs[1]

    @property
    def is_inclusive(self) -> bool:
        """Whether an output includes the element at its own place."""
        return bool(cast("IntegerAttr[Any]", self.inclusive).value.data)

    @override
    def reads_output(self, number: int) -> bool:
        if number == 0:
            return False
        size = shape_of(self.input.type)[self.along]
        # Of a short dimension the accumulator stays what it is.
        return not self.is_inclusive or size == DYNAMIC_INDEX or size < 2

    @override
    def verify_(self) -> None:
        """The output is like the input; the accumulator lacks the dimension."""
        self.verify_operands()
        self.verify_dimension(self.input)
        verify_same_elements(
            ("the input", self.input),
            ("the output", self.output),
            ("the accumulator", self.accumulator),
        )
        shape = shape_of(self.input.type)
        verify_shape("the output", self.output, shape)
        rest = [*shape[: self.along], *shape[self.along + 1 :]]
        verify_shape("the accumulator", self.accumulator, rest)
        element = element_type_of(self.input.type)
        self.verify_body([element, element], element)
