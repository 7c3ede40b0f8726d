"""What all structured ops of linalg have in common, and its verification.

A structured op is a perfect loop nest. It has inputs, outputs, one indexing map per
operand and a kind per loop. Its body takes one element per operand and gives one per
output.

    structure_of(op)   ->   Structure(inputs, outputs, maps, iterators, body)

Source: https://mlir.llvm.org/docs/Dialects/Linalg/#high-level-description-of-linalg-ops
"""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from functools import cache
from typing import Final, cast

from xdsl.dialects.builtin import (
    AffineMapAttr,
    ArrayAttr,
    MemRefType,
    ShapedType,
    TensorType,
    UnrankedMemRefType,
    UnrankedTensorType,
    VectorType,
)
from xdsl.dialects.linalg.abstract_ops import LinalgStructuredOperation
from xdsl.dialects.linalg.attrs import IteratorType, IteratorTypeAttr
from xdsl.dialects.linalg.ops import (
    BroadcastOp,
    FillOp,
    GenericOp,
    ReduceOp,
    YieldOp,
)
from xdsl.ir import Attribute, Operation, Region, SSAValue
from xdsl.ir.affine import (
    AffineConstantExpr,
    AffineDimExpr,
    AffineExpr,
    AffineMap,
)
from xdsl.irdl import AttrSizedOperandSegments, IRDLOperation
from xdsl.utils.exceptions import VerifyException
from xdsl.utils.hints import isa

from xdsl_bufferization.support.classes import of_classes

from ..common.arrays import operand_lists
from ..common.definitions import defined
from ..common.signatures import Signatures


@dataclass(frozen=True)
class Structure:
    """An op in the terms of its loops."""

    inputs: Sequence[SSAValue]
    outputs: Sequence[SSAValue]
    maps: Sequence[AffineMap]
    """One per input and output: from loop indices to element indices."""

    iterator_types: Sequence[IteratorTypeAttr]
    """One per loop, from the outermost to the innermost."""

    body: Region
    """Takes one element per input and output, yields one per output."""

    @property
    def parallel(self) -> Sequence[bool]:
        """Per loop: whether its iterations are independent."""
        return [kind.data is IteratorType.PARALLEL for kind in self.iterator_types]


class HasStructure(IRDLOperation, ABC):
    """A structured op that is no `LinalgStructuredOperation` of xDSL."""

    @abstractmethod
    def structure(self) -> Structure:
        """The op in the terms of its loops."""


def structure_of(op: Operation) -> Structure | None:
    """The loops of a linalg op; None if it is no structured op."""
    # Passes ask this of all ops, most of which are of these two kinds.
    if type(op) is GenericOp:
        return _of_generic(op)
    if not _is_structured(type(op)):
        return None
    match op:
        case HasStructure():
            return op.structure()
        case LinalgStructuredOperation():
            maps = indexing_maps_of(op)
            iterators = iterator_types_of(op)
            inputs, outputs = inputs_and_outputs(op)
            return Structure(inputs, outputs, maps, iterators, op.body)
        case BroadcastOp():
            return _broadcast(op)
        case ReduceOp():
            return _reduce(op)
        case _:
            return None


def known_structure(op: Operation) -> Structure:
    """The loops of what is known to be a structured op."""
    structure = structure_of(op)
    assert structure is not None, "it is a structured op"
    return structure


def _of_generic(op: GenericOp) -> Structure:
    """The loops of a generic op; each field is found by a search of its own in xDSL."""
    properties = op.properties
    maps = cast(ArrayAttr[AffineMapAttr], properties["indexing_maps"]).data
    iterators = cast(ArrayAttr[IteratorTypeAttr], properties["iterator_types"]).data
    inputs, outputs = inputs_and_outputs(op)
    return Structure(
        inputs,
        outputs,
        [attribute.data for attribute in maps],
        iterators,
        op.regions[0],
    )


def inputs_and_outputs(
    op: LinalgStructuredOperation,
) -> tuple[Sequence[SSAValue], Sequence[SSAValue]]:
    """The operands of a structured op that has two lists of them."""
    if AttrSizedOperandSegments.attribute_name not in op.properties:
        return op.inputs, op.outputs
    inputs, outputs = operand_lists(op)
    return inputs, outputs


@cache
def _is_structured(op_type: type[Operation]) -> bool:
    return issubclass(
        op_type, (HasStructure, LinalgStructuredOperation, BroadcastOp, ReduceOp)
    )


def indexing_maps_of(op: LinalgStructuredOperation) -> Sequence[AffineMap]:
    """One map per input and output: from loop indices to element indices."""
    return [attribute.data for attribute in _defined(op).get_indexing_maps()]


def iterator_types_of(op: LinalgStructuredOperation) -> Sequence[IteratorTypeAttr]:
    """One per loop, from the outermost to the innermost."""
    return _defined(op).get_iterator_types().data


def _defined(op: LinalgStructuredOperation) -> LinalgStructuredOperation:
    """The op as MLIR defines it: xDSL's methods do not know all of its attributes."""
    return cast(LinalgStructuredOperation, defined(op))


