"""Ops of MLIR's cf dialect that xDSL defines too narrowly, and how they simplify.

    cf.cond_br %c weights([1, 2]), ^bb1(%a : i32), ^bb2
    cf.switch %i : i32, [default: ^bb1, 4294967295: ^bb2(%a : i32)]

Source of all definitions: https://mlir.llvm.org/docs/Dialects/ControlFlowDialect/
"""

MODULES = ("branches",)
"""Where the ops are."""
