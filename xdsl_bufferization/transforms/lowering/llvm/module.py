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

from xdsl_bufferization.errors import fail_at, op_name
from xdsl_bufferization.transforms.lowering.llvm import (
    affine,
    affine_loops,
    arith,
    arith_casts,
    cf,
    func_indirect,
    index,
    math,
    memref_atomics,
    memref_copy,
    memref_global,
    memref_views,
    omp,
    scf,
    shape,
    ub,
    vector_combining,
    vector_memory,
    vector_print,
    vector_shapes,
    vector_transfers,
)
from xdsl_bufferization.transforms.lowering.llvm import func as func_rules
from xdsl_bufferization.transforms.lowering.llvm import linalg as linalg_rules
from xdsl_bufferization.transforms.lowering.llvm import memref as memref_rules
from xdsl_bufferization.transforms.lowering.llvm.bfloat16 import emulate_bf16
from xdsl_bufferization.transforms.lowering.llvm.function import (
    Rules,
    unsupported,
)
from xdsl_bufferization.transforms.lowering.llvm.stand_ins import by_rows
from xdsl_bufferization.transforms.lowering.llvm.symbols import (
    LoweringOptions,
    Symbols,
)
from xdsl_bufferization.traversal import ops_inside

RULES: Rules = {
    **affine.RULES,
    **affine_loops.RULES,
    **by_rows(emulate_bf16({**arith.RULES, **arith_casts.RULES, **math.RULES})),
    **cf.RULES,
    **func_rules.RULES,
    **func_indirect.RULES,
    **index.RULES,
    **linalg_rules.RULES,
    **memref_rules.RULES,
    **memref_atomics.RULES,
    **memref_copy.RULES,
    **memref_global.RULES,
    **memref_views.RULES,
    **omp.RULES,
    **scf.RULES,
    **shape.RULES,
    **ub.RULES,
    **vector_combining.RULES,
    **vector_memory.RULES,
    **vector_print.RULES,
    **vector_shapes.RULES,
    **vector_transfers.RULES,
}


def lower_to_llvm(module: ModuleOp, options: LoweringOptions | None = None) -> None:
    """Replace the contents of `module` by the llvm dialect.

    Raises an error at the op that cannot be lowered; `module` is then unchanged.
    """
    symbols = Symbols.of_module(module, options or LoweringOptions())
    lowered = [new for op in module.ops for new in _lower_top_level(op, symbols)]
    old = module.body.block
    module.body.detach_block(old)
    module.body.add_block(Block([*symbols.added.values(), *lowered]))
    old.erase(safe_erase=False)


def _lower_top_level(op: Operation, symbols: Symbols) -> list[Operation]:
    if isinstance(op, func.FuncOp):
        return [*func_rules.lower_function(op, symbols, RULES)]
    if isinstance(op, memref.GlobalOp):
        return [memref_global.lower_global(op, symbols.types)]
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
