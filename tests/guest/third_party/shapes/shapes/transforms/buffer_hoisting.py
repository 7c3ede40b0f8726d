"""The pass `buffer-hoisting` of this project: every allocation moves to the entry.

func.func @f() {
  scf.for ... { %0 = memref.alloc() : memref<4xf32> ... }
}
->
func.func @f() {
  %0 = memref.alloc() {shapes.hoisted} : memref<4xf32>
  scf.for ... { ... }
}
"""

from typing_extensions import override
from xdsl.context import Context
from xdsl.dialects import func, memref
from xdsl.dialects.builtin import ModuleOp, UnitAttr
from xdsl.passes import ModulePass


class BufferHoistingPass(ModulePass):
    """Move every allocation of known size to the entry of its function."""

    name = "buffer-hoisting"

    @override
    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for function in op.body.ops:
            if isinstance(function, func.FuncOp) and function.body.blocks:
                _hoist(function)


def _hoist(function: func.FuncOp) -> None:
    entry = function.body.blocks[0]
    for op in list(function.walk()):
        if isinstance(op, memref.AllocOp) and not op.operands:
            op.detach()
            op.attributes["shapes.hoisted"] = UnitAttr()
            first = entry.first_op
            assert first is not None
            entry.insert_op_before(op, first)
