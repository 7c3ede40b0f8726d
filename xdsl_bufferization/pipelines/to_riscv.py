"""From buffers to RISC-V instructions, by xDSL's own back end: no LLVM.

Takes modules after bufferization and deallocation. A buffer is passed as the address of
its first element.

- xDSL's passes lower the ops for which they are right on 64 bits.
- Passes of this package lower the other ops.
- `riscv64-verify-supported` refuses ops that neither can lower.

The pipeline does not canonicalize, because xDSL's patterns are wrong here:

- Before registers are allocated, the patterns put constants of any size into
  instructions that have room for 12 bits.
- Afterwards the patterns read registers whose content may have changed.

    linalg.matmul, memref.load, scf.for, ...   ->   riscv.*, riscv_cf.*, riscv_func.*
    xdsl-opt -p lower-to-riscv -t riscv-asm    prints assembly
"""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from typing_extensions import override
from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.func import FuncOp
from xdsl.ir import Operation

from xdsl_bufferization.bufferization.mlir_pass import MLIRPass, is_any_op
from xdsl_bufferization.codegen.riscv.riscv64_allocate_registers import (
    allocate_registers,
)
from xdsl_bufferization.codegen.riscv.riscv64_verify_supported import refuse
from xdsl_bufferization.support.errors import fail_at
from xdsl_bufferization.support.traversal import ops_inside

from .steps import Step, passes_of, step

TO_INSTRUCTIONS: Final = (
    step("riscv64-verify-supported", "xDSL's passes would lower other ops wrongly"),
    step("convert-memref-to-riscv64", "views and sizes, which xDSL's pass leaves"),
    step("convert-linalg-to-loops", "instructions know no structured ops"),
    step("lower-affine", "nor affine maps, which these loops may have"),
    step("convert-arith-to-riscv64", "what xDSL's pass has for 32 bits only"),
    step("convert-func-to-riscv-func", "types of functions come first"),
    step("convert-memref-to-riscv", "loads and stores"),
    step("convert-scf-to-riscv-scf", "loops and conditions"),
    step("convert-arith-to-riscv", "what computes numbers"),
    step("reconcile-unrealized-casts", "all types are registers now"),
    step("dce", "what only those casts used goes"),
)
"""From ops on buffers to instructions whose registers are not chosen yet."""

TO_ASSEMBLY: Final = (
    step("convert-riscv-scf-to-riscv-cf", "registers are allocated: loops may go"),
    step("riscv-lower-parallel-mov", "one move after the other"),
    step("riscv64-save-registers", "it is known which ones are used"),
)
"""From instructions with registers to what an assembler reads."""

_DIALECTS: Final = ("builtin", "riscv", "riscv_cf", "riscv_func", "riscv_scf")
_DIALECTS_OF_WIDTH: Final = ("rv32", "rv64")


def lower_to_riscv(ctx: Context, module: ModuleOp) -> None:
    """Replace the contents of `module` by RISC-V instructions for 64 bits.

    Raises `OperationError` at an op that cannot be compiled.
    """
    places: dict[str, Operation] = {
        op.sym_name.data: op for op in module.clone().ops if isinstance(op, FuncOp)
    }
    _apply(TO_INSTRUCTIONS, ctx, module)
    for op in ops_inside(module):
        if op.dialect_name() not in (*_DIALECTS, *_DIALECTS_OF_WIDTH):
            refuse(op, "nothing lowers it")
    allocate_registers(module, places.get)
    _apply(TO_ASSEMBLY, ctx, module)


def _apply(steps: Iterable[Step], ctx: Context, module: ModuleOp) -> None:
    for each in passes_of(steps):
        try:
            each.apply(ctx, module)
        except (NotImplementedError, ValueError) as error:
            # How xDSL's back end says that it cannot lower something.
            fail_at(module, f"xDSL's pass {each.name} stopped: {error}")


@dataclass(frozen=True)
class ToRiscvPass(MLIRPass):
    """Lower a module on static buffers to RISC-V instructions, with xDSL's back end."""

    name = "lower-to-riscv"
    is_about = staticmethod(is_any_op)

    @override
    def apply(self, ctx: Context, op: ModuleOp) -> None:
        lower_to_riscv(ctx, op)
