"""Whether a program is one of StableHLO, and so what the passes for it are about.

NumPy, which some of the passes need, is not needed to know that.
"""

from typing import Final, cast

from xdsl.dialects.builtin import DYNAMIC_INDEX, ModuleOp, TensorType
from xdsl.dialects.func import FuncOp
from xdsl.ir import Attribute, Operation

from xdsl_bufferization.support.traversal import ops_inside

_DIALECTS: Final = ("stablehlo", "chlo", "sdy")

_PREFIXES: Final = ("jax.", "mhlo.")
"""How attributes of modules begin that JAX writes."""


def is_stablehlo(module: ModuleOp) -> bool:
    """Whether a module has ops of StableHLO or CHLO, or says that JAX wrote it."""
    if any(name.startswith(_PREFIXES) for name in module.attributes):
        return True
    return any(map(is_of_stablehlo, ops_inside(module)))


def is_of_stablehlo(op: Operation) -> bool:
    """Whether an op is of StableHLO, CHLO or Shardy."""
    return op.dialect_name() in _DIALECTS


def has_open_sizes(function: FuncOp) -> bool:
    """Whether a size of an argument is not known."""
    return any(
        isinstance(each, TensorType)
        and DYNAMIC_INDEX in cast("TensorType[Attribute]", each).get_shape()
        for each in function.function_type.inputs
    )
