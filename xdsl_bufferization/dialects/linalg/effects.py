"""What linalg's ops do to memory: they read their inputs and write their outputs.

On tensors they do nothing to memory, so those whose results are unused may go.
"""

from collections.abc import Sequence
from collections.abc import Set as AbstractSet

from typing_extensions import override
from xdsl.dialects.builtin import MemRefType, TensorType, UnrankedTensorType
from xdsl.dialects.linalg.abstract_ops import LinalgStructuredOperation
from xdsl.ir import Operation, Region, SSAValue
from xdsl.traits import (
    EffectInstance,
    MemoryEffect,
    MemoryEffectKind,
)

from xdsl_bufferization.support.classes import of_classes
from xdsl_bufferization.support.xdsl_releases.operands import operand_values

from .structure import inputs_and_outputs, structure_of

_is_buffer = of_classes(MemRefType)
_is_tensor = of_classes(TensorType, UnrankedTensorType)


class StructuredMemoryEffects(MemoryEffect):
    """The effects of an op with inputs and outputs, apart from those of its body."""

    @override
    @classmethod
    def get_effects(cls, op: Operation) -> AbstractSet[EffectInstance]:
        """Buffers that are inputs are read; those that are outputs are written.

        An output is also read, unless the body makes no use of it. What is no tensor
        counts as a buffer there: lowerings of xDSL put types of their own in the place
        of memrefs.
        """
        # Passes ask this many times, and most ops are on tensors.
        operands = operand_values(op)
        if op.results and not any(_is_buffer(value.type) for value in operands):
            return frozenset()
        inputs: Sequence[SSAValue] = operands[:-1]
        outputs: Sequence[SSAValue] = operands[-1:]
        body: Region | None = None
        # The maps of an op take long to make.
        if isinstance(op, LinalgStructuredOperation):
            (inputs, outputs), body = inputs_and_outputs(op), op.body
        elif (structure := structure_of(op)) is not None:
            inputs, outputs, body = structure.inputs, structure.outputs, structure.body
        unused: tuple[int, ...] = ()
        if body is not None:
            first = len(inputs)
            arguments = body.block.args[first:]
            unused = tuple(a.index - first for a in arguments if a.first_use is None)
        effects: set[EffectInstance] = set()
        for value in inputs:
            if _is_buffer(value.type):
                effects.add(EffectInstance(MemoryEffectKind.READ, value))
        for number, value in enumerate(outputs):
            if not _is_tensor(value.type):
                effects.add(EffectInstance(MemoryEffectKind.WRITE, value))
                if number not in unused:
                    effects.add(EffectInstance(MemoryEffectKind.READ, value))
        return effects
