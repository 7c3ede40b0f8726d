// xdsl-opt -p riscv64-allocate-registers
riscv_func.func private @g() -> ()
riscv_func.func @f(%x: !riscv.reg<a0>) {
  %across = riscv.mv %x : (!riscv.reg<a0>) -> !riscv.reg
  %before = riscv.mv %x : (!riscv.reg<a0>) -> !riscv.reg
  riscv.sw %before, %before, 0 : (!riscv.reg, !riscv.reg) -> ()
  riscv_func.call @g() : () -> ()
  riscv.sw %across, %across, 0 : (!riscv.reg, !riscv.reg) -> ()
  riscv_func.return
}
