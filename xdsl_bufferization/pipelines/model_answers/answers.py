"""What the models say of one op: the answers that runs are compared with.

tensor.insert   ->   operand 1 is read and written; result 0 is its buffer

The models are asked as One-Shot Analysis asks them. It knows which loops exchange
buffers, and adds the aliases that come of that.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from xdsl.dialects.func import CallOp
from xdsl.ir import Operation, OpResult, SSAValue

from xdsl_bufferization.bufferization.interfaces.boxes import Box, Linear
from xdsl_bufferization.bufferization.interfaces.bufferizable import (
    BufferizableOpInterface,
    get_model,
)
from xdsl_bufferization.bufferization.interfaces.operands import (
    OpOperand,
    is_tensor,
    tensor_operands,
    tensor_results,
)
from xdsl_bufferization.bufferization.interfaces.state import (
    AnalysisState,
    BufferRelation,
)
from xdsl_bufferization.bufferization.interfaces.subset import (
    WHOLE,
    SubsetExtractionOpInterface,
    SubsetInsertionOpInterface,
    SubsetOpInterface,
)


@dataclass(frozen=True)
class Alias:
    """An answer that a result may be in the buffer of an operand."""

    operand: int
    result: int
    is_equivalent: bool
    is_definite: bool


@dataclass(frozen=True)
class Part:
    """The part of a tensor that an op works on."""

    operand: int
    """The operand that has the part."""

    source: int | None
    """The operand that is put there, if it is a tensor."""

    box: Box | None
    is_whole: bool
    """Whether the part is all of the tensor, and overwritten."""

    is_overwritten: bool
    """Whether every element of the box is said to be written."""

    is_extraction: bool
    """Whether the result is the part."""


@dataclass(frozen=True)
class Answers:
    """The answers of the models of one op, by numbers of operands and results."""

    tensors: tuple[int, ...]
    """The operands that are tensors."""

    copied: frozenset[int]
    """Those of them that are not in place, as the op would spoil what it reads."""

    read: frozenset[int]
    written: frozenset[int]
    of_operands: tuple[Alias, ...]
    """What `get_aliasing_values` says."""

    of_results: tuple[Alias, ...]
    """What `get_aliasing_op_operands` says."""

    results: tuple[int, ...]
    """The results that are tensors."""

    origins: Mapping[int, frozenset[SSAValue]]
    """For each of them what its buffer may be that of, also inside of regions."""

    shared: tuple[frozenset[int], ...]
    """Groups of results that a callee may return in one buffer."""

    new: frozenset[int]
    """Results that are said to be new buffers."""

    defined: frozenset[int]
    """Results that are said to get new contents."""

    writable: frozenset[int]
    in_step: frozenset[tuple[int, int]]
    """Pairs of a read and a written operand that are said to be accessed in step."""

    may_move: bool
    """Whether a result may be elsewhere although it is said to be an operand."""

    part: Part | None


def ask(op: Operation, state: AnalysisState) -> Answers:
    """What the models of `op` answer; whatever a model raises is raised here."""
    model = get_model(op)
    assert model is not None
    operands, results = tensor_operands(op), tensor_results(op)
    summary = state.get_function_summary(op) if isinstance(op, CallOp) else None
    read, written = (
        frozenset(operand.number for operand in operands if question(operand, state))
        for question in (
            model.bufferizes_to_memory_read,
            model.bufferizes_to_memory_write,
        )
    )
    return Answers(
        tensors=tuple(operand.number for operand in operands),
        copied=frozenset(
            operand.number
            for operand in operands
            if op.regions and not state.is_in_place(operand)
        ),
        read=read,
        written=written,
        of_operands=_of_operands(op, operands, state),
        of_results=_of_results(op, results, state),
        results=tuple(result.index for result in results),
        origins={result.index: _origins(result, state) for result in results},
        shared=() if summary is None else summary.shared_results,
        new=_those(results, lambda r: model.bufferizes_to_allocation(r)),
        defined=_those(
            results, lambda r: model.result_bufferizes_to_memory_write(r, state)
        ),
        writable=_those(results, lambda r: model.is_writable(r, state)),
        in_step=frozenset(_in_step(op, operands, written, model, state)),
        may_move=model.may_copy_in_place(op, state),
        part=_part(op),
    )


def _those(
    results: Sequence[OpResult], question: Callable[[OpResult], bool]
) -> frozenset[int]:
    return frozenset(result.index for result in results if question(result))


def _of_operands(
    op: Operation,
    operands: Sequence[OpOperand],
    state: AnalysisState,
) -> tuple[Alias, ...]:
    return tuple(
        Alias(
            operand.number,
            alias.value.index,
            alias.relation is BufferRelation.EQUIVALENT,
            alias.is_definite,
        )
        for operand in operands
        for alias in state.get_aliasing_values(operand)
        if isinstance(alias.value, OpResult) and alias.value.op is op
    )


def _of_results(
    op: Operation,
    results: Sequence[OpResult],
    state: AnalysisState,
) -> tuple[Alias, ...]:
    return tuple(
        Alias(
            alias.operand.number,
            result.index,
            alias.relation is BufferRelation.EQUIVALENT,
            alias.is_definite,
        )
        for result in results
        for alias in state.get_aliasing_op_operands(result)
        if alias.operand.owner is op
    )


def _origins(result: OpResult, state: AnalysisState) -> frozenset[SSAValue]:
    """What the aliases of a result are aliases of, and so on."""
    found: set[SSAValue] = {result}
    todo: list[SSAValue] = [result]
    while todo:
        for alias in state.get_aliasing_op_operands(todo.pop()):
            value = alias.operand.value
            if value not in found:
                found.add(value)
                todo.append(value)
    return frozenset(found)


def _in_step(
    op: Operation,
    operands: Sequence[OpOperand],
    written: frozenset[int],
    model: BufferizableOpInterface,
    state: AnalysisState,
) -> Iterator[tuple[int, int]]:
    for read in operands:
        for write in operands:
            if (
                read.number not in written
                and write.number in written
                and read.value.type == write.value.type
                and model.bufferizes_to_elementwise_access(op, [read, write], state)
            ):
                yield read.number, write.number


def _part(op: Operation) -> Part | None:
    subset = op.get_trait(SubsetOpInterface)
    if subset is None:
        return None
    container = subset.get_container(op)
    if not is_tensor(container.value):
        return None
    source = None
    if isinstance(subset, SubsetInsertionOpInterface):
        operand = subset.get_source(op)
        source = operand.number if is_tensor(operand.value) else None
    return Part(
        container.number,
        source,
        subset.get_box(op),
        subset.get_subset(op) == WHOLE and source is not None,
        subset.overwrites_box(op),
        isinstance(subset, SubsetExtractionOpInterface),
    )


def mask_of(
    box: Box, shape: Sequence[int], number_of: Callable[[SSAValue], int | None]
) -> NDArray[np.bool_] | None:
    """Which elements of a tensor are in a box; None if the box is not known.

    `number_of` tells the values that the offsets are made of.
    """
    rows: list[NDArray[np.intp]] = []
    for offset, size, stride in zip(box.offsets, box.sizes, box.strides, strict=True):
        start = _number(offset, number_of)
        if start is None or size is None or stride is None:
            return None
        rows.append(start + stride * np.arange(size))
    mask = np.zeros(shape, np.bool_)
    # A vector may be partly outside of its tensor.
    mask[
        np.ix_(
            *(
                row[(row >= 0) & (row < size)]
                for row, size in zip(rows, shape, strict=True)
            )
        )
    ] = True
    return mask


def _number(linear: Linear, number_of: Callable[[SSAValue], int | None]) -> int | None:
    total = linear.constant
    for value, factor in linear.terms:
        number = number_of(value)
        if number is None:
            return None
        total += factor * number
    return total
