"""Which uses of empty tensors become a tensor, in the same buffer.

%0 = tensor.empty() : tensor<4xf32>
%1 = linalg.fill ins(%f : f32) outs(%0 : tensor<4xf32>) -> tensor<4xf32>
^^  found for %1
"""

from xdsl.dialects import tensor
from xdsl.ir import Block, Operation, SSAValue

from xdsl_bufferization.dialects.tensor.constraints import ranked_type

from ..analyses.one_shot.one_shot import OneShotAnalysis
from ..interfaces.operands import OpOperand
from ..interfaces.state import BufferRelation


class EmptyTensorUses:
    """Follows tensors back to the empty tensors that they start from."""

    def __init__(self, analysis: OneShotAnalysis):
        self._analysis = analysis
        self._inserted: set[Operation] = set()
        self._shortcuts: dict[SSAValue, OpOperand] = {}

    def note_inserted(self, op: Operation) -> None:
        """Expect `op`, a slice or a view, which the analysis has not seen."""
        self._inserted.add(op)

    def find(self, operand: OpOperand) -> list[OpOperand]:
        """The uses of empty tensors that become `operand` in the same buffer."""
        uses: list[OpOperand] = []
        seen: set[SSAValue] = set()
        todo = [operand]
        while todo:
            use = self._skip(todo.pop())
            value = use.value
            if isinstance(value.owner, tensor.EmptyOp):
                uses.append(use)
            elif value not in seen:
                seen.add(value)
                # From the first operand to the last.
                todo.extend(reversed(self._sources(value)))
        return list(dict.fromkeys(uses))

    def _skip(self, operand: OpOperand) -> OpOperand:
        """Follow `operand` back as long as there is only one origin.

        Shortcuts are kept, as many operands can start from one chain of ops.
        """
        passed: list[SSAValue] = []
        while True:
            value = operand.value
            found = self._shortcuts.get(value)
            if found is None:
                sources = self._sources(value)
                if len(sources) != 1:
                    break
                found = sources[0]
            passed.append(value)
            operand = found
        self._shortcuts |= dict.fromkeys(passed, operand)
        return operand

    def _sources(self, value: SSAValue) -> list[OpOperand]:
        """The operands whose buffer is that of `value`, of its type or under a view.

        Views are casts and collapsed shapes.
        """
        owner = value.owner
        if isinstance(owner, tensor.EmptyOp):
            return []
        if owner in self._inserted:
            is_cast = isinstance(owner, tensor.CastOp)
            return [OpOperand(owner, 0)] if is_cast else []
        return [
            alias.operand
            for alias in self._analysis.get_aliasing_op_operands(value)
            if alias.relation is BufferRelation.EQUIVALENT
            and (
                isinstance(owner, tensor.CastOp)
                or _is_collapsed(owner)
                or alias.operand.value.type == value.type
            )
        ]


def _is_collapsed(op: Operation | Block) -> bool:
    """Whether `op` collapses a tensor of known sizes."""
    return (
        isinstance(op, tensor.CollapseShapeOp)
        and ranked_type(op.src).has_static_shape()
    )
