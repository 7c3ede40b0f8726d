"""convert-linalg-to-inplace: write the result of an op over one of its inputs.

    %2 = linalg.add ins(%x, %bias) outs(%empty)

    %2 = linalg.generic ins(%bias) outs(%x) { x + bias }

For ops that work element by element, and inputs that a linalg op computes for them
alone. So the layers of a model stay in one buffer, and tiles need one destination.
"""

from xdsl.dialects.builtin import AffineMapAttr, ModuleOp
from xdsl.dialects.linalg.ops import GenericOp
from xdsl.ir import Operation, SSAValue
from xdsl.rewriter import Rewriter

from xdsl_bufferization.bufferization.mlir_pass import TensorPass
from xdsl_bufferization.dialects.linalg.structure import (
    Structure,
    outputs_of,
    overwrites,
    structure_of,
)
from xdsl_bufferization.support.traversal import ops_inside

from ..common.relayout import erase_dead


def convert_to_inplace(module: ModuleOp) -> None:
    """Let ops of `module` write over their inputs, where nothing else needs these."""
    ops = ops_inside(module)
    order = {op: number for number, op in enumerate(ops)}
    for op in ops:
        structure = structure_of(op)
        if structure is None or len(op.results) != 1 or not all(structure.parallel):
            continue
        number = _find_input(op, structure, order)
        if number is not None:
            order[_convert(op, structure, number)] = order[op]


def write_over(op: Operation, value: SSAValue) -> None:
    """Let `op` write its result over `value`, if it reads no other element of it.

    The caller knows that nothing reads `value` afterwards.
    """
    structure = structure_of(op)
    if structure is None or len(op.results) != 1 or not all(structure.parallel):
        return
    if value in structure.inputs:
        number = list(structure.inputs).index(value)
        if _may_be_output(structure, number):
            _convert(op, structure, number)


def _find_input(
    op: Operation, structure: Structure, order: dict[Operation, int]
) -> int | None:
    """The number of an input that can be the output as well.

    Of several it is the one that is computed last: `op` may then be computed with it.
    """
    found: dict[int, int] = {}
    for number, value in enumerate(structure.inputs):
        if _is_computed_for(value, op) and _may_be_output(structure, number):
            assert isinstance(value.owner, Operation)
            found.setdefault(order[value.owner], number)
    return found[max(found)] if found else None


def _may_be_output(structure: Structure, number: int) -> bool:
    """Whether an op reads of an input just the element that it computes.

    And whether it computes all elements, and needs none of its output.
    """
    value, output = structure.inputs[number], structure.maps[-1]
    return (
        structure.body.block.args[-1].first_use is None
        and value.type == structure.outputs[0].type
        and not output.unused_dims()
        and overwrites(structure, len(structure.inputs))
        and all(
            map_ == output
            for other, map_ in zip(structure.inputs, structure.maps, strict=False)
            if other is value
        )
    )


def _is_computed_for(value: SSAValue, op: Operation) -> bool:
    """Whether a linalg op computes `value`, and only `op` uses it."""
    owner = value.owner
    return (
        isinstance(owner, Operation)
        and outputs_of(owner) is not None
        and bool(owner.results)
        and all(use.operation is op for use in value.uses)
    )


def _convert(op: Operation, structure: Structure, number: int) -> Operation:
    value = structure.inputs[number]
    body = structure.body.clone()
    # `value` may be an input more than once.
    same = [i for i, other in enumerate(structure.inputs) if other is value]
    kept = [i for i in range(len(structure.inputs)) if i not in same]
    block = body.block
    for i in same:
        block.args[i].replace_all_uses_with(block.args[-1])
    for i in reversed(same):
        block.erase_arg(block.args[i])
    maps = [structure.maps[i] for i in (*kept, len(structure.inputs))]
    new_op = GenericOp(
        [structure.inputs[i] for i in kept],
        [value],
        body,
        [AffineMapAttr(map_) for map_ in maps],
        structure.iterator_types,
        op.result_types,
    )
    new_op.location = op.location
    output = structure.outputs[0].owner
    Rewriter.replace_op(op, new_op)
    if isinstance(output, Operation):
        erase_dead([output])
    return new_op


class ConvertLinalgToInplacePass(TensorPass):
    """Let ops that work element by element write over an input."""

    name = "convert-linalg-to-inplace"
    rewrite = staticmethod(convert_to_inplace)
