// RUN: xdsl-opt -t mlir-22 -p riscv64-save-registers %s | filecheck %s

riscv_func.func private @g() -> ()

// All 64 bits of what is overwritten, and the return address; 16 bytes are aligned.

// CHECK-LABEL: @f
// CHECK:         %[[SP:.*]] = rv64.get_register : !riscv.reg<sp>
// CHECK-NEXT:    riscv.addi %[[SP]], -32 : (!riscv.reg<sp>) -> !riscv.reg<sp>
// CHECK:         riscv.fsd %[[SP]], %{{.*}}, 0 : (!riscv.reg<sp>, !riscv.freg<fs0>)
// CHECK:         rv64.sd %[[SP]], %{{.*}}, 8 : (!riscv.reg<sp>, !riscv.reg<ra>)
// CHECK:         rv64.sd %[[SP]], %{{.*}}, 16 : (!riscv.reg<sp>, !riscv.reg<s0>)
// CHECK:         riscv_func.call @g()
// CHECK:         riscv.fld %{{.*}}, 0 : (!riscv.reg<sp>) -> !riscv.freg<fs0>
// CHECK-NEXT:    rv64.ld %{{.*}}, 8 : (!riscv.reg<sp>) -> !riscv.reg<ra>
// CHECK-NEXT:    rv64.ld %{{.*}}, 16 : (!riscv.reg<sp>) -> !riscv.reg<s0>
// CHECK-NEXT:    riscv.addi %{{.*}}, 32 : (!riscv.reg<sp>) -> !riscv.reg<sp>
// CHECK-NEXT:    riscv_func.return
riscv_func.func @f(%x: !riscv.reg<a0>, %y: !riscv.freg<fa0>) {
  %0 = riscv.mv %x : (!riscv.reg<a0>) -> !riscv.reg<s0>
  %1 = riscv.fmv.s %y : (!riscv.freg<fa0>) -> !riscv.freg<fs0>
  riscv_func.call @g() : () -> ()
  riscv_func.return
}

// CHECK-LABEL: @nothing_to_save
// CHECK-NEXT:    riscv.mv
// CHECK-NEXT:    riscv_func.return
riscv_func.func @nothing_to_save(%x: !riscv.reg<a0>) {
  %0 = riscv.mv %x : (!riscv.reg<a0>) -> !riscv.reg<t0>
  riscv_func.return
}
