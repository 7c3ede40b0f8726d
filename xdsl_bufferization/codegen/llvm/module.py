"""From a module on buffers to a module in the llvm dialect, in one forward walk.

Every op class has one rule, in the file of its dialect; a rule emits what the op
becomes into the function under construction. Nothing is rewritten in place: the
module's body is replaced when all of it is lowered, so a failure leaves it as it was.

    func.func @f(%m: memref<4xf32>) { ... }   memref.global ...
        -> llvm.func @f(...) { ... }          llvm.mlir.global ...  llvm.func @malloc
"""

from __future__ import annotations

from xdsl.dialects import func, llvm, memref
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Block, Operation

from xdsl_bufferization.runtime.failure_kinds import Failure
from xdsl_bufferization.support.errors import fail_at, op_name
from xdsl_bufferization.support.traversal import ops_inside

from .affine import loops, maps
from .control import cf, checks, omp, scf, shape, ub
from .emission.function import Rules, unsupported
from .emission.stand_ins import by_rows
from .emission.symbols import LoweringOptions, Symbols
from .functions import func as func_rules
from .functions import function_values
from .memory import atomics, copies, globals, views
from .memory import memref as memref_rules
from .scalars import arith, casts, complex, index, math
from .scalars.bfloat16 import emulate_bf16
from .structured import linalg as linalg_rules
from .structured import tm_tensor
from .vectors import combining, loads_and_stores, positions, printing, shapes, transfers

RULES: Rules = {
    **maps.RULES,
    **loops.RULES,
    **by_rows(emulate_bf16({**arith.RULES, **casts.RULES, **math.RULES})),
    **complex.RULES,
    **cf.RULES,
    **checks.RULES,
    **func_rules.RULES,
    **function_values.RULES,
    **index.RULES,
    **linalg_rules.RULES,
    **memref_rules.RULES,
    **atomics.RULES,
    **copies.RULES,
    **globals.RULES,
    **views.RULES,
    **omp.RULES,
    **scf.RULES,
    **shape.RULES,
    **tm_tensor.RULES,
    **ub.RULES,
    **combining.RULES,
    **loads_and_stores.RULES,
    **positions.RULES,
    **printing.RULES,
    **shapes.RULES,
    **transfers.RULES,
}


def lower_to_llvm(
    module: ModuleOp, options: LoweringOptions | None = None
) -> tuple[Failure, ...]:
    """Replace the contents of `module` by the llvm dialect.

    Returns what the program can fail with, in the order of their numbers. Raises an
    error at the op that cannot be lowered; `module` is then unchanged.
    """
    symbols = Symbols.of_module(module, options or LoweringOptions())
    lowered = [new for op in module.ops for new in _lower_top_level(op, symbols)]
    old = module.body.block
    module.body.detach_block(old)
    module.body.add_block(Block([*symbols.added.values(), *lowered]))
    old.erase(safe_erase=False)
    return tuple(symbols.failures)


def _lower_top_level(op: Operation, symbols: Symbols) -> list[Operation]:
    if isinstance(op, func.FuncOp):
        return [*func_rules.lower_function(op, symbols, RULES)]
    if isinstance(op, memref.GlobalOp):
        return [globals.lower_global(op, symbols.types)]
    if _is_script(op):
        return []
    if not isinstance(op, llvm.FuncOp | llvm.GlobalOp):
        fail_at(op, unsupported(op))
    for each in ops_inside(op):
        if each.dialect_name() != "llvm":
            fail_at(
                each,
                f"'{op_name(each)}' is not lowered in a function of the llvm dialect, "
                "which is kept as it is: use func.func, or ops of that dialect",
            )
    return [op.clone()]


def _is_script(op: Operation) -> bool:
    """Whether all that is here says how to compile, by the transform dialect."""
    if isinstance(op, ModuleOp):
        return not op.body.block.is_empty and all(map(_is_script, op.ops))
    return op.dialect_name() == "transform"
