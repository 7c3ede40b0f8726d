"""Whether an empty tensor has the sizes of a tensor that a loop carries.

    %n = tensor.dim %a, %c0 : tensor<?xf32>
    %r = scf.for ... iter_args(%t = %a) -> (tensor<?xf32>) {
      %0 = tensor.empty(%n) : tensor<?xf32>        %t has %n elements, as %a and %1 have
      %1 = linalg.fill ins(%f : f32) outs(%0 : tensor<?xf32>) -> tensor<?xf32>
      scf.yield %1 : tensor<?xf32>

A type that leaves a size open says nothing: an iteration may yield a longer tensor than
it was given. All answers are "no" when unsure.
"""

from xdsl.dialects import scf, tensor
from xdsl.dialects.builtin import DYNAMIC_INDEX
from xdsl.ir import BlockArgument, Operation, OpResult, SSAValue

from xdsl_bufferization.dialects.scf.forall import ForallOp
from xdsl_bufferization.dialects.tensor.constraints import ranked_type

from ..interfaces.destination_style import DestinationStyleOpInterface
from ..models.slices import constant_value


def is_as_large(
    empty: tensor.EmptyOp, argument: BlockArgument, yielded: SSAValue
) -> bool:
    """Whether an empty tensor has the sizes of a loop's argument in each iteration.

    `yielded` is what the next iteration is given. If it has these sizes, and what the
    first iteration is given has them, too, then all arguments have them.
    """
    shape = ranked_type(empty.tensor).get_shape()
    dynamic = [at for at, size in enumerate(shape) if size == DYNAMIC_INDEX]
    return all(
        _is_size_of(size, argument, dimension)
        or (
            (init := _first_value(argument)) is not None
            and _is_size_of(size, init, dimension)
            and _is_size_of(size, yielded, dimension)
        )
        for dimension, size in zip(dynamic, empty.dynamic_sizes, strict=True)
    )


def _is_size_of(size: SSAValue, value: SSAValue, dimension: int) -> bool:
    """Whether `size` is how large a tensor is along a dimension."""
    value = _first_destination(value)
    owner = value.owner
    if isinstance(owner, tensor.EmptyOp):
        shape = ranked_type(value).get_shape()
        if shape[dimension] != DYNAMIC_INDEX:
            return False
        return owner.dynamic_sizes[shape[:dimension].count(DYNAMIC_INDEX)] is size
    dim = size.owner
    return (
        isinstance(dim, tensor.DimOp)
        and constant_value(dim.index) == dimension
        and _first_destination(dim.source) is value
    )


def _first_destination(value: SSAValue) -> SSAValue:
    """The tensor that ops start from to compute `value`, which has the same sizes."""
    while isinstance(owner := value.owner, Operation):
        model = owner.get_trait(DestinationStyleOpInterface)
        if model is None:
            break
        inits = model.get_dps_inits(owner)
        if not isinstance(value, OpResult) or len(inits) != len(owner.results):
            break
        value = inits[value.index].value
    return value


def _first_value(argument: BlockArgument) -> SSAValue | None:
    """What the first iteration of a loop is given for an argument."""
    block, loop = argument.block, argument.block.parent_op()
    match loop:
        case scf.ForOp():
            return loop.iter_args[argument.index - 1]
        case ForallOp():
            return loop.operands[len(loop.operands) - len(block.args) + argument.index]
        case scf.WhileOp() if block is loop.before_region.blocks.first:
            return loop.arguments[argument.index]
        case scf.WhileOp():
            condition = loop.before_region.block.last_op
            assert isinstance(condition, scf.ConditionOp)
            passed = condition.args[argument.index]
            if not isinstance(passed, BlockArgument):
                return None
            is_given = passed.block is loop.before_region.block
            return loop.arguments[passed.index] if is_given else None
        case _:
            return None
