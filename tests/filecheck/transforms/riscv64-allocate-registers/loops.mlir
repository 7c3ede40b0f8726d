// RUN: xdsl-opt -t mlir-22 -p riscv64-allocate-registers %s | filecheck %s

// Two values that change places, whose old values are both still needed.

// CHECK-LABEL: @swap
// CHECK:         riscv_scf.for {{.*}} iter_args(%[[A:.*]] = %{{.*}}, %[[B:.*]] = %{{.*}}) -> (!riscv.freg<[[X:.*]]>, !riscv.freg<[[Y:.*]]>)
// CHECK-NEXT:      %{{.*}}, %{{.*}} = riscv.parallel_mov %[[B]], %[[A]] [64, 64] {free_registers = [!riscv.freg<ft11>]} : (!riscv.freg<[[Y]]>, !riscv.freg<[[X]]>) -> (!riscv.freg<[[X]]>, !riscv.freg<[[Y]]>)
// CHECK-NEXT:      riscv_scf.yield
riscv_func.func @swap(%x: !riscv.freg<fa0>, %y: !riscv.freg<fa1>, %n: !riscv.reg<a0>) -> !riscv.freg<fa0> {
  %a = riscv.fmv.s %x : (!riscv.freg<fa0>) -> !riscv.freg
  %b = riscv.fmv.s %y : (!riscv.freg<fa1>) -> !riscv.freg
  %start = rv64.li 0 : !riscv.reg
  %step = rv64.li 1 : !riscv.reg
  %stop = riscv.mv %n : (!riscv.reg<a0>) -> !riscv.reg
  %r, %s = riscv_scf.for %i : !riscv.reg = %start : !riscv.reg to %stop : !riscv.reg step %step : !riscv.reg iter_args(%c = %a, %d = %b) -> (!riscv.freg, !riscv.freg) {
    riscv_scf.yield %d, %c : !riscv.freg, !riscv.freg
  }
  %t = riscv.fmv.s %r : (!riscv.freg) -> !riscv.freg<fa0>
  riscv_func.return %t : !riscv.freg<fa0>
}