def outputs_of(op: Operation) -> Sequence[SSAValue] | None:
    """The outputs of a linalg op, also of one that does not verify."""
    match op:
        case LinalgStructuredOperation():
            return inputs_and_outputs(op)[1]
        case ReduceOp():
            return op.operands[len(op.operands) // 2 :]
        case HasStructure() | BroadcastOp():
            return op.operands[-1:]
        case _:
            return None


def _broadcast(op: BroadcastOp) -> Structure:
    rank = rank_of(op.init.type)
    maps = [projection(rank, op.dimensions.get_values()), AffineMap.identity(rank)]
    iterators = [IteratorTypeAttr.parallel()] * rank
    return Structure([op.input], [op.init], maps, iterators, op.hidden_region)


def _reduce(op: ReduceOp) -> Structure:
    half = len(op.operands) // 2
    rank = rank_of(op.operands[0].type)
    reduced = op.dimensions.get_values()
    maps = [AffineMap.identity(rank)] * half + [projection(rank, reduced)] * half
    iterators = [
        IteratorTypeAttr.reduction() if loop in reduced else IteratorTypeAttr.parallel()
        for loop in range(rank)
    ]
    inputs, outputs = op.operands[:half], op.operands[half:]
    return Structure(inputs, outputs, maps, iterators, op.region)


def projection(rank: int, dropped: Sequence[int]) -> AffineMap:
    """The map that leaves out the loops `dropped`."""
    kept = (AffineDimExpr(d) for d in range(rank) if d not in dropped)
    return AffineMap(rank, 0, tuple(kept))


def overwrites(structure: Structure, number: int) -> bool:
    """Whether the loops write every element of operand `number`, an output.

    If not, the result has elements of the init, whether the body reads it or not. There
    are two such outputs: the diagonal of a matrix, (i) -> (i, i), and a sum of rows
    that have no element. If unsure: False.
    """
    operands = (*structure.inputs, *structure.outputs)
    output = structure.maps[number]
    return _is_each_once(output, shape_of(operands[number].type)) and _have_iterations(
        structure, operands, {*output.unused_dims()}
    )


def _is_each_once(output: AffineMap, shape: Sequence[int]) -> bool:
    """Whether there is an index of a loop, or the only one, in each dimension."""
    loops: set[AffineExpr] = set()
    for size, index in zip(shape, output.results, strict=True):
        is_loop = isinstance(index, AffineDimExpr) and index not in loops
        if not (is_loop or (size == 1 and index == AffineConstantExpr(0))):
            return False
        loops.add(index)
    return True


def _have_iterations(
    structure: Structure, operands: Sequence[SSAValue], loops: AbstractSet[int]
) -> bool:
    """Whether each of the loops is known to run at least once."""
    if not loops:
        return True
    return loops <= {
        index.position
        for value, map_ in zip(operands, structure.maps, strict=True)
        for size, index in zip(shape_of(value.type), map_.results, strict=True)
        if size > 0 and isinstance(index, AffineDimExpr)
    }


# Types.


def rank_of(type_: Attribute) -> int:
    """The number of dimensions; of a scalar, none. A vector is one, as an element."""
    if _is_vector(type_) or not _is_shaped(type_):
        return 0
    return cast(ShapedType, type_).get_num_dims()


_is_vector = of_classes(VectorType)
_is_shaped = of_classes(ShapedType)


def element_type_of(type_: Attribute) -> Attribute:
    """The type of the elements; of a scalar, its own."""
    # Asked so often that `isa`, which is slow for unions, would be felt.
    if isinstance(type_, TensorType):
        return cast(TensorType, type_).element_type
    if isinstance(type_, MemRefType):
        return cast(MemRefType, type_).element_type
    return type_


def result_types_for(outputs: Sequence[SSAValue]) -> Sequence[Attribute]:
    """The types of the results of an op with these outputs: those of the tensors."""
    return [output.type for output in outputs if isa(output.type, TensorType)]


def shape_of(type_: Attribute) -> tuple[int, ...]:
    """The sizes; of a scalar, none. A vector is one, as an element."""
    if _is_vector(type_) or not _is_shaped(type_):
        return ()
    return tuple(cast(ShapedType, type_).get_shape())


# Verification.


_sound: Final = Signatures()


def verify_structured(op: LinalgStructuredOperation) -> None:
    """Check what MLIR checks of every structured op."""
    _sound.check(op, _verify_loops)
    verify_body(op.body)


def _verify_loops(op: LinalgStructuredOperation) -> None:
    """Check shapes, maps and the arguments of the body."""
    verify_shaped(op.operands)
    # xDSL counts the dimensions of a vector that fills a tensor of vectors.
    if not (isinstance(op, FillOp) and isinstance(op.inputs[0].type, VectorType)):
        LinalgStructuredOperation.verify_(op)
    verify_destinations(op.outputs, op.res)


def verify_shaped(values: Sequence[SSAValue]) -> None:
    """Every value is a tensor or a buffer of a known rank."""
    for value in values:
        if isa(value.type, UnrankedTensorType | UnrankedMemRefType):
            raise VerifyException(
                f"operand must be a ranked tensor or memref, but got {value.type}"
            )


def verify_pure_semantics(values: Sequence[SSAValue]) -> None:
    """The values are all tensors, or all buffers; scalars fit both."""
    types = [value.type for value in values]
    if any(isinstance(t, TensorType) for t in types) and any(
        isinstance(t, MemRefType) for t in types
    ):
        raise VerifyException("expected to have pure tensor or buffer semantics")


def verify_destinations(inits: Sequence[SSAValue], results: Sequence[SSAValue]) -> None:
    """There is one result for each init that is a tensor, of its type."""
    tensors = [init for init in inits if isinstance(init.type, TensorType)]
    if len(tensors) != len(results):
        raise VerifyException(
            f"expected the number of tensor results ({len(results)}) to be equal to "
            f"the number of output tensors ({len(tensors)})"
        )
    for index, (init, result) in enumerate(zip(tensors, results, strict=True)):
        if init.type != result.type:
            raise VerifyException(
                f"expected type of output operand #{index} ({init.type}) to match type "
                f"of corresponding result ({result.type})"
            )


def verify_body(body: Region) -> None:
    """The body ends with a `linalg.yield`, which checks what it yields itself."""
    if not isinstance(body.block.last_op, YieldOp):
        raise VerifyException("expected the body to end with a 'linalg.yield'")
