// xdsl-opt -p riscv64-save-registers
riscv_func.func private @g() -> ()
riscv_func.func @f(%x: !riscv.reg<a0>) {
  %across = riscv.mv %x : (!riscv.reg<a0>) -> !riscv.reg<s0>
  riscv_func.call @g() : () -> ()
  riscv.sw %across, %across, 0 : (!riscv.reg<s0>, !riscv.reg<s0>) -> ()
  riscv_func.return
}
