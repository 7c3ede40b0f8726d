"""The model of an op in destination-passing style: what follows from its inits.

    %r = mydialect.op ins(%a) outs(%d)      %d is written and becomes %r; %a is not

Subclass it, say how to `bufferize`, and what is not read, if anything. MLIR's
`DstBufferizableOpInterfaceExternalModel`.
"""

from collections.abc import Sequence

from typing_extensions import override
from xdsl.ir import Operation, OpResult

from xdsl_bufferization.support.errors import fail_at

from .bufferizable import BufferizableOpInterface
from .destination_style import DestinationStyleOpInterface
from .operands import OpOperand, is_tensor, operand_value
from .state import AliasingValue, AnalysisState, BufferRelation


class DestinationStyleBufferization(BufferizableOpInterface):
    """An op that writes its inits and nothing else, and may read every operand.

    The op needs a model of `DestinationStyleOpInterface` as well.
    """

    @override
    def bufferizes_to_memory_write(
        self, operand: OpOperand, state: AnalysisState
    ) -> bool:
        op, number = operand
        return number in get_interface(op).get_dps_init_numbers(op)

    @override
    def get_aliasing_values(
        self, operand: OpOperand, state: AnalysisState
    ) -> Sequence[AliasingValue]:
        result = get_tied_result(operand)
        if result is None:
            return ()
        return (AliasingValue(result, BufferRelation.EQUIVALENT),)


_INTERFACES: dict[type[Operation], DestinationStyleOpInterface] = {}
"""The models found so far; a class keeps the one that it has."""


def get_interface(op: Operation) -> DestinationStyleOpInterface:
    """What says which operands are the inits of `op`."""
    return _INTERFACES.get(type(op)) or _find_interface(op)


def _find_interface(op: Operation) -> DestinationStyleOpInterface:
    interface = op.get_trait(DestinationStyleOpInterface)
    if interface is None:
        fail_at(
            op,
            f"'{op.name}' is bufferized in destination style, but no model says which "
            "operands are its inits; attach one of DestinationStyleOpInterface",
        )
    _INTERFACES[type(op)] = interface
    return interface


def get_tensor_inits(op: Operation) -> list[OpOperand]:
    """The inits that are tensors; the i-th is tied to the i-th result."""
    inits = get_interface(op).get_dps_inits(op)
    return [init for init in inits if is_tensor(init.value)]


def get_tied_result(operand: OpOperand) -> OpResult | None:
    """The result that is written to `operand`, or None if that is no init."""
    op, number = operand
    numbers = get_interface(op).get_dps_init_numbers(op)
    if number not in numbers:
        return None
    index = 0
    for other in numbers:
        if other == number:
            break
        index += is_tensor(operand_value(op, other))
    return op.results[index] if index < len(op.results) else None
