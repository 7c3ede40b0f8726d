"""`tm_tensor.attention`: scaled dot-product attention.

%r = tm_tensor.attention
    ins(%q, %k, %v, %m : tensor<2x5x8xf32>, tensor<2x7x8xf32>, tensor<2x7x4xf32>,
        tensor<2x5x7xf32>) outs(%o : tensor<2x5x4xf32>) -> tensor<2x5x4xf32>

A softmax keeps no numbers of another row: the rows of the query are independent.
"""

from collections.abc import Sequence
from math import sqrt
from typing import Any, ClassVar, cast

from typing_extensions import override
from xdsl.dialects.builtin import AnyFloat, Float64Type, FloatAttr, f64, i1
from xdsl.ir import SSAValue
from xdsl.irdl import irdl_op_definition, opt_prop_def, traits_def
from xdsl.utils.exceptions import VerifyException

from ..linalg.structure import element_type_of, shape_of
from .common import TMTensorEffects, TMTensorOp, verify_same_elements, verify_shape


@irdl_op_definition
class AttentionOp(TMTensorOp):
    """Compute `softmax(query @ transpose(key) * scale + mask) @ value`.

    The shapes, with any number of dimensions B for batches:

    - BxMxK1 for the query, of M rows,
    - BxK2xK1 for the key, BxK2xN for the value,
    - BxMxK2 for the mask, BxMxN for the output.

    Without `scale`, the scale is one over the square root of K1. A mask of `i1` says
    which rows of the key count. Where no row counts, the output is zero.
    """

    name = "tm_tensor.attention"

    scale = opt_prop_def(FloatAttr[Float64Type])

    traits = traits_def(TMTensorEffects())

    INPUT_COUNTS: ClassVar[range] = range(3, 5)
    OUTPUT_COUNTS: ClassVar[range] = range(1, 2)

    def __init__(
        self, inputs: Sequence[SSAValue], output: SSAValue, scale: float | None = None
    ):
        super().__init__(
            inputs,
            [output],
            {} if scale is None else {"scale": FloatAttr(scale, f64)},
        )

    @property
    def query(self) -> SSAValue:
        """The rows that are compared with those of the key."""
        return self.inputs[0]

    @property
    def key(self) -> SSAValue:
        """The rows that the query's are compared with."""
        return self.inputs[1]

    @property
    def value(self) -> SSAValue:
        """The rows whose weighted sums are the results."""
        return self.inputs[2]

    @property
    def mask(self) -> SSAValue | None:
        """What is added before the softmax, or which rows of the key count."""
        return self.inputs[3] if len(self.inputs) > 3 else None

    @property
    def output(self) -> SSAValue:
        """Where the result is written."""
        return self.outputs[0]

    @property
    def known_scale(self) -> float | None:
        """What products are multiplied by; None: depends on a dynamic size."""
        if self.scale is not None:
            return cast("FloatAttr[Any]", self.scale).value.data
        depth = shape_of(self.query.type)[-1]
        return 1 / sqrt(depth) if depth > 0 else None

    @override
    def reads_output(self, number: int) -> bool:
        return False

    @override
    def verify_(self) -> None:
        """The shapes fit those of the query, the key and the value."""
        self.verify_operands()
        element = element_type_of(self.query.type)
        if not isinstance(element, AnyFloat):
            raise VerifyException(
                f"expected floating-point elements, but got {element}"
            )
        verify_same_elements(
            ("the query", self.query),
            ("the key", self.key),
            ("the value", self.value),
            ("the output", self.output),
        )
        query, value = shape_of(self.query.type), shape_of(self.value.type)
        key = shape_of(self.key.type)
        if len(query) < 2:
            raise VerifyException("expected the query to have at least rank 2")
        if len(key) != len(query) or len(value) != len(query):
            raise VerifyException(
                "expected the query, the key and the value to have one rank, but got "
                f"{len(query)}, {len(key)} and {len(value)}"
            )
        batches, rows = query[:-2], query[-2]
        verify_shape("the key", self.key, [*batches, key[-2], query[-1]])
        verify_shape("the value", self.value, [*batches, key[-2], value[-1]])
        verify_shape("the output", self.output, [*batches, rows, value[-1]])
        self._verify_mask([*batches, rows, key[-2]])

    def _verify_mask(self, shape: Sequence[int]) -> None:
        if self.mask is None:
            return
        verify_shape("the mask", self.mask, shape)
        element = element_type_of(self.mask.type)
        if element != i1 and element != element_type_of(self.query.type):
            raise VerifyException(
                "expected the mask to have elements of i1 or of the query's type, but "
                f"got {element}"
            )
