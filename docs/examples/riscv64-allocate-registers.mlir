// xdsl-opt -p riscv64-allocate-registers
riscv_func.func private @g() -> ()
riscv_func.func @f(%a: !riscv.reg<a0>) -> !riscv.reg<a0> {
  %x = riscv.mv %a : (!riscv.reg<a0>) -> !riscv.reg
  riscv_func.call @g() : () -> ()
  %r = riscv.mv %x : (!riscv.reg) -> !riscv.reg<a0>
  riscv_func.return %r : !riscv.reg<a0>
}
