"""`tm_tensor.scatter`: write updates to places that a tensor of indices names.

%r = tm_tensor.scatter {dimension_map = array<i64: 0>} unique_indices(false)
    ins(%u, %i : tensor<3xf32>, tensor<3x1xi64>) outs(%x : tensor<8xf32>) {
^bb0(%update: f32, %old: f32):
  %sum = arith.addf %update, %old : f32
  tm_tensor.yield %sum : f32
} -> tensor<8xf32>

torch-mlir writes such ops for `index_put`, `scatter` and `bincount`, for example.
"""

from collections.abc import Sequence
from typing import Any, ClassVar, cast

from typing_extensions import override
from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    BoolAttr,
    DenseArrayBase,
    IntegerAttr,
    IntegerType,
    i64,
)
from xdsl.ir import Region, SSAValue
from xdsl.irdl import irdl_op_definition, prop_def, traits_def
from xdsl.traits import RecursiveMemoryEffect
from xdsl.utils.exceptions import VerifyException

from ..linalg.structure import element_type_of, rank_of, shape_of
from .common import PayloadOp, TMTensorEffects, Word, flag, verify_same_elements


@irdl_op_definition
class ScatterOp(PayloadOp):
    """Combine updates with the elements that a tensor of indices names.

    The first dimension of the updates and of the indices counts the updates. Row `u`
    of the indices is where update `u` begins; its number `i` is an offset in dimension
    `dimension_map[i]` of the output. The other dimensions of the updates are the last
    ones of the output.

    The region gets an element of the updates, and the element of the output. Updates
    are applied in order, unless `unique_indices` promises that no place is written by
    two of them.
    """

    name = "tm_tensor.scatter"

    dimension_map = prop_def(DenseArrayBase.constr(i64))
    unique_indices = prop_def(BoolAttr, default_value=BoolAttr.from_bool(True))

    WORDS: ClassVar[tuple[Word, ...]] = (flag("unique_indices"),)

    traits = traits_def(TMTensorEffects(), RecursiveMemoryEffect())

    INPUT_COUNTS: ClassVar[range] = range(2, 3)
    OUTPUT_COUNTS: ClassVar[range] = range(1, 2)

    def __init__(
        self,
        updates: SSAValue,
        indices: SSAValue,
        original: SSAValue,
        dimension_map: Sequence[int],
        unique_indices: bool,
        body: Region,
    ):
        super().__init__(
            [updates, indices],
            [original],
            {
                "dimension_map": DenseArrayBase.from_list(i64, dimension_map),
                "unique_indices": BoolAttr.from_bool(unique_indices),
            },
            body,
        )

    @property
    def updates(self) -> SSAValue:
        """What is written."""
        return self.inputs[0]

    @property
    def indices(self) -> SSAValue:
        """Where each update begins."""
        return self.inputs[1]

    @property
    def original(self) -> SSAValue:
        """Where the updates are written to."""
        return self.outputs[0]

    @property
    def indexed(self) -> tuple[int, ...]:
        """By number in a row of the indices, the dimension of the output."""
        return self.dimension_map.get_values()

    @property
    def is_unique(self) -> bool:
        """Whether no place is written by two updates."""
        return bool(cast("IntegerAttr[Any]", self.unique_indices).value.data)

    @property
    def first_window_dimension(self) -> int:
        """The dimension of the output that the updates' dimension 1 runs along."""
        return rank_of(self.original.type) - rank_of(self.updates.type) + 1

    @override
    def reads_output(self, number: int) -> bool:
        return True

    @override
    def verify_(self) -> None:
        """Updates fit into the output, and every dimension has an offset."""
        self.verify_operands()
        self._verify_indices()
        self._verify_updates()
        verify_same_elements(
            ("the updates", self.updates), ("the output", self.original)
        )
        element = element_type_of(self.original.type)
        self.verify_body([element, element], element)

    def _verify_indices(self) -> None:
        shape = shape_of(self.indices.type)
        element = element_type_of(self.indices.type)
        if len(shape) != 2 or not isinstance(element, IntegerType):
            raise VerifyException(
                "expected indices to be of rank 2 of integer element type"
            )
        if shape[1] == DYNAMIC_INDEX:
            raise VerifyException("expected index depth is static")
        rank = rank_of(self.original.type)
        dimensions = self.indexed
        if len(dimensions) != shape[1]:
            raise VerifyException(
                "expected dimension_map to have a number for each column of the "
                f"indices, of which there are {shape[1]}, but got {len(dimensions)}"
            )
        if len({*dimensions}) != len(dimensions) or any(
            not 0 <= dimension < rank for dimension in dimensions
        ):
            raise VerifyException(
                "expected dimension_map to name each dimension once at most, each at "
                f"least 0 and less than the rank of the output, which is {rank}"
            )

    def _verify_updates(self) -> None:
        updates, original = shape_of(self.updates.type), shape_of(self.original.type)
        if not updates:
            raise VerifyException("expected update value to be at least rank 1")
        if updates[0] != shape_of(self.indices.type)[0]:
            raise VerifyException(
                "mismatch in shape of indices and update value at dim#0"
            )
        first = self.first_window_dimension
        if first < 0:
            raise VerifyException(
                "update value rank exceeds the rank of the original value"
            )
        missing = {*range(first)} - {*self.indexed}
        if missing:
            raise VerifyException(
                "index depth and update value does not cover rank of original value: "
                f"dimension_map lacks dimension {min(missing)}"
            )
        for number, size in enumerate(updates[1:], 1):
            available = original[first + number - 1]
            if available != DYNAMIC_INDEX and size > available:
                raise VerifyException(
                    f"shape of update value dim#{number} exceeds original value at "
                    f"dim#{first + number - 1}"
                )
