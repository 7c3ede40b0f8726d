// RUN: xdsl-opt -t mlir-22 -p riscv64-allocate-registers %s | filecheck %s

riscv_func.func private @g() -> ()

// CHECK-LABEL: @f
// CHECK:         %across = riscv.mv %x : (!riscv.reg<a0>) -> !riscv.reg<s0>
// CHECK-NEXT:    %before = riscv.mv %x : (!riscv.reg<a0>) -> !riscv.reg<t0>
// CHECK:         riscv_func.call @g()
// CHECK:         riscv.sw %across, %across
riscv_func.func @f(%x: !riscv.reg<a0>) {
  %across = riscv.mv %x : (!riscv.reg<a0>) -> !riscv.reg
  %before = riscv.mv %x : (!riscv.reg<a0>) -> !riscv.reg
  riscv.sw %before, %before, 0 : (!riscv.reg, !riscv.reg) -> ()
  riscv_func.call @g() : () -> ()
  riscv.sw %across, %across, 0 : (!riscv.reg, !riscv.reg) -> ()
  riscv_func.return
}

// What a loop around a call uses is in use across it, wherever it stands.

// CHECK-LABEL: @loop
// CHECK:         %used_before = riscv.mv %x : (!riscv.reg<a0>) -> !riscv.reg<s{{.*}}>
// CHECK:         riscv_scf.for %{{.*}} : !riscv.reg<s{{.*}}>
riscv_func.func @loop(%x: !riscv.reg<a0>, %n: !riscv.reg<a1>) {
  %used_before = riscv.mv %x : (!riscv.reg<a0>) -> !riscv.reg
  %start = riscv.mv %n : (!riscv.reg<a1>) -> !riscv.reg
  %stop = riscv.mv %n : (!riscv.reg<a1>) -> !riscv.reg
  %step = riscv.mv %n : (!riscv.reg<a1>) -> !riscv.reg
  riscv_scf.for %i : !riscv.reg = %start : !riscv.reg to %stop : !riscv.reg step %step : !riscv.reg {
    riscv.sw %used_before, %used_before, 0 : (!riscv.reg, !riscv.reg) -> ()
    riscv_func.call @g() : () -> ()
    riscv_scf.yield
  }
  riscv_func.return
}

// CHECK-LABEL: @constants
// CHECK:         %[[FIRST:.*]] = rv64.li 5
// CHECK-NEXT:    riscv.mul %{{.*}}, %[[FIRST]]
// CHECK-NEXT:    %[[SECOND:.*]] = rv64.li 5
// CHECK-NEXT:    riscv.mul %{{.*}}, %[[SECOND]]
riscv_func.func @constants(%x: !riscv.reg<a0>) -> !riscv.reg<a0> {
  %five = rv64.li 5 : !riscv.reg
  %0 = riscv.mul %x, %five : (!riscv.reg<a0>, !riscv.reg) -> !riscv.reg
  %1 = riscv.mul %0, %five : (!riscv.reg, !riscv.reg) -> !riscv.reg
  %2 = riscv.mv %1 : (!riscv.reg) -> !riscv.reg<a0>
  riscv_func.return %2 : !riscv.reg<a0>
}
