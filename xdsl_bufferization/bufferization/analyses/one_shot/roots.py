"""Which parts of a module are decided about, and which of them together.

    %0 = tensor.empty() : tensor<4xf32>    // the module's own ops: one root, the module
    func.func @f(...) { ... }              // a root
    module @inner { ... }                  // a root without function boundaries; with
                                           // them, left on tensors

With function boundaries, MLIR leaves symbol tables inside of the module alone: what a
call in one of them calls is a matter of that table. A nested pipeline bufferizes them.
Source: MLIR's `bufferizeModuleOp` and `analyzeModuleOp`.
"""

from collections.abc import Sequence, Set
from typing import NamedTuple

from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.func import FuncOp
from xdsl.ir import Operation
from xdsl.traits import IsolatedFromAbove, SymbolTable

from xdsl_bufferization.support.traversal import OrderOfBlocks, ops_inside

from ...interfaces.options import BufferizationOptions


class Roots(NamedTuple):
    """The ops of a module, in the groups in which they are decided about."""

    functions: Sequence[FuncOp]
    """The functions of the module itself, in order."""

    others: Sequence[Operation]
    """Other ops that no tensor enters or leaves, each a root."""

    apart: Set[Operation]
    """The ops of the module whose insides belong to no root that is the module."""

    has_own_ops: bool
    """Whether the module has ops of its own that may use each other's tensors."""


def find_roots(module: ModuleOp, options: BufferizationOptions) -> Roots:
    """Split a module into what is decided about together."""
    functions: list[FuncOp] = []
    others: list[Operation] = []
    apart: set[Operation] = set()
    has_own_ops = False
    for op in module.ops:
        if isinstance(op, FuncOp):
            functions.append(op)
        elif is_left_alone(op, options):
            apart.add(op)
        elif _is_closed(op):
            others.append(op)
        else:
            has_own_ops = has_own_ops or bool(op.regions or op.operands or op.results)
    return Roots(functions, others, apart.union(functions, others), has_own_ops)


def is_left_alone(op: Operation, options: BufferizationOptions) -> bool:
    """Whether what is inside `op`, itself inside of a module, stays as it is."""
    return options.bufferize_function_boundaries and op.has_trait(
        SymbolTable, value_if_unregistered=False
    )


def bufferized_ops(
    module: ModuleOp,
    options: BufferizationOptions,
    blocks_in: OrderOfBlocks | None = None,
) -> list[Operation]:
    """The ops that may be bufferized, each before its body; see `ops_inside`."""
    return ops_inside(module, blocks_in, lambda op: not is_left_alone(op, options))


def _is_closed(op: Operation) -> bool:
    return (
        bool(op.regions)
        and not op.operands
        and not op.results
        and op.has_trait(IsolatedFromAbove, value_if_unregistered=False)
    )
