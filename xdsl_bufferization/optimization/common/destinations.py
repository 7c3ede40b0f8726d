"""Tensors that ops write to, one after the other.

%0 = tensor.empty()
%1 = linalg.fill ins(%zero) outs(%0)
%2 = linalg.generic ... outs(%1)             // starts from %0, which is empty
"""

from typing import Final

from xdsl.dialects import tensor
from xdsl.ir import Block, SSAValue

from xdsl_bufferization.dialects.linalg.structure import structure_of
from xdsl_bufferization.dialects.scf.forall import ForallOp

_MOST_STEPS: Final = 8
"""So many ops are looked at."""


def starts_from_empty(value: SSAValue) -> bool:
    """Whether ops write a tensor that starts without contents. If unsure: False."""
    for _ in range(_MOST_STEPS):
        owner = value.owner
        if isinstance(owner, tensor.EmptyOp):
            return True
        if isinstance(owner, Block):
            return False
        structure = structure_of(owner)
        if isinstance(owner, tensor.InsertSliceOp):
            value = owner.dest
        elif isinstance(owner, tensor.CollapseShapeOp):
            value = owner.src
        elif isinstance(owner, ForallOp):
            value = owner.outputs[owner.results.index(value)]
        elif structure is not None:
            value = structure.outputs[owner.results.index(value)]
        else:
            return False
    return False
