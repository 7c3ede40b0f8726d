"""Steps that a loop would make copies for: what they pad is added to a convolution.

    %p1 = tensor.pad %h1
    %c1 = convolution of %p1
    %h2 = %c1 + %h1
    %p2 = tensor.pad %h2
    ...

A loop would carry %h2 with its border, and compute %h3 inside of the same border. But
the sum is computed tile by tile with the convolution. So a tile is written before the
old one is read there. Such are the blocks of a ResNet whose windows are all 3x3.
"""

from xdsl.dialects import tensor
from xdsl.ir import Operation, SSAValue

from xdsl_bufferization.dialects.linalg.structure import structure_of

from ..rerolling.steps import Steps
from .pack_convolutions import WINDOW_ATTRIBUTE


def adds_what_it_pads(steps: Steps) -> bool:
    """Whether a step adds a tensor to a convolution, and puts a border around it."""
    return any(
        _is_padded_and_added(result) for op in steps.ops_of(1) for result in op.results
    )


def pads_what_it_is_given(steps: Steps) -> bool:
    """Whether a step puts a border around what the step before has made.

    A layer like these behind the loop does so, too, with a copy of the loop's result.
    """
    return any(
        isinstance(use.operation, tensor.PadOp)
        for made in steps.carried
        for use in steps.result(made, 0).uses
    )


def _is_padded_and_added(value: SSAValue) -> bool:
    users = {use.operation for use in value.uses}
    return any(isinstance(user, tensor.PadOp) for user in users) and any(
        _works_on_convolution(user, value) for user in users
    )


def _works_on_convolution(op: Operation, value: SSAValue) -> bool:
    """Whether an element-wise op, or one before it, reads what a convolution makes.

    What `value` was made of does not count.
    """
    seen: set[Operation] = set()
    pending = [op]
    while pending:
        each = pending.pop()
        if each in seen or not _is_elementwise(each):
            continue
        seen.add(each)
        for operand in each.operands:
            owner = operand.owner
            if operand is not value and isinstance(owner, Operation):
                if WINDOW_ATTRIBUTE in owner.attributes:
                    return True
                pending.append(owner)
    return False


def _is_elementwise(op: Operation) -> bool:
    structure = structure_of(op)
    return structure is not None and all(structure.parallel)
