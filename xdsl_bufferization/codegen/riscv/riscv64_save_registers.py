"""The pass `riscv64-save-registers`: leave what callers rely on as it was.

Runs last, after register allocation. xDSL's `riscv-prologue-epilogue-insertion` saves
half of each register on 64 bits, and not the return address.

    riscv_func.func @f(...) {         riscv_func.func @f(...) {
      %0 = ... !riscv.reg<s0>           addi sp, sp, -16; sd s0, 0(sp); sd ra, 8(sp)
      riscv_func.call @g()              ...
      riscv_func.return                 ld s0, 0(sp); ld ra, 8(sp); addi sp, sp, 16

Source: the RISC-V psABI, "Register convention": the stack is aligned to 16 bytes.
"""

from typing import Final

from xdsl.builder import Builder
from xdsl.dialects import riscv_func, rv64
from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.riscv import ops as riscv
from xdsl.dialects.riscv.registers import (
    FloatRegisterType,
    IntRegisterType,
    Registers,
)
from xdsl.rewriter import InsertPoint

from xdsl_bufferization.bufferization.mlir_pass import LoweringPass
from xdsl_bufferization.support.traversal import ops_inside

from .riscv64_allocate_registers import PRESERVED

_Register = IntRegisterType | FloatRegisterType

_BYTES: Final = 8
_STACK_ALIGNMENT: Final = 16


def save_registers(module: ModuleOp) -> None:
    """Save what each function overwrites and its caller relies on."""
    for op in module.ops:
        if not isinstance(op, riscv_func.FuncOp) or not op.body.blocks:
            continue
        if saved := _to_save(op):
            _save(op, saved)


def _to_save(function: riscv_func.FuncOp) -> list[_Register]:
    """Registers to save, in the order of their text, such as `!riscv.reg<s0>`."""
    written: set[_Register] = set()
    for op in ops_inside(function):
        if isinstance(op, riscv_func.CallOp):
            written.add(Registers.RA)
        if isinstance(op, rv64.GetRegisterOp | riscv.GetFloatRegisterOp):
            continue
        types = {each.type for each in op.results}
        written.update(each for each in PRESERVED if each in types)
    return sorted(written, key=str)


def _save(function: riscv_func.FuncOp, saved: list[_Register]) -> None:
    size = -(-len(saved) * _BYTES // _STACK_ALIGNMENT) * _STACK_ALIGNMENT
    builder = Builder(InsertPoint.at_start(function.body.blocks[0]))
    stack = builder.insert(rv64.GetRegisterOp(Registers.SP)).res
    builder.insert(riscv.AddiOp(stack, -size, rd=Registers.SP))
    for number, register in enumerate(saved):
        offset = number * _BYTES
        if isinstance(register, IntRegisterType):
            value = builder.insert(rv64.GetRegisterOp(register)).res
            builder.insert(rv64.SdOp(stack, value, offset))
        else:
            value = builder.insert(riscv.GetFloatRegisterOp(register)).res
            builder.insert(riscv.FSdOp(stack, value, offset))
    for block in function.body.blocks:
        end = block.last_op
        if not isinstance(end, riscv_func.ReturnOp):
            continue
        builder = Builder(InsertPoint.before(end))
        stack = builder.insert(rv64.GetRegisterOp(Registers.SP)).res
        for number, register in enumerate(saved):
            offset = number * _BYTES
            if isinstance(register, IntRegisterType):
                builder.insert(rv64.LdOp(stack, offset, rd=register))
            else:
                builder.insert(riscv.FLdOp(stack, offset, rd=register))
        builder.insert(riscv.AddiOp(stack, size, rd=Registers.SP))


class Riscv64SaveRegistersPass(LoweringPass):
    """Save and restore the registers that callers rely on."""

    name = "riscv64-save-registers"
    rewrite = staticmethod(save_registers)
